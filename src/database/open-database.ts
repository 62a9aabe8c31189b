import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { Env } from '../config/env';
import { createDataSource, isEmbedded } from './data-source';
import { migrateEmbedded, requireCurrentSchema } from './schema';

/** Major version of the PostgreSQL that is embedded, as its directories are marked with it. */
const EMBEDDED_VERSION = '18';

/** Bytes below which a start can fail for want of room. */
const ROOM_TO_START = 2 ** 20;

/** The configured database cannot be connected to. */
export class DatabaseConnectionError extends Error {
  override name = 'DatabaseConnectionError';

  constructor({ DATABASE_URL, DATA_DIR }: Env, cause: unknown) {
    super(
      DATABASE_URL === undefined
        ? `The database in ${DATA_DIR} cannot be opened: ${reason(cause)}. ` + adviceFor(DATA_DIR)
        : `PostgreSQL at ${place(DATABASE_URL)} cannot be used: ${reason(cause)}. ` +
            'Check DATABASE_URL and that the server is up.',
      { cause },
    );
  }
}

/** PGlite's own messages do not say why it cannot start. */
function adviceFor(directory: string): string {
  const { bavail, bsize } = statfsSync(directory);
  if (bavail * bsize < ROOM_TO_START) {
    return 'Its disk is full: make room, then start again.';
  }
  const version = join(directory, 'postgres', 'PG_VERSION');
  const writtenBy = existsSync(version) ? readFileSync(version, 'utf8').trim() : EMBEDDED_VERSION;
  if (writtenBy !== EMBEDDED_VERSION) {
    return (
      `It was written by PostgreSQL ${writtenBy}, and this version of the service embeds ${EMBEDDED_VERSION}. ` +
      'Nothing was changed. Start the version that wrote it, or set DATA_DIR to another directory.'
    );
  }
  return 'It may be damaged: restore a copy of the directory, or set DATA_DIR to another one.';
}

/** Without the URL's user and password. */
function place(url: string): string {
  const { host, pathname } = new URL(url);
  return host + pathname;
}

/** A host with several addresses fails with an error for each and no message of its own. */
function reason(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(reason).join(', ');
  }
  if (error instanceof Error) {
    return error.message;
  }
  // PGlite's file system throws objects that are no errors.
  return JSON.stringify(error);
}

/**
 * A connected data source, whatever schema it has.
 *
 * @param limits whether the timeouts of a serving process apply
 * @throws DirectoryLockedError, DatabaseConnectionError
 */
export async function connect(env: Env, { limits = true } = {}): Promise<DataSource> {
  const dataSource = createDataSource(env, { limits });
  try {
    return await dataSource.initialize();
  } catch (error) {
    if (isEmbedded(env)) {
      await dataSource.destroy();
    }
    throw new DatabaseConnectionError(env, error);
  }
}

/**
 * A connected data source on a schema that this version can serve.
 *
 * @throws DirectoryLockedError, DatabaseConnectionError, SchemaMismatchError
 */
export async function openDatabase(env: Env): Promise<DataSource> {
  const dataSource = await connect(env);
  try {
    await (isEmbedded(env) ? migrateEmbedded(dataSource) : requireCurrentSchema(dataSource));
    return dataSource;
  } catch (error) {
    // What never connected cannot be closed, and trying to would hide why.
    if (dataSource.isInitialized) {
      await dataSource.destroy();
    }
    throw error;
  }
}
