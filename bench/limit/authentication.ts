import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { hashKey, isWellFormedKey } from '../api-keys';
import { Refusal } from './answers';
import { run } from './statements';

interface Key {
  key_id: string;
  company_id: string;
  /** The name of the platform; null for a company's key. */
  platform: string | null;
  key_hash: Buffer;
  scopes: string[];
  expires_at: Date | null;
  revoked_at: Date | null;
}

/** Milliseconds for which a cached key is used, as in the service. */
const TIME_TO_LIVE = 900;

const cache = new Map<string, { key: Key; until: number }>();

/** Who sends a request. */
export interface Caller {
  companyId: string;
  keyId: string;
  /** The name of the platform; null for a company. */
  platform: string | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    errorCode: string | null;
  }
}

/** Runs after the body is parsed and before it is validated. */
export const withScope = (scope: string) => ({
  preValidation: async (request: FastifyRequest) => {
    const key = await authenticate(request, scope);
    request.caller = { companyId: key.company_id, keyId: key.key_id, platform: key.platform };
  },
});

/** The caller of a route with a scope. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) {
    throw new Error('a route has no scope');
  }
  return request.caller;
}

/** Authenticates the caller with the same checks, in the same order, as the service's guard. */
async function authenticate(request: FastifyRequest, scope: string): Promise<Key> {
  const secret = request.headers['x-api-key'];
  if (typeof secret !== 'string' || secret === '') {
    throw new Refusal(401, 'api_key_missing', 'The X-API-Key header is missing.');
  }
  const invalid = () => new Refusal(401, 'api_key_invalid', 'The API key is not valid.');
  if (!isWellFormedKey(secret)) {
    throw invalid();
  }
  const hash = hashKey(secret);
  const key = await cached(hash, secret.startsWith('cpk_') ? 'find_platform_key' : 'find_key');
  if (key === undefined || !timingSafeEqual(key.key_hash, hash)) {
    throw invalid();
  }
  if (isPast(key.revoked_at)) {
    throw new Refusal(401, 'api_key_revoked', 'The API key has been revoked.');
  }
  if (isPast(key.expires_at)) {
    throw new Refusal(401, 'api_key_expired', 'The API key has expired.');
  }
  if (!key.scopes.includes(scope)) {
    throw new Refusal(403, 'insufficient_scope', `This API key does not have ${scope}.`);
  }
  return key;
}

async function cached(
  hash: Buffer,
  find: 'find_key' | 'find_platform_key',
): Promise<Key | undefined> {
  const digest = hash.toString('base64');
  const found = cache.get(digest);
  if (found !== undefined && found.until > performance.now()) {
    return found.key;
  }
  const key = await run<Key & Record<string, unknown>>(find, [hash]);
  if (key !== undefined) {
    cache.set(digest, { key, until: performance.now() + TIME_TO_LIVE });
  }
  return key;
}

function isPast(moment: Date | null): boolean {
  return moment !== null && moment.getTime() <= Date.now();
}
