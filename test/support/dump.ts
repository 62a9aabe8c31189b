import type { DataSource } from 'typeorm';

/** Every row of every table of a database, as text. */
export async function dump(dataSource: DataSource): Promise<string> {
  const tables = await dataSource.query<{ name: string }[]>(
    `SELECT relname::text AS name FROM pg_class
     WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`,
  );
  const rows = await Promise.all(
    tables.map(({ name }) => dataSource.query(`SELECT t::text FROM ${name} AS t`)),
  );
  return JSON.stringify(rows);
}
