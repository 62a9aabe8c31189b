import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Logger, pino } from 'pino';
import { DataSource } from 'typeorm';
import { createApp } from '../../src/app.setup';
import { Client } from './client';
import { createTestDatabase } from './databases';
import { testEnv } from './env';

/** A service under test, listening on a port of its own, on a database of its own. */
export interface TestService {
  app: NestFastifyApplication;
  dataSource: DataSource;
  /** A client without credentials. */
  client: Client;
  /** Stops the service and drops its database. */
  close(): Promise<void>;
}

interface Options {
  variables?: NodeJS.ProcessEnv;
  logger?: Logger;
  /** How long a client may take, in milliseconds. */
  timeouts?: Parameters<typeof createApp>[2];
}

/** A service that is stopped by no one who uses it. */
export type SharedService = Omit<TestService, 'close'>;

let shared: Promise<TestService> | undefined;

/**
 * The service that the features of one run share: each works with companies of its own, as tenants
 * do. Whoever needs a configuration or a database to themselves calls {@link startService}.
 */
export function sharedService(): Promise<SharedService> {
  shared ??= startService();
  return shared;
}

/** Stops the service that the features shared. */
export async function closeSharedService(): Promise<void> {
  await (await shared)?.close();
}

/** Starts the service as `main.ts` does: same pipeline, same configuration reader. */
export async function startService({
  variables = {},
  logger = pino({ level: 'silent' }),
  timeouts,
}: Options = {}): Promise<TestService> {
  const database = await createTestDatabase();
  const app = await createApp(testEnv({ ...database.variables, ...variables }), logger, timeouts);
  await app.listen(0, '127.0.0.1');
  return {
    app,
    dataSource: app.get(DataSource),
    client: new Client(await app.getUrl()),
    close: async () => {
      await app.close();
      await database.drop();
    },
  };
}
