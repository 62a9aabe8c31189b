import type { Querying } from './citus';

/** SQLSTATE of a write on a server that is a standby, or read-only for another reason. */
const READ_ONLY = '25006';

/** Locks no row, but fails as a write does. */
const LOCK = 'SELECT FROM lease WHERE false FOR UPDATE';

/** Whether a statement failed because the server is read-only. */
export function isReadOnlyError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === READ_ONLY;
}

/**
 * Returns whether the server is read-only, as a primary is after a failover. The connection then
 * closes, so that the next one resolves the server's name again.
 */
export async function isReadOnly(database: Querying): Promise<boolean> {
  try {
    await database.query(LOCK);
    return false;
  } catch (error) {
    if (isReadOnlyError(error)) {
      return true;
    }
    throw error;
  }
}
