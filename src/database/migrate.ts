import 'reflect-metadata';
import { readEnvironment } from '../config/env';
import { createLogger } from '../logging/logger';
import { isEmbedded } from './data-source';
import { connect } from './open-database';
import { migrateEmbedded, migratePostgres } from './schema';

/** `npm run migrate`: brings the configured database up to date. */
async function migrate(): Promise<void> {
  const env = readEnvironment({ serving: false });
  const logger = createLogger(env);
  const dataSource = await connect(env, { limits: false });
  try {
    const applied = await (isEmbedded(env) ? migrateEmbedded : migratePostgres)(dataSource);
    logger.info({ applied }, applied.length > 0 ? 'schema migrated' : 'schema is up to date');
  } finally {
    await dataSource.destroy();
  }
}

migrate().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
