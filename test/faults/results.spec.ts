import type { DataSource } from 'typeorm';
import { entities } from '../../src/entities';
import { createDataSource } from '../../src/database/data-source';
import { PlatformKeyService } from '../../src/platform-key/platform-key.service';
import { Client, registerCompany, TestCompany } from '../support/client';
import { TEST_JWT_SECRET, testEnv } from '../support/env';
import { eventually } from '../support/eventually';
import { liveSurvey } from '../support/fielding';
import { figures } from '../support/figures';
import { PostgresCluster } from '../support/postgres-cluster';
import { build, RunningService, runService } from '../support/process';
import { recount, resultsOf, tallied } from '../support/recount';
import { RespondentLoad } from '../support/respondents';

/** How often an instance is killed in the middle of a fold. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 3);

/** Responses between two kills. */
const BETWEEN = 60;

/** Ends the sessions that fold, once there is one that has begun to write. */
const KILL_FOLDS = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND query LIKE '%fold_responses%'
    AND wait_event_type = 'Lock' AND wait_event = 'relation'`;

beforeAll(build);

describe('results under faults', () => {
  let cluster: PostgresCluster;
  let database: DataSource;
  let instances: RunningService[] = [];
  let company: TestCompany;

  const start = () => runService({ DATABASE_URL: cluster.url(), JWT_SECRET: TEST_JWT_SECRET });

  beforeAll(async () => {
    cluster = await PostgresCluster.create();
    instances = [await start(), await start()];
    database = createDataSource(testEnv({ DATABASE_URL: cluster.url() }), { entities });
    await database.initialize();
    company = await registerCompany(instances[0]!.client);
  });

  afterAll(async () => {
    await database.destroy();
    for (const { process, exitCode } of instances) {
      process.kill('SIGKILL');
      await exitCode;
    }
    await cluster.remove();
  });

  it('count every response once while instances are killed in the middle of a fold', async () => {
    const { secret } = await new PlatformKeyService(database.manager).generate('app');
    const clients = () => instances.map(({ url }) => new Client(url).withKey(secret));
    const cap = BETWEEN * (ROUNDS + 1);
    const postId = await liveSurvey(company, { max_responses: cap });
    const load = new RespondentLoad(clients(), { postId, lanes: 8, broken: true });
    const running = load.run();
    for (let round = 1; round <= ROUNDS; round += 1) {
      await eventually(() => {
        expect(load.paid.length).toBeGreaterThanOrEqual(BETWEEN * round);
      });
      await database.transaction(async (session) => {
        // A fold waits for it after it has counted and before it has stored its position.
        await session.query('LOCK TABLE tally IN EXCLUSIVE MODE');
        await eventually(async () => {
          expect(await database.query(KILL_FOLDS)).not.toEqual([]);
        });
        const [killed] = instances;
        killed!.process.kill('SIGKILL');
        await killed!.exitCode;
      });
      instances[0] = await start();
      load.moveTo(clients());
    }
    await running;
    expect(load.faults).toEqual([]);
    const api = new Client(instances[1]!.url, company.api.headers);
    const found = await resultsOf(database, { ...company, api }, postId);
    expect(found.responses).toEqual({ submitted: cap, reversed: 0, erased: 0, counted: cap });
    expect(await tallied(database, company.companyId)).toEqual(
      await recount(database, company.companyId),
    );
    figures('results under faults', { kills: ROUNDS, responses: cap });
  });
});
