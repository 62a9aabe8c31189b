import 'reflect-metadata';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { createApp } from './app.setup';
import { Env, InvalidEnvError, readEnvironment } from './platform/config/env';
import { isPortInUse, PortInUseError } from './platform/config/port-in-use';
import { databaseKind } from './platform/database/data-source';
import { DirectoryLockedError } from './platform/database/directory-lock';
import { DatabaseConnectionError } from './platform/database/open-database';
import { UnusableDatabaseError } from './platform/database/requirements';
import { SchemaMismatchError } from './platform/database/schema';
import { HealthService } from './platform/health/health.service';
import { DOCS_PATH } from './platform/openapi/pages';
import { createLogger } from './platform/logging/logger';

/*
 * V8 allocates objects among the old ones if most from the same place in the code have lived long.
 * In Node 20, this happens to the rows of query results, and until the next full collection, each
 * row that nobody needs any more keeps alive what it refers to. Collections took ten times as long.
 */
setFlagsFromString('--no-allocation-site-pretenuring');

/**
 * Milliseconds for requests in flight to finish after the service stops accepting new ones, and for
 * the whole shutdown after that moment. Together with the default `DRAIN_SECONDS`, this is less
 * than the 10 seconds after which container engines kill a process.
 */
const REQUESTS_LIMIT = 5_500;
const SHUTDOWN_LIMIT = 6_500;

async function main(): Promise<void> {
  const env = readEnvironment();
  const logger = createLogger(env);
  const starting = createApp(env, logger);
  stopOnSignal(starting, logger);
  const app = await starting;
  await app.listen(env.PORT, env.HOST).catch((error: unknown) => {
    throw isPortInUse(error) ? new PortInUseError('PORT', env.PORT, env.HOST) : error;
  });
  const url = await app.getUrl();
  logger.info(
    { url, docs: `${url}/${DOCS_PATH}`, database: databaseKind(env) },
    `Campaign Service is ready; try it at ${url}/${DOCS_PATH}`,
  );
}

/** Waits for a start in progress, so that nothing is left half open. */
function stopOnSignal(starting: Promise<NestFastifyApplication>, logger: Logger): void {
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // Under npm, Ctrl-C sends SIGINT twice: once from the terminal and once from npm.
      if (!stopping) {
        stopping = true;
        void starting.then((app) => shutDown(app, logger, signal));
      }
    });
  }
}

/**
 * Reports the service as not ready, accepts no new work, finishes what is in flight, closes the
 * pool and exits. After SIGTERM, load balancers have time to notice before connections are refused.
 * SIGINT comes from a person who is waiting, so it skips that time.
 */
async function shutDown(
  app: NestFastifyApplication,
  logger: Logger,
  signal: NodeJS.Signals,
): Promise<void> {
  logger.info({ signal }, 'stopping');
  app.get(HealthService).announceStop();
  if (signal === 'SIGTERM') {
    await delay(app.get(Env).DRAIN_SECONDS * 1_000);
  }
  setTimeout(() => {
    logger.warn('requests are still under way; stopping without them');
    app.getHttpServer().closeAllConnections();
  }, REQUESTS_LIMIT).unref();
  setTimeout(() => {
    logger.error('could not stop in time');
    process.exit(1);
  }, SHUTDOWN_LIMIT).unref();
  // By itself, Nest closes the server only after all background work.
  await Promise.all([app.getHttpAdapter().close(), app.close()]);
  logger.info('stopped');
  process.exit(0);
}

const EXPECTED = [
  PortInUseError,
  InvalidEnvError,
  DirectoryLockedError,
  DatabaseConnectionError,
  UnusableDatabaseError,
  SchemaMismatchError,
];

/** An error that the operator can fix needs no stack trace. */
function isExpected(error: unknown): boolean {
  return (
    EXPECTED.some((type) => error instanceof type) || (error instanceof Error && 'syscall' in error)
  );
}

main().catch((error: unknown) => {
  const expected = isExpected(error);
  const text = error instanceof Error ? (expected ? error.message : error.stack) : String(error);
  process.stderr.write(`The service cannot start.\n${text ?? ''}\n`);
  process.exit(1);
});
