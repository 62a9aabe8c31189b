import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Logger, pino } from 'pino';
import { DataSource } from 'typeorm';
import { createApp } from '../../src/app.setup';
import { Client } from './client';
import { createTestDatabase } from './databases';
import { testEnv } from './env';

/** A service under test, on a port and a database of its own. */
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
  /** The timeouts of a client, in milliseconds. */
  timeouts?: Parameters<typeof createApp>[2];
}

/** A service that the test cannot stop. */
export type SharedService = Omit<TestService, 'close'>;

let shared: Promise<TestService> | undefined;

/**
 * Returns the service that the files of a suite share; each uses its own companies. A test that
 * needs its own configuration or database calls {@link startService}.
 */
export function sharedService(): Promise<SharedService> {
  shared ??= startService();
  return shared;
}

/** Stops the shared service. */
export async function closeSharedService(): Promise<void> {
  await (await shared)?.close();
}

/** Starts the service as `main.ts` does: the same pipeline and the same configuration reader. */
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
