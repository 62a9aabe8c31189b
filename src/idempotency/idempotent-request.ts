import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import stringify from 'safe-stable-stringify';
import { ApiError } from '../http/api-error';

/** 1 to 255 visible characters. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** A request that may be sent again with the same key. */
export interface IdempotentRequest {
  /** Whose key it is. */
  scope: string;
  key: string;
  /** Method and pattern of the route. */
  route: string;
  /** SHA-256 of the body's canonical JSON, so of what it says rather than of how. */
  fingerprint: Buffer;
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/**
 * Keys belong to a company. On the public routes they belong to the e-mail address of the request,
 * so that two strangers who choose the same key do not meet.
 */
function scopeOf({ principal, body }: FastifyRequest): string {
  if (principal !== undefined) {
    return principal.companyId;
  }
  const { email } = (body ?? {}) as { email?: unknown };
  const address = typeof email === 'string' ? email.trim().toLowerCase() : '';
  return `email:${sha256(address).toString('base64url')}`;
}

/**
 * What a request says about being repeated; `undefined` where it carries no `Idempotency-Key`.
 *
 * @throws ApiError `validation_failed` if the key is not one
 */
export function readIdempotentRequest(request: FastifyRequest): IdempotentRequest | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) {
    return undefined;
  }
  if (typeof key !== 'string' || !KEY.test(key)) {
    const message = 'Idempotency-Key must be 1 to 255 visible ASCII characters.';
    throw new ApiError('validation_failed', message, [
      { field: 'Idempotency-Key', code: 'invalid_key', message },
    ]);
  }
  return {
    scope: scopeOf(request),
    key,
    route: `${request.method} ${request.routeOptions.url}`,
    fingerprint: sha256(stringify(request.body) ?? ''),
  };
}
