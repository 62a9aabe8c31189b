import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DataSource } from 'typeorm';
import { missingKeyFile, WITHOUT_KEY } from '../config/encryption-key';
import { addressOf } from '../config/database-url';
import { Env, InvalidEnvError } from '../config/env';
import { createDataSource, DataSourceSettings, Entities, isEmbedded } from './data-source';
import { waitForConnections } from './pool-limit';
import { requireUsableDatabase, UnusableDatabaseError } from './requirements';
import { migrateEmbedded, requireCurrentSchema } from './schema';

/** Major version of the embedded PostgreSQL, as its data directory states it. */
const EMBEDDED_VERSION = '18';

/** Minimum free bytes; with less, a start can fail because the disk is full. */
const ROOM_TO_START = 2 ** 20;

/** The service cannot connect to the configured database. */
export class DatabaseConnectionError extends Error {
  override name = 'DatabaseConnectionError';

  constructor({ DATABASE_URL, DATA_DIR }: Env, cause: unknown) {
    super(
      DATABASE_URL === undefined
        ? `The database in ${DATA_DIR} cannot be opened: ${reason(cause)}. ` + adviceFor(DATA_DIR)
        : `PostgreSQL at ${addressOf(DATABASE_URL)} cannot be used: ${reason(cause)}. ` +
            'Check DATABASE_URL and that the server is up.',
      { cause },
    );
  }
}

/** Says why PGlite cannot start; its own messages do not. */
function adviceFor(directory: string): string {
  const { bavail, bsize } = statfsSync(directory);
  if (bavail * bsize < ROOM_TO_START) {
    return 'Its disk is full: make room, then start again.';
  }
  const version = versionFile(directory);
  const writtenBy = existsSync(version) ? readFileSync(version, 'utf8').trim() : EMBEDDED_VERSION;
  if (writtenBy !== EMBEDDED_VERSION) {
    return (
      `It was written by PostgreSQL ${writtenBy}, and this version of the service embeds ${EMBEDDED_VERSION}. ` +
      'Nothing was changed. Start the version that wrote it, or set DATA_DIR to another directory.'
    );
  }
  return 'It may be damaged: restore a copy of the directory, or set DATA_DIR to another one.';
}

/** A host with several addresses fails with one error per address and no message of its own. */
function reason(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(reason).join(', ');
  }
  if (error instanceof Error) {
    return error.message;
  }
  // PGlite's file system throws objects that are not errors.
  return JSON.stringify(error);
}

/**
 * Returns a connected data source, whatever its schema.
 *
 * @throws DirectoryLockedError, DatabaseConnectionError, UnusableDatabaseError
 */
export async function connect(env: Env, settings: DataSourceSettings = {}): Promise<DataSource> {
  const dataSource = createDataSource(env, settings);
  try {
    await dataSource.initialize();
    waitForConnections(dataSource);
    await requireUsableDatabase(dataSource);
    return dataSource;
  } catch (error) {
    if (isEmbedded(env) || dataSource.isInitialized) {
      await dataSource.destroy();
    }
    throw error instanceof UnusableDatabaseError ? error : new DatabaseConnectionError(env, error);
  }
}

/** The file that says which version of PostgreSQL has written a data directory. */
const versionFile = (directory: string): string => join(directory, 'postgres', 'PG_VERSION');

/** Whether opening the database would create it. */
export function lacksDatabase(env: Env): boolean {
  return isEmbedded(env) && !existsSync(versionFile(env.DATA_DIR));
}

/**
 * Refuses a data directory without a database, where opening one would create it.
 *
 * @throws InvalidEnvError
 */
export function requireDatabase(env: Env): void {
  if (lacksDatabase(env)) {
    throw new InvalidEnvError(
      `There is no database in ${resolve(env.DATA_DIR)}. Set DATA_DIR to the data directory of the ` +
        'service.',
    );
  }
}

/**
 * Returns a connected data source whose schema this version can serve.
 *
 * @throws DirectoryLockedError, DatabaseConnectionError, UnusableDatabaseError, SchemaMismatchError
 */
export async function openDatabase(env: Env, entities: Entities): Promise<DataSource> {
  const dataSource = await connect(env, { entities });
  try {
    await (isEmbedded(env) ? migrateEmbedded(dataSource) : requireCurrentSchema(dataSource));
    return dataSource;
  } catch (error) {
    // Destroying a data source that never connected fails and would hide the cause.
    if (dataSource.isInitialized) {
      await dataSource.destroy();
    }
    throw error;
  }
}

/**
 * Refuses to serve a database that is encrypted with a key that is not there. The service would
 * generate another one.
 *
 * @throws InvalidEnvError
 */
export async function requireEncryptionKey(env: Env, dataSource: DataSource): Promise<void> {
  const missing = missingKeyFile(env);
  if (missing === null) {
    return;
  }
  const sealed = await dataSource.query<unknown[]>('SELECT name FROM sealed_key LIMIT 1');
  if (sealed.length > 0) {
    throw new InvalidEnvError(
      `The database in ${env.DATA_DIR} is encrypted with a key, and there is no ${missing}. ` +
        'Copy that file from the directory that the database is a copy of, or set ' +
        `ENCRYPTION_KEY. ${WITHOUT_KEY}`,
    );
  }
}
