import { randomInt } from 'node:crypto';
import { registerCompany } from '../support/client';
import { createTestDatabase } from '../support/databases';
import { figures } from '../support/figures';
import { PostgresCluster } from '../support/postgres-cluster';
import { build, RunningService, runService } from '../support/process';
import { WriteLoad } from '../support/write-load';

/** How often the service is killed. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 2);

/** Maximum milliseconds of a start. */
const START_LIMIT = 30_000;

interface Database {
  variables: NodeJS.ProcessEnv;
  drop(): Promise<void>;
}

const DATABASES: Record<string, () => Promise<Database>> = {
  'the embedded database': createTestDatabase,
  PostgreSQL: async () => {
    const cluster = await PostgresCluster.create();
    return { variables: { DATABASE_URL: cluster.url() }, drop: () => cluster.remove() };
  },
};

beforeAll(build);

describe.each(Object.entries(DATABASES))('a service on %s killed under load', (name, create) => {
  let database: Database;
  let service: RunningService;
  let load: WriteLoad | undefined;

  beforeEach(async () => {
    database = await create();
  });

  afterEach(async () => {
    await service.kill();
    await load?.stop();
    await database.drop();
  });

  it(`loses nothing in ${ROUNDS} kills, does nothing twice and starts cleanly`, async () => {
    const start = async () => {
      const started = performance.now();
      service = await runService(database.variables);
      expect((await service.client.get('/health/ready')).status).toBe(200);
      return performance.now() - started;
    };
    await start();
    const { api } = await registerCompany(service.client);
    load = new WriteLoad(api, { broken: true });
    let slowestStart = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      load.start();
      await load.acknowledge(randomInt(20, 400));
      service.process.kill('SIGKILL');
      await load.stop();
      expect(await service.stderr).toBe('');
      expect(await service.stdout).not.toMatch(/"level":"(warn|error|fatal)"/);
      slowestStart = Math.max(slowestStart, await start());
      load.moveTo(service.url);
      await load.resolve();
      await load.expectAllStored();
    }
    expect(slowestStart).toBeLessThan(START_LIMIT);
    const { acknowledged, replayed, redone } = load;
    figures(`kill -9 on ${name}`, {
      rounds: ROUNDS,
      acknowledged,
      replayed,
      redone,
      'slowest start (ms)': slowestStart,
    });
  });
});
