import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { createApp } from '../../src/app.setup';
import { Env } from '../../src/platform/config/env';
import { createDataSource } from '../../src/platform/database/data-source';
import { createLogger } from '../../src/platform/logging/logger';
import { BackgroundJobs } from '../../src/platform/scheduling/background-jobs.service';
import { Client, registrations } from './client';
import { createTestDatabase } from './databases';
import { testEnv } from './env';
import { TestLog } from './log';
import { registerWithin } from './registration';
import { recordRoutes, ServedRoute } from './routes';

/** A service under test, on a port and a database of its own. */
export interface TestService {
  app: NestFastifyApplication;
  dataSource: DataSource;
  /** A client without credentials. */
  client: Client;
  /** What the service logs at its LOG_LEVEL, which is `silent` by default. */
  log: TestLog;
  /** Every route that it serves. */
  routes: ServedRoute[];
  /** Stops the service and drops its database. */
  close(): Promise<void>;
}

interface Options {
  variables?: NodeJS.ProcessEnv;
  /** The timeouts of a client, in milliseconds. */
  timeouts?: Parameters<typeof createApp>[2];
}

/** A service that the test cannot stop. */
export type SharedService = Omit<TestService, 'close'>;

let shared: TestService;

/**
 * The service that the files of a suite share; each uses its own companies. A test that needs its
 * own configuration or database calls {@link startService}.
 */
export let service: SharedService;

/** Starts the shared service of a suite, before its first test. */
export async function startSharedService(variables: NodeJS.ProcessEnv): Promise<void> {
  shared = await startService({ variables });
  service = shared;
}

/** Stops the shared service. */
export const closeSharedService = (): Promise<void> => shared.close();

/** Starts the service as `main.ts` does: the same pipeline and the same configuration reader. */
export async function startService({
  variables = {},
  timeouts,
}: Options = {}): Promise<TestService> {
  const database = await createTestDatabase();
  const env = testEnv({ ...database.variables, ...variables });
  const log = new TestLog();
  const { result: app, routes } = await recordRoutes(() =>
    createApp(env, createLogger(env, log), timeouts),
  );
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  registerWithin(app, url);
  return {
    app,
    dataSource: app.get(DataSource),
    client: new Client(url),
    log,
    routes,
    close: async () => {
      registrations.delete(url);
      await app.close();
      await database.drop();
    },
  };
}

/**
 * Starts a service for all tests of a `describe`, and stops it after them.
 *
 * @returns an object that a hook fills in
 */
export function serviceForAll(options?: Options): TestService {
  const service = {} as TestService;
  beforeAll(async () => {
    Object.assign(service, await startService(options));
  });
  afterAll(() => service.close());
  return service;
}

/**
 * Connects to the service's database without the time limits of a request, to write much data on a
 * busy machine. The database must be a server.
 */
export async function unhurried<T>(
  { app }: SharedService,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  const dataSource = createDataSource(app.get(Env), { limits: false });
  await dataSource.initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/**
 * Closes the database under a service that goes on. Its background work ends first: a pool that
 * ends forgets what waits for a connection, and the service could never stop.
 */
export async function disconnectDatabase({ app, dataSource }: SharedService): Promise<void> {
  await app.get(BackgroundJobs).beforeApplicationShutdown();
  await dataSource.destroy();
}
