import { isNativeError } from 'node:util/types';
import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';

/** PostgreSQL error classes and codes that say "not now" rather than "wrong". */
const UNAVAILABLE_SQLSTATE = /^(08|53|40001|40P01|57P0[1-5]|57014|55P03|25006|25P03)/;

/**
 * What refuses a connection: the database does not exist or lets no one in, or the role is not
 * accepted. Of a statement the same codes say that it is wrong.
 */
const REFUSED_CONNECTION = /^(28|3D000|55000)/;

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
  // What TypeORM says of the next statement when a connection was lost in the middle of a transaction.
  if (
    error instanceof QueryRunnerAlreadyReleasedError ||
    error instanceof QueryRunnerProviderAlreadyReleasedError
  ) {
    return true;
  }
  const { code } = error as Error & { code?: unknown };
  if (typeof code === 'string') {
    return (
      UNAVAILABLE_SQLSTATE.test(code) ||
      UNAVAILABLE_SYSTEM_CODES.has(code) ||
      // TypeORM wraps the errors of statements, and no others.
      (REFUSED_CONNECTION.test(code) && !(error instanceof QueryFailedError))
    );
  }
  return UNAVAILABLE_MESSAGE.test(error.message);
}
