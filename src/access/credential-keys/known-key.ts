import type { EntityManager } from 'typeorm';
import { environmentOf, Mode, printEnvironment } from '../../platform/caller/environment.rules';
import { isPlatformKey } from './key-format.rules';
import { StoredId, storedId } from '../../platform/database/identifiers';

/** The tables that keys are stored in. */
export type KeyTable = 'api_key' | 'platform_key';

/**
 * What a request needs to know about its key. The database's clock decides when a key ends: it
 * returns how far away that is, and this process counts down on its monotonic clock. The date and
 * time of this process do not matter.
 */
export interface KnownKey {
  table: KeyTable;
  keyId: string;
  /** The environment of the company that the key is for; for a platform key, the key itself. */
  companyId: StoredId;
  /** The same as clients see it; absent for a platform. */
  company?: string;
  /** The name of the platform that the key is for; absent if it is for a company. */
  platform?: string;
  /** The currency of the company, which never changes; absent for a platform. */
  currency?: string;
  keyHash: Buffer;
  scopes: readonly string[];
  revoked: boolean;
  /** When a rotation's overlap ends, on the clock of `performance.now()`; Infinity for never. */
  overlapEnds: number;
  /** When the key expires, on the clock of `performance.now()`; Infinity for never. */
  expires: number;
}

const READ_API_KEY = `
  SELECT key_id, company_id, currency, mode, key_hash, scopes,
    revoked_at IS NOT NULL AS revoked,
    (extract(epoch FROM overlap_ends_at - clock_timestamp()) * 1000)::float8 AS overlap_left,
    (extract(epoch FROM expires_at - clock_timestamp()) * 1000)::float8 AS expires_in
  FROM api_key JOIN company USING (company_id) WHERE key_hash = $1`;

const READ_PLATFORM_KEY = `
  SELECT key_id, name, key_hash, scopes, revoked_at IS NOT NULL AS revoked
  FROM platform_key WHERE key_hash = $1`;

interface KeyRow {
  key_id: string;
  key_hash: Buffer;
  scopes: string[];
  revoked: boolean;
}

interface PlatformKeyRow extends KeyRow {
  name: string;
}

interface ApiKeyRow extends KeyRow {
  company_id: StoredId;
  currency: string;
  mode: Mode;
  /** Milliseconds; negative for the past. */
  overlap_left: number | null;
  expires_in: number | null;
}

/** Reads the key with this well-formed secret, whose hash is `keyHash`. */
export function readKey(
  manager: EntityManager,
  secret: string,
  keyHash: Buffer,
): Promise<KnownKey | null> {
  return isPlatformKey(secret) ? readPlatformKey(manager, keyHash) : readApiKey(manager, keyHash);
}

async function readApiKey(manager: EntityManager, keyHash: Buffer): Promise<KnownKey | null> {
  // Taken before the database reads its clock: a key may end early by a round trip, never late.
  const asked = performance.now();
  const [row] = await manager.query<ApiKeyRow[]>(READ_API_KEY, [keyHash]);
  if (row === undefined) {
    return null;
  }
  const companyId = environmentOf(row.company_id, row.mode);
  return {
    table: 'api_key',
    keyId: row.key_id,
    companyId,
    company: printEnvironment(companyId),
    currency: row.currency,
    keyHash: row.key_hash,
    scopes: row.scopes,
    revoked: row.revoked,
    overlapEnds: asked + (row.overlap_left ?? Infinity),
    expires: asked + (row.expires_in ?? Infinity),
  };
}

async function readPlatformKey(manager: EntityManager, keyHash: Buffer): Promise<KnownKey | null> {
  const [row] = await manager.query<PlatformKeyRow[]>(READ_PLATFORM_KEY, [keyHash]);
  if (row === undefined) {
    return null;
  }
  const companyId = storedId('pkey', row.key_id);
  if (companyId === null) {
    throw new Error(`the key_id of a platform key is no identifier: ${row.key_id}`);
  }
  return {
    table: 'platform_key',
    keyId: row.key_id,
    companyId,
    platform: row.name,
    keyHash: row.key_hash,
    scopes: row.scopes,
    revoked: row.revoked,
    overlapEnds: Infinity,
    expires: Infinity,
  };
}
