import { setTimeout as delay } from 'node:timers/promises';
import { createSurvey } from '../support/builders';
import { CitusCluster } from '../support/citus-cluster';
import { PASSWORD, registerCompany, TestCompany } from '../support/client';
import { figures } from '../support/figures';
import { PostgresCluster } from '../support/postgres-cluster';
import { build, RunningService, runService } from '../support/process';
import { isUnavailable, WriteLoad } from '../support/write-load';

/** How often a worker is killed. */
const KILLS = Number(process.env.FAULT_ROUNDS ?? 3);

/** Milliseconds for which a killed worker stays away. */
const AWAY = 3_000;

/** Writers of each company. */
const LANES = 4;

const UNKNOWN = 'post_01k9x2v8zdf3xbz0q4v5rk6t7m';

describe('A service on a Citus cluster', () => {
  let cluster: CitusCluster;
  let service: RunningService;
  let loads: WriteLoad[];

  beforeAll(async () => {
    build();
    cluster = await CitusCluster.create();
    service = await runService({ DATABASE_URL: cluster.url() });
  });

  beforeEach(() => {
    loads = [];
  });

  afterEach(stopLoads);

  afterAll(async () => {
    const code = await service.stop();
    await cluster.remove();
    // It never ended by itself.
    expect([code, await service.stderr]).toEqual([0, '']);
  });

  function load(company: TestCompany, tolerance: ConstructorParameters<typeof WriteLoad>[1]) {
    const created = new WriteLoad(company.api, tolerance);
    loads.push(created);
    return created;
  }

  function startLoads(): void {
    for (const each of loads) {
      each.start(LANES);
    }
  }

  async function acknowledge(more: number): Promise<void> {
    await Promise.all(loads.map((each) => each.acknowledge(more)));
  }

  async function stopLoads(): Promise<void> {
    await Promise.all(loads.map((each) => each.stop()));
  }

  /** A new company whose rows are on this worker. */
  async function companyOn(worker: PostgresCluster): Promise<TestCompany> {
    for (;;) {
      const company = await registerCompany(service.client);
      if ((await cluster.placeOf(company.companyId)).worker === worker) {
        return company;
      }
    }
  }

  it('refuses only the companies of a worker that is killed, and loses nothing', async () => {
    const [dying, living] = cluster.workers as [PostgresCluster, PostgresCluster];
    const hit = await companyOn(dying);
    const spared = await companyOn(living);
    const hitLoad = load(hit, { unavailable: true });
    const sparedLoad = load(spared, {});
    const { post_id: hitPostId } = await createSurvey((await companyOn(dying)).api);
    const recoveries: number[] = [];
    for (let round = 0; round < KILLS; round += 1) {
      startLoads();
      await acknowledge(50);
      await dying.kill();
      const killed = performance.now();
      const [refused, served] = [hitLoad.unavailable, sparedLoad.acknowledged];
      while (performance.now() - killed < AWAY) {
        expect(isUnavailable(await hit.api.get('/svc/campaign/list'))).toBe(true);
        expect((await spared.api.get('/svc/campaign/list')).status).toBe(200);
        expect((await spared.account.post('/svc/api-key/generate')).status).toBe(200);
        // A post_id tells whose it is, so only the worker of that company is asked.
        expect((await spared.api.get(`/svc/campaign/${UNKNOWN}`)).status).toBe(404);
        expect(isUnavailable(await spared.api.get(`/svc/campaign/${hitPostId}`))).toBe(true);
        await delay(100);
      }
      // A company is stored on every node.
      const registration = { name: 'A', email: `a${round}@example.com`, password: PASSWORD };
      const registered = await service.client.post('/api/company/create', registration);
      expect(isUnavailable(registered)).toBe(true);
      expect(hitLoad.unavailable).toBeGreaterThan(refused);
      expect(sparedLoad.acknowledged).toBeGreaterThan(served);

      await dying.start();
      const started = performance.now();
      await hitLoad.acknowledge(1);
      recoveries.push(performance.now() - started);
      await acknowledge(50);
      expect((await spared.api.get(`/svc/campaign/${hitPostId}`)).status).toBe(403);
      await stopLoads();
      for (const each of loads) {
        await each.resolve();
        await each.expectAllStored();
      }
    }
    expect(sparedLoad.unavailable).toBe(0);
    for (const [name, { acknowledged, unavailable, replayed, redone, slowest }] of [
      ['companies of a killed worker', hitLoad],
      ['companies of the other worker', sparedLoad],
    ] as const) {
      figures(name, {
        kills: KILLS,
        acknowledged,
        unavailable,
        replayed,
        redone,
        'slowest request (ms)': slowest,
        'recovery (ms)': Math.max(...recoveries),
      });
    }
  });
});
