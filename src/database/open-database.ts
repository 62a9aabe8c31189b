import { DataSource } from 'typeorm';
import { Env } from '../config/env';
import { createDataSource, isEmbedded } from './data-source';
import { migrateEmbedded, requireCurrentSchema } from './schema';

/**
 * A connected data source on a schema that this version can serve.
 *
 * @throws DirectoryLockedError, SchemaMismatchError, or the driver's error where the database
 *   cannot be reached
 */
export async function openDatabase(env: Env): Promise<DataSource> {
  const dataSource = createDataSource(env);
  try {
    await dataSource.initialize();
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
