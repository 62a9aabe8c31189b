import { setTimeout as delay } from 'node:timers/promises';
import { entities } from '../../src/entities';
import { createDataSource } from '../../src/database/data-source';
import { PlatformKeyService } from '../../src/platform-key/platform-key.service';
import { Client, registerCompany } from '../support/client';
import { TEST_JWT_SECRET, testEnv } from '../support/env';
import { expectReconciled, liveSurvey } from '../support/fielding';
import { figures } from '../support/figures';
import { PostgresCluster } from '../support/postgres-cluster';
import { build, RunningService, runService } from '../support/process';
import { RespondentLoad } from '../support/respondents';

/** How often an instance is killed, and PostgreSQL as well. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 3);

/** Responses between two faults. */
const BETWEEN = 60;

beforeAll(build);

describe('respondents, while instances and PostgreSQL are killed', () => {
  let cluster: PostgresCluster;
  let instances: RunningService[] = [];

  beforeAll(async () => {
    cluster = await PostgresCluster.create();
  });

  afterAll(async () => {
    for (const { process, exitCode } of instances) {
      process.kill('SIGKILL');
      await exitCode;
    }
    await cluster.remove();
  });

  const start = () => runService({ DATABASE_URL: cluster.url(), JWT_SECRET: TEST_JWT_SECRET });

  async function platformKey(): Promise<string> {
    const database = createDataSource(testEnv({ DATABASE_URL: cluster.url() }), { entities });
    await database.initialize();
    const { secret } = await new PlatformKeyService(database.manager).generate('app');
    await database.destroy();
    return secret;
  }

  it('are paid once each, and the ledger always reconciles', async () => {
    instances = [await start(), await start()];
    const secret = await platformKey();
    const company = await registerCompany(instances[0]!.client);
    const cap = BETWEEN * (2 * ROUNDS + 1);
    const postId = await liveSurvey(company, { max_responses: cap, budget: cap * 100 });
    const clients = () => instances.map(({ url }) => new Client(url).withKey(secret));
    const load = new RespondentLoad(clients(), { postId, lanes: 16, copies: 2, broken: true });
    const running = load.run();
    const reach = async (count: number) => {
      while (load.paid.length < count) {
        await delay(10);
      }
    };
    const reconcile = () => expectReconciled(new Client(instances[1]!.url, company.api.headers));
    for (let round = 0; round < ROUNDS; round += 1) {
      await reach(BETWEEN * (2 * round + 1));
      const [killed] = instances;
      killed!.process.kill('SIGKILL');
      await killed!.exitCode;
      await reconcile();
      instances[0] = await start();
      load.moveTo(clients());
      await reach(BETWEEN * (2 * round + 2));
      await cluster.stop('immediate');
      await cluster.start();
    }
    await running;
    expect(load.faults).toEqual([]);
    expect(load.paid).toHaveLength(cap);
    expect(new Set(load.paid.map(({ respondent }) => respondent)).size).toBe(cap);
    expect((await reconcile()).checked).toBeGreaterThanOrEqual(cap);
    const [totals] = await cluster.query<{ submitted: number; settled: string }>(
      `SELECT (SELECT count(*)::integer FROM participation WHERE state = 'submitted') AS submitted,
         (SELECT sum(amount) FROM transfer WHERE kind = 'settle') AS settled`,
    );
    const paid = load.paid.reduce((sum, { reward }) => sum + reward, 0);
    expect(totals).toEqual({ submitted: cap, settled: paid.toFixed(2) });
    figures('respondents under faults', { kills: ROUNDS, crashes: ROUNDS, responses: cap });
  });
});
