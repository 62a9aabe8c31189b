import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { createApp } from './app.setup';
import { InvalidEnvError, readEnvironment } from './config/env';
import { isEmbedded } from './database/data-source';
import { DirectoryLockedError } from './database/directory-lock';
import { SchemaMismatchError } from './database/schema';
import { DOCS_PATH } from './http/openapi';
import { createLogger } from './logging/logger';

/** Milliseconds that requests under way are given to finish. */
const SHUTDOWN_LIMIT = 10_000;

async function main(): Promise<void> {
  const env = readEnvironment();
  const logger = createLogger(env);
  const app = await createApp(env, logger);
  await app.listen(env.PORT, env.HOST);
  const url = await app.getUrl();
  logger.info(
    { url, docs: `${url}/${DOCS_PATH}`, database: isEmbedded(env) ? 'embedded' : 'postgresql' },
    `Campaign Service is ready; try it at ${url}/${DOCS_PATH}`,
  );
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void shutDown(app, logger, signal));
  }
}

/** Takes no new work, finishes what is under way, closes the pool and exits. */
async function shutDown(
  app: NestFastifyApplication,
  logger: Logger,
  signal: NodeJS.Signals,
): Promise<void> {
  logger.info({ signal }, 'stopping');
  setTimeout(() => {
    logger.error('requests were still under way; stopping without them');
    process.exit(1);
  }, SHUTDOWN_LIMIT).unref();
  await app.close();
  logger.info('stopped');
  process.exit(0);
}

/** What an operator can mend needs no stack trace. */
const EXPECTED = [InvalidEnvError, DirectoryLockedError, SchemaMismatchError];

main().catch((error: unknown) => {
  const expected = EXPECTED.some((type) => error instanceof type);
  const text = error instanceof Error ? (expected ? error.message : error.stack) : String(error);
  process.stderr.write(`The service cannot start.\n${text ?? ''}\n`);
  process.exit(1);
});
