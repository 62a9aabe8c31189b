import { setTimeout as delay } from 'node:timers/promises';
import { balanceOf, prepayIn } from '../support/balance';
import { Client, registerCompany, TestCompany } from '../support/client';
import { expectReconciled, liveSurvey } from '../support/fielding';
import { Fault, FaultyProxy } from '../support/faulty-proxy';
import { figures } from '../support/figures';
import { platformKeyIn } from '../support/platforms';
import { PostgresCluster } from '../support/postgres-cluster';
import { build, RunningService, runService } from '../support/process';
import { RespondentLoad } from '../support/respondents';

/** How often an instance is killed, and PostgreSQL as well. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 2);

/** Responses between two faults. */
const BETWEEN = 60;

beforeAll(build);

/** What happens to requests, in turn. */
const CUTS: (Fault | undefined)[] = [
  undefined,
  'cut before the service',
  undefined,
  'cut after the service',
  undefined,
  'cut inside the response',
];

/** More requests than a load sends. */
const REQUESTS = 10_000;

/** Milliseconds between two cuts of connections to PostgreSQL. */
const PAUSE = 200;

describe('respondents under faults', () => {
  let cluster: PostgresCluster;
  let instances: RunningService[] = [];
  let secret: string;
  let company: TestCompany;

  const start = () => runService({ DATABASE_URL: cluster.url() });

  beforeAll(async () => {
    cluster = await PostgresCluster.create();
    instances = [await start(), await start()];
    secret = await platformKeyIn(cluster.url());
  });

  beforeEach(async () => {
    company = await registerCompany(instances[0]!.client);
  });

  afterAll(async () => {
    await Promise.all(instances.map((service) => service.kill()));
    await cluster.remove();
  });

  const reconcile = () => expectReconciled(new Client(instances[1]!.url, company.api.headers));

  const liveCampaign = (cap: number) =>
    liveSurvey(company, { max_responses: cap, budget: cap * 100 });

  const loadOf = (postId: string, urls: string[]) =>
    new RespondentLoad(
      urls.map((url) => new Client(url).withKey(secret)),
      { postId, lanes: 16, copies: 2, broken: true },
    );

  async function expectPaidOnce(load: RespondentLoad, cap: number): Promise<void> {
    const { faults, paid, spent } = load;
    expect(faults).toEqual([]);
    expect(paid).toHaveLength(cap);
    expect(new Set(paid.map(({ respondent }) => respondent)).size).toBe(cap);
    expect((await reconcile()).checked).toBeGreaterThanOrEqual(cap);
    const [totals] = await cluster.query<{ submitted: number; settled: string }>(
      `SELECT
         (SELECT count(*)::integer FROM participation
          WHERE company_id = stored_id('${company.companyId}') AND state = 'submitted') AS submitted,
         (SELECT sum(amount) FROM transfer
          WHERE company_id = stored_id('${company.companyId}') AND kind = 'settle') AS settled`,
    );
    expect(totals).toEqual({ submitted: cap, settled: spent.toFixed(2) });
  }

  it('are paid once each while instances and PostgreSQL are killed', async () => {
    const cap = BETWEEN * (2 * ROUNDS + 1);
    // No more than the campaign costs.
    await prepayIn(cluster.url(), company.companyId, cap * 100);
    const postId = await liveCampaign(cap);
    const urls = () => instances.map(({ url }) => url);
    const load = loadOf(postId, urls());
    const running = load.run();
    for (let round = 0; round < ROUNDS; round += 1) {
      await load.untilPaid(BETWEEN * (2 * round + 1));
      const [killed] = instances;
      await killed!.kill();
      await reconcile();
      instances[0] = await start();
      load.moveTo(urls().map((url) => new Client(url).withKey(secret)));
      await load.untilPaid(BETWEEN * (2 * round + 2));
      await cluster.stop('immediate');
      await cluster.start();
    }
    await running;
    await expectPaidOnce(load, cap);
    const balance = await balanceOf(new Client(instances[1]!.url, company.api.headers));
    expect(balance).toMatchObject({ funded: cap * 100, held: 0, paid: load.spent });
    figures('respondents under faults', { kills: ROUNDS, crashes: ROUNDS, responses: cap });
  });

  it('are paid once each while connections of both sides are cut', async () => {
    const cap = BETWEEN * ROUNDS;
    const proxies = instances.map(({ url }) => new FaultyProxy(url));
    const urls = await Promise.all(proxies.map((proxy) => proxy.listen()));
    for (const proxy of proxies) {
      proxy.plan(...Array.from({ length: REQUESTS }, (_, n) => CUTS[n % CUTS.length]));
    }
    const load = loadOf(await liveCampaign(cap), urls);
    const finished = load.run().then(() => true);
    let cut = 0;
    while (!(await Promise.race([finished, delay(PAUSE, false)]))) {
      const connections = await cluster.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
         ORDER BY random() LIMIT 3`,
      );
      cut += connections.length;
    }
    const requests = proxies.reduce((total, proxy) => total + proxy.requests.length, 0);
    proxies.forEach((proxy) => {
      proxy.close();
    });
    await expectPaidOnce(load, cap);
    expect(requests).toBeLessThan(proxies.length * REQUESTS);
    figures('respondents whose connections are cut', { requests, cut, responses: cap });
  });
});
