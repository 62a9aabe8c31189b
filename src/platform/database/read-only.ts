import type { Querying } from './citus';

/** SQLSTATE of a write on a server that is a standby, or read-only for another reason. */
const READ_ONLY = '25006';

/** Takes no lock, for which it could wait. */
const READ = `SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly"`;

/** Whether a statement failed because the server is read-only. */
export function isReadOnlyError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === READ_ONLY;
}

/** Returns whether the server is read-only, as a primary is after a failover. */
export async function isReadOnly(database: Querying): Promise<boolean> {
  const [row] = (await database.query(READ)) as [{ isReadOnly: boolean }];
  return row.isReadOnly;
}
