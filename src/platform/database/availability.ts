import { isNativeError } from 'node:util/types';
import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';

/** PostgreSQL error classes and codes for a temporary failure. */
const UNAVAILABLE_SQLSTATE = /^(08|53|40001|40P01|57P0[1-5]|57014|55P03|25006|25P03)/;

/**
 * Codes with which the server refuses a connection: the database does not exist or accepts no
 * connections, or the role is refused. As the error of a statement, the same codes mean that the
 * statement is wrong.
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

/** Messages of the drivers and TypeORM for connection failures without a code. */
const UNAVAILABLE_MESSAGE =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|client has encountered a connection error|client was closed|driver not connected|cannot use a pool after calling end|pglite is clos(ed|ing)/i;

const INTERNAL_ERROR = 'XX000';

/** Messages of a Citus coordinator, or of libpq in it, for a lost worker. Their code is XX000. */
const NODE_LOST =
  /^(failure on connection marked as essential|could not commit transaction for shard|failed to prepare transaction|execution cannot recover from multiple connection failures|server closed the connection|connection not open|no connection to the server|could not (send|receive) data|SSL (SYSCALL error|connection has been closed))/;

/** Codes of statements that ran too long, or lost to another one: the database itself is well. */
const STATEMENT_LOST = new Set(['40001', '40P01', '55P03', '57014']);

/** SQLSTATE of a statement that waited too long for a lock. */
const LOCK_NOT_AVAILABLE = '55P03';

/** Whether a statement waited too long for a row that other work holds. */
export function isLockTimeout(error: unknown): boolean {
  return (
    error instanceof QueryFailedError && (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE
  );
}

/** Whether an error concerns one statement and what else used its rows, not the database. */
export function isStatementLost(error: unknown): boolean {
  return (
    error instanceof QueryFailedError &&
    STATEMENT_LOST.has(String((error as { code?: unknown }).code))
  );
}

/**
 * Whether an error means that the database is unreachable or overloaded, so that the same request
 * may succeed later.
 */
export function isDatabaseUnavailable(error: unknown): error is Error {
  if (!isNativeError(error)) {
    return false;
  }
  // TypeORM throws these for the first statement after a connection was lost in a transaction.
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
      (code === INTERNAL_ERROR && NODE_LOST.test(error.message)) ||
      // TypeORM wraps errors of statements, but not errors of connections.
      (REFUSED_CONNECTION.test(code) && !(error instanceof QueryFailedError))
    );
  }
  return UNAVAILABLE_MESSAGE.test(error.message);
}

/** Why the database is unavailable, in one line: the code, if there is one, and the message. */
export function describeUnavailable(error: Error): string {
  const { code, message } = error as Error & { code?: unknown };
  return typeof code === 'string' && code !== '' ? `${code} ${message}` : message;
}
