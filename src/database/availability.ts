import { isNativeError } from 'node:util/types';

/** PostgreSQL error classes and codes that say "not now" rather than "wrong". */
const UNAVAILABLE_SQLSTATE = /^(08|53|40001|40P01|57P0[1-5]|57014|55P03|25006|25P03)/;

const UNAVAILABLE_SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** What the drivers and TypeORM say of connection trouble for which they have no code. */
const UNAVAILABLE_MESSAGE =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|client has encountered a connection error|client was closed|driver not connected|pglite is clos(ed|ing)/i;

/**
 * Whether an error means that the database could not be reached or could not take the work, so
 * that the same request may well succeed a little later.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!isNativeError(error)) {
    return false;
  }
  const { code } = error as Error & { code?: unknown };
  if (typeof code === 'string') {
    return UNAVAILABLE_SQLSTATE.test(code) || UNAVAILABLE_SYSTEM_CODES.has(code);
  }
  return UNAVAILABLE_MESSAGE.test(error.message);
}
