import type { EntityManager, Repository } from 'typeorm';
import { generateKey, hashKey, keyPrefix } from '../credential-keys/key-format.rules';
import { withConstraints } from '../../platform/database/constraint-violation';
import { newId } from '../../platform/database/identifiers';
import { columnList, insertRow, toEntity } from '../../platform/database/rows';
import { checkText } from '../../platform/validation/fields/text.fields';
import { normalizeText } from '../../platform/validation/fields/unicode';
import { PlatformKey } from './platform-key.entity';
import { PLATFORM_SCOPES, PlatformScope } from './platform-scopes';

const NAME_MAXIMUM = 100;

/**
 * The keys of platforms, for the operator's command. No route manages them.
 */
export class PlatformKeyService {
  private readonly keys: Repository<PlatformKey>;

  constructor(manager: EntityManager) {
    this.keys = manager.getRepository(PlatformKey);
  }

  /**
   * Generates a key. The secret is returned this once.
   *
   * @param scopes every scope by default
   * @throws Error if the name or the scopes are not valid
   */
  async generate(
    name: string,
    scopes: readonly string[] = PLATFORM_SCOPES,
  ): Promise<{ key: PlatformKey; secret: string }> {
    const text = normalizeText(name.trim());
    const [problem] = checkText(text, NAME_MAXIMUM);
    if (problem !== undefined) {
      throw new Error(`The name ${problem.message}.`);
    }
    const secret = generateKey('platform');
    const key = await withConstraints(
      () =>
        insertRow(this.keys, {
          keyId: newId('pkey'),
          keyHash: hashKey(secret),
          prefix: keyPrefix(secret),
          name: text,
          // The database refuses any other.
          scopes: scopes as PlatformScope[],
        }),
      {
        platform_key_scopes_known: () =>
          new Error(`The scopes are ${PLATFORM_SCOPES.join(', ')}; a key has at least one.`),
      },
    );
    return { key, secret };
  }

  /** Returns every key, oldest first, revoked ones included. */
  list(): Promise<PlatformKey[]> {
    return this.keys.find({ order: { createdAt: 'ASC', keyId: 'ASC' } });
  }

  /**
   * Revokes a key: every process refuses it within a second. A key that is already revoked stays as
   * it is.
   *
   * @throws Error if there is no such key
   */
  async revoke(keyId: string): Promise<PlatformKey> {
    const [[row]] = await this.keys.query<[Record<string, unknown>[], number]>(
      `UPDATE platform_key SET revoked_at = coalesce(revoked_at, now()) WHERE key_id = $1
       RETURNING ${columnList(this.keys)}`,
      [keyId],
    );
    if (row === undefined) {
      throw new Error(`There is no platform key ${keyId}.`);
    }
    return toEntity(this.keys, row);
  }
}
