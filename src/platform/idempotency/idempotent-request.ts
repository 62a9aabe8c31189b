import type { FastifyRequest } from 'fastify';
import stringify from 'safe-stable-stringify';
import { fieldError } from '../protocol/api-error';
import type { StoredId } from '../database/identifiers';

/** 1 to 255 visible characters. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** A request with an `Idempotency-Key`, unencrypted. */
export interface IdempotentRequest {
  /** The owner of the key. */
  scope: string;
  /** Whose rows the record is kept beside; absent on a public route. */
  companyId?: StoredId;
  key: string;
  /** Method and pattern of the route. */
  route: string;
  /** What a repeated request must have in common with the first one, besides its route. */
  content: readonly string[];
}

/**
 * A key belongs to a company, or to a platform's key. On a public route it belongs to the route and
 * the email address in the body, so that a stranger's use of the same key has no effect.
 */
function scopeOf({ principal, body }: FastifyRequest, route: string): string {
  if (principal !== undefined) {
    return `company ${principal.company ?? principal.keyId}`;
  }
  const { email } = (body ?? {}) as { email?: unknown };
  const address = typeof email === 'string' ? email.trim().toLowerCase() : '';
  return `${route} ${address}`;
}

/** @throws ApiError `validation_failed` if the key is malformed */
export function readIdempotentRequest(request: FastifyRequest): IdempotentRequest {
  const { 'idempotency-key': key, 'if-match': ifMatch } = request.headers;
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw fieldError(
      'Idempotency-Key',
      'invalid_key',
      'Idempotency-Key must be 1 to 255 visible ASCII characters.',
    );
  }
  const route = `${request.method} ${request.routeOptions.url}`;
  return {
    scope: scopeOf(request, route),
    companyId: request.principal?.callerId,
    key,
    route,
    // Canonical JSON: equal content matches, however it is formatted.
    content: [JSON.stringify(ifMatch ?? null), stringify(request.body) ?? ''],
  };
}
