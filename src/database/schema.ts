import { DataSource } from 'typeorm';
import { migrations } from './migrations';

/** Key of the advisory lock that lets one process migrate at a time. */
const MIGRATION_LOCK = 7_301_954_221;

/** The stored schema does not fit this version of the service. */
export class SchemaMismatchError extends Error {
  override name = 'SchemaMismatchError';
}

const known: readonly string[] = migrations.map(({ name }) => name);

/** Returns the migrations that were applied to the database, oldest first. */
export async function appliedMigrations(dataSource: DataSource): Promise<string[]> {
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

/** Returns the migrations of this version that were not yet applied, oldest first. */
export async function pendingMigrations(dataSource: DataSource): Promise<string[]> {
  const applied = new Set(await appliedMigrations(dataSource));
  return known.filter((name) => !applied.has(name));
}

/**
 * Refuses a PostgreSQL schema that is behind. A schema that is ahead is accepted, because a rolling
 * upgrade runs the new version's migration first.
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
 * Brings a PostgreSQL database up to date. Several processes may call it at once: one migrates, and
 * the others wait and find nothing left to do.
 */
export async function migratePostgres(dataSource: DataSource): Promise<string[]> {
  const lock = dataSource.createQueryRunner();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await dataSource.runMigrations({ transaction: 'each' });
    return applied.map(({ name }) => name);
  } finally {
    // Closing the session releases the lock, even if a statement above failed.
    await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await lock.release();
  }
}
