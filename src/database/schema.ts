import { DataSource } from 'typeorm';
import { migrations } from './migrations';

/** Key of the advisory lock that lets one process migrate at a time. */
const MIGRATION_LOCK = 7_301_954_221;

/** The stored schema is not the one this version of the service works on. */
export class SchemaMismatchError extends Error {
  override name = 'SchemaMismatchError';
}

const known: readonly string[] = migrations.map(({ name }) => name);

async function appliedMigrations(dataSource: DataSource): Promise<string[]> {
  const [{ exists }] = await dataSource.query<[{ exists: boolean }]>(
    `SELECT to_regclass('migrations') IS NOT NULL AS "exists"`,
  );
  if (!exists) {
    return [];
  }
  const rows = await dataSource.query<{ name: string }[]>(
    'SELECT name FROM migrations ORDER BY id',
  );
  return rows.map(({ name }) => name);
}

/** The migrations of this version that the database has yet to see, oldest first. */
export async function pendingMigrations(dataSource: DataSource): Promise<string[]> {
  const applied = new Set(await appliedMigrations(dataSource));
  return known.filter((name) => !applied.has(name));
}

/**
 * Refuses a PostgreSQL schema that is behind. One that is ahead is served: during a rolling
 * upgrade the new version's migration runs first.
 *
 * @throws SchemaMismatchError
 */
export async function requireCurrentSchema(dataSource: DataSource): Promise<void> {
  const pending = await pendingMigrations(dataSource);
  if (pending.length > 0) {
    throw new SchemaMismatchError(
      `The database schema is behind this version of the service: ${pending.join(', ')} not applied. ` +
        'Run "npm run migrate" against this database, then start again.',
    );
  }
}

/**
 * Brings the embedded database up to date, at each start.
 *
 * @throws SchemaMismatchError if a newer version of the service has written the directory
 */
export async function migrateEmbedded(dataSource: DataSource): Promise<string[]> {
  const unknown = (await appliedMigrations(dataSource)).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new SchemaMismatchError(
      `The data directory was written by a newer version of the service (${unknown.join(', ')}). ` +
        'Nothing was changed. Start that version, or set DATA_DIR to another directory.',
    );
  }
  const applied = await dataSource.runMigrations({ transaction: 'each' });
  return applied.map(({ name }) => name);
}

/**
 * Brings a PostgreSQL database up to date. Several processes may call it at once: one migrates,
 * the others wait and find nothing left to do.
 */
export async function migratePostgres(dataSource: DataSource): Promise<string[]> {
  const lock = dataSource.createQueryRunner();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await dataSource.runMigrations({ transaction: 'each' });
    return applied.map(({ name }) => name);
  } finally {
    // Closing the session frees the lock, also where the statement above failed.
    await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await lock.release();
  }
}
