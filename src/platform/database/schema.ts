import { DataSource, MigrationExecutor } from 'typeorm';
import type { Querying } from './citus';
import { pendingFunctions, replaceFunctions } from './functions';
import { migrations } from './migrations/index';

/** Key of the advisory lock that lets one process migrate at a time. */
const MIGRATION_LOCK = 7_301_954_221;

/** The stored schema does not fit this version of the service. */
export class SchemaMismatchError extends Error {
  override name = 'SchemaMismatchError';
}

const known: readonly string[] = migrations.map(({ name }) => name);

/** Returns the migrations that were applied to the database, oldest first. */
export async function appliedMigrations(database: Querying): Promise<string[]> {
  const [{ exists }] = (await database.query(
    `SELECT to_regclass('migrations') IS NOT NULL AS "exists"`,
  )) as [{ exists: boolean }];
  if (!exists) {
    return [];
  }
  const rows = (await database.query('SELECT name FROM migrations ORDER BY id')) as {
    name: string;
  }[];
  return rows.map(({ name }) => name);
}

/** Returns the migrations of this version that were not yet applied, oldest first. */
export async function pendingMigrations(database: Querying): Promise<string[]> {
  const applied = new Set(await appliedMigrations(database));
  return known.filter((name) => !applied.has(name));
}

/** Returns the migrations that a newer version has applied. */
async function laterMigrations(database: Querying): Promise<string[]> {
  return (await appliedMigrations(database)).filter((name) => !known.includes(name));
}

/**
 * Refuses a PostgreSQL schema that is behind. A schema that is ahead is accepted, because a rolling
 * upgrade runs the new version's migration first.
 *
 * @throws SchemaMismatchError
 */
export async function requireCurrentSchema(dataSource: DataSource): Promise<void> {
  const migrations = await pendingMigrations(dataSource);
  const pending = migrations.length > 0 ? migrations : await pendingFunctions(dataSource);
  if (pending.length > 0) {
    throw new SchemaMismatchError(
      `The database schema is behind this version of the service: ${pending.join(', ')} not applied. ` +
        'Run "npm run migrate" against this database, then start again.',
    );
  }
}

/**
 * The databases of which new ones are made, which never happens here. No vacuum reaches them, and
 * with them the embedded database would end after 2^31 transactions.
 */
const TEMPLATES = `
  SELECT quote_ident(datname) AS name, datistemplate AS "isTemplate"
  FROM pg_database WHERE datname <> current_database()`;

async function dropTemplates(dataSource: DataSource): Promise<void> {
  const templates = await dataSource.query<{ name: string; isTemplate: boolean }[]>(TEMPLATES);
  for (const { name, isTemplate } of templates) {
    // One whose drop was interrupted can only be dropped.
    if (isTemplate) {
      await dataSource.query(`ALTER DATABASE ${name} IS_TEMPLATE false`);
    }
    await dataSource.query(`DROP DATABASE ${name}`);
  }
}

/**
 * Brings the embedded database up to date, at each start.
 *
 * @throws SchemaMismatchError if a newer version of the service has written the directory
 */
export async function migrateEmbedded(dataSource: DataSource): Promise<string[]> {
  const later = await laterMigrations(dataSource);
  if (later.length > 0) {
    throw new SchemaMismatchError(
      `The data directory was written by a newer version of the service (${later.join(', ')}). ` +
        'Nothing was changed. Start that version, or set DATA_DIR to another directory.',
    );
  }
  const applied = await migratePostgres(dataSource);
  await dropTemplates(dataSource);
  return applied;
}

/**
 * Brings a PostgreSQL database up to date: applies the pending migrations, then replaces the
 * functions that changed, in one transaction. Several processes may call it at once: one migrates,
 * and the others wait and find nothing left to do. The functions of a newer version stay.
 *
 * @returns the names of the migrations and functions
 */
export async function migratePostgres(dataSource: DataSource): Promise<string[]> {
  return dataSource.transaction(async (manager) => {
    await manager.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const executor = new MigrationExecutor(dataSource, manager.queryRunner);
    executor.transaction = 'all';
    const applied = (await executor.executePendingMigrations()).map(({ name }) => name);
    const isAhead = (await laterMigrations(manager)).length > 0;
    return isAhead ? applied : [...applied, ...(await replaceFunctions(manager))];
  });
}
