import type { DataSource } from 'typeorm';

/** Approximate number of rows that one statement removes, so that no statement takes long. */
const BATCH = 1_000;

/** Rows that are kept for a time. */
interface Expiry {
  table: string;
  /** When a row's time begins; the column has an index. Rows with null never expire. */
  column: string;
  /** An interval in PostgreSQL's format. */
  age: string;
}

/**
 * Removes the rows that are older than their time, in batches. A batch is bounded by time, not by a
 * list of rows, so that one statement serves every shard of a distributed table. A row that was
 * renewed in the meantime is newer than the batch, and stays.
 *
 * @param stop ends the work after the current batch
 * @returns how many rows were removed
 */
export async function removeExpired(
  dataSource: DataSource,
  { table, column, age }: Expiry,
  stop?: AbortSignal,
): Promise<number> {
  const endOfBatch = `
    SELECT max(oldest.${column}) AS until FROM (
      SELECT expired.${column} FROM ${table} AS expired
      WHERE expired.${column} <= now() - interval '${age}'
      ORDER BY expired.${column}
      LIMIT ${BATCH}
    ) AS oldest`;
  let total = 0;
  let before: Date | undefined;
  for (;;) {
    const [{ until }] = await dataSource.query<[{ until: Date | null }]>(endOfBatch);
    // A row within the same millisecond can be left, and belongs to the next run.
    if (until === null || until.getTime() === before?.getTime()) {
      return total;
    }
    before = until;
    const [, removed] = await dataSource.query<[unknown, number]>(
      `DELETE FROM ${table} WHERE ${column} <= $1`,
      [until],
    );
    total += removed;
    if (stop?.aborted === true) {
      return total;
    }
  }
}
