import { CitusCluster } from '../support/citus-cluster';
import { Client, registerCompany, TestCompany } from '../support/client';
import { liveSurvey } from '../support/fielding';
import { figures } from '../support/figures';
import { PostgresCluster } from '../support/postgres-cluster';
import { platformKeyIn } from '../support/platforms';
import { build, RunningService, runService } from '../support/process';
import { RespondentLoad } from '../support/respondents';
import { createSpendingGuardrails, expectFiredOnce } from '../support/spending-guardrails';
import { WriteLoad } from '../support/write-load';

const COMPANIES = 6;

/** Writers of each company. */
const LANES = 2;

/** Amounts at which guardrails fire, in the units of the reward. */
const AMOUNTS = Array.from({ length: 10 }, (_, index) => 3_000 * (index + 1));

/** Campaigns of each company whose histories are read back. */
const HISTORIES = 20;

/** Campaigns that have two changes of the same version, or lack one. */
const BROKEN_HISTORIES = `
  SELECT subject FROM event GROUP BY company_id, subject HAVING count(*) <> max(version)`;

interface Change {
  changes: Record<string, { old: unknown; new: unknown }>;
}

describe('A service on a Citus cluster whose shards are moved', () => {
  let cluster: CitusCluster;
  let service: RunningService;
  let companies: TestCompany[];
  let loads: WriteLoad[] = [];

  beforeAll(async () => {
    build();
    cluster = await CitusCluster.create();
    service = await runService({ DATABASE_URL: cluster.url() });
    companies = [];
    while (companies.length < COMPANIES) {
      companies.push(await registerCompany(service.client));
    }
  });

  afterAll(async () => {
    await stopLoads();
    const code = await service.stop();
    await cluster.remove();
    expect([code, await service.stderr]).toEqual([0, '']);
  });

  async function stopLoads(): Promise<void> {
    await Promise.all(loads.map((load) => load.stop()));
  }

  async function acknowledge(more: number): Promise<void> {
    await Promise.all(loads.map((load) => load.acknowledge(more)));
  }

  /** Moves the shards that have a company's rows, while they are read and written. */
  async function move(companyId: string, target: PostgresCluster): Promise<boolean> {
    const { worker, shard } = await cluster.placeOf(companyId);
    if (worker !== target) {
      await cluster.coordinator.query(
        `SELECT citus_move_shard_placement(
           ${shard}, '127.0.0.1', ${worker.port}, '127.0.0.1', ${target.port}, 'force_logical')`,
      );
    }
    return worker !== target;
  }

  /** How many shards of campaigns each worker has. */
  async function shardCounts(): Promise<number[]> {
    const rows = await cluster.coordinator.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM citus_shards
       WHERE table_name = 'campaign'::regclass GROUP BY nodeport ORDER BY count`,
    );
    return rows.map(({ count }) => count);
  }

  /** Expects each change of a campaign to begin with what the one before left. */
  async function expectHistoryInOrder(api: Client, postId: string): Promise<void> {
    const { body } = await api.get(`/svc/campaign/${postId}/history`);
    const stored = await api.get(`/svc/campaign/${postId}`);
    const state: Record<string, unknown> = {};
    for (const { changes } of (body.data.items as Change[]).toReversed()) {
      for (const [field, change] of Object.entries(changes)) {
        expect([postId, field, change.old]).toEqual([postId, field, state[field] ?? null]);
        state[field] = change.new;
      }
    }
    const { category, is_live } = stored.body.data;
    expect({ category, is_live }).toEqual({ category: state.category, is_live: state.is_live });
  }

  it('loses no write and keeps every history in order, also while it is rebalanced', async () => {
    loads = companies.map(({ api }) => new WriteLoad(api, { unavailable: true }));
    loads.forEach((load) => load.start(LANES));
    await acknowledge(20);

    const { worker } = await cluster.placeOf(companies[0]!.companyId);
    const crowded = cluster.workers.find((other) => other !== worker)!;
    let moves = 0;
    const movesStarted = performance.now();
    for (const { companyId } of companies) {
      moves += Number(await move(companyId, crowded));
    }
    const moving = (performance.now() - movesStarted) / moves;
    expect(await shardCounts()).toEqual([16 - moves, 16 + moves]);
    await acknowledge(20);

    const rebalanceStarted = performance.now();
    await cluster.coordinator.query(
      `SELECT rebalance_table_shards(rebalance_strategy := 'by_shard_count')`,
    );
    const rebalancing = performance.now() - rebalanceStarted;
    expect(await shardCounts()).toEqual([16, 16]);
    await acknowledge(20);
    await stopLoads();

    const total = { acknowledged: 0, unavailable: 0, replayed: 0, redone: 0 };
    for (const load of loads) {
      await load.resolve();
      await load.expectAllStored();
      total.acknowledged += load.acknowledged;
      total.unavailable += load.unavailable;
      total.replayed += load.replayed;
      total.redone += load.redone;
    }
    expect(await cluster.coordinator.query(BROKEN_HISTORIES)).toEqual([]);
    for (const { api } of companies) {
      const { body } = await api.get(`/svc/campaign/list?limit=${HISTORIES}`);
      for (const { post_id } of body.data.items) {
        await expectHistoryInOrder(api, post_id);
      }
    }
    figures('shards moved under load', {
      ...total,
      moves,
      'a move (ms)': moving,
      'rebalancing (ms)': rebalancing,
      'slowest request (ms)': Math.max(...loads.map(({ slowest }) => slowest)),
    });
  });

  it('fires every guardrail once, at its response, while the shard is moved there and back', async () => {
    const company = companies[0]!;
    const platform = service.client.withKey(await platformKeyIn(cluster.url()));
    const postId = await liveSurvey(company);
    await createSpendingGuardrails(company.api, postId, AMOUNTS);
    const load = new RespondentLoad([platform], { postId, lanes: 2, broken: true });
    const running = load.run();
    await load.untilPaid(20);
    const { worker } = await cluster.placeOf(company.companyId);
    for (const target of [cluster.workers.find((other) => other !== worker)!, worker]) {
      expect(await move(company.companyId, target)).toBe(true);
      await load.untilPaid(load.paid.length + 20);
    }
    await load.untilSpent(AMOUNTS.at(-1)!);
    load.stop();
    await running;
    expect(load.faults).toEqual([]);
    await expectFiredOnce(
      company.api,
      (statement) => cluster.coordinator.query(statement),
      AMOUNTS,
    );
  });
});
