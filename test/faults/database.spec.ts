import { setTimeout as delay } from 'node:timers/promises';
import type { Client as Session } from 'pg';
import { registerCompany } from '../support/client';
import { TEST_JWT_SECRET } from '../support/env';
import { figures } from '../support/figures';
import { FreezingProxy } from '../support/freezing-proxy';
import { PostgresCluster } from '../support/postgres-cluster';
import { build, RunningService, runService } from '../support/process';
import { isUnavailable, WriteLoad } from '../support/write-load';

/** How often each fault comes over the service; `npm run test:faults:long` has more of it. */
const ROUNDS = process.env.FAULT_ROUNDS === undefined ? 1 : 5;

/** More than the service has connections, so that some requests wait for one. */
const LANES = 24;

/** Milliseconds for which a fault lasts, at the least: long enough for a statement to be given up. */
const REFUSING = 2_000;
const HANGING = 6_000;

/** Milliseconds after its end within which the service must serve again. */
const RECOVERY_LIMIT = 5_000;

/** Milliseconds a request may take: to wait for a connection, and for a statement to be given up. */
const WAIT_LIMIT = 5_000;
const WAIT_AND_STATEMENT_LIMIT = 9_000;

/** Ends the sessions of the service, also the one on which it hears of API keys. */
const END_SESSIONS =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'campaign-service%'";

/** Brings a fault about and answers how to end it. */
type Fault = (cluster: PostgresCluster, way: FreezingProxy) => Promise<() => Promise<void> | void>;

const restart =
  (mode: 'fast' | 'immediate'): Fault =>
  async (cluster) => {
    await cluster.stop(mode);
    return () => cluster.start();
  };

/** Takes every connection that the server has, also those that the service had. */
const useUpConnections: Fault = async (cluster) => {
  const sessions: Session[] = [await cluster.connect()];
  let others = 1;
  while (others > 0) {
    const { rowCount } = await sessions[0]!.query(END_SESSIONS);
    others = rowCount ?? 0;
    try {
      for (;;) {
        sessions.push(await cluster.connect());
      }
    } catch (error) {
      expect(error).toMatchObject({ code: '53300' });
    }
  }
  return async () => {
    await Promise.all(sessions.map((session) => session.end()));
  };
};

const refuseConnections: Fault = async (cluster) => {
  const allow = (allowed: boolean) =>
    cluster.query(`ALTER DATABASE campaign ALLOW_CONNECTIONS ${allowed}`, 'postgres');
  await allow(false);
  await cluster.query(END_SESSIONS, 'postgres');
  return async () => {
    await allow(true);
  };
};

const renameDatabase: Fault = async (cluster, way) => {
  const letIn = await refuseConnections(cluster, way);
  await cluster.query('ALTER DATABASE campaign RENAME TO elsewhere', 'postgres');
  return async () => {
    await cluster.query('ALTER DATABASE elsewhere RENAME TO campaign', 'postgres');
    await letIn();
  };
};

const lockTable: Fault = async (cluster) => {
  const session = await cluster.connect();
  await session.query('BEGIN');
  await session.query('LOCK TABLE campaign IN ACCESS EXCLUSIVE MODE');
  return () => session.end();
};

const freezeServer: Fault = (cluster) => {
  cluster.freeze();
  return Promise.resolve(() => cluster.thaw());
};

const loseNetwork: Fault = (_, way) => {
  way.freeze();
  return Promise.resolve(() => way.thaw());
};

describe('A service whose PostgreSQL', () => {
  let cluster: PostgresCluster;
  let way: FreezingProxy;
  let service: RunningService;
  let load: WriteLoad;

  beforeAll(async () => {
    build();
    cluster = await PostgresCluster.create([
      'max_connections = 40',
      'superuser_reserved_connections = 0',
    ]);
    way = new FreezingProxy(new URL(cluster.url()), 'campaign-service');
    service = await runService({ DATABASE_URL: await way.listen(), JWT_SECRET: TEST_JWT_SECRET });
  }, 120_000);

  afterAll(async () => {
    const code = await service.stop();
    way.close();
    await cluster.remove();
    // It was never replaced and never ended by itself.
    expect([code, await service.stderr]).toEqual([0, '']);
  });

  afterEach(() => load.stop());

  /** Waits until the service says that it is ready, or that it is not, and that it lives. */
  async function ready(wanted: boolean): Promise<number> {
    const started = performance.now();
    for (;;) {
      expect((await service.client.get('/health/live')).status).toBe(200);
      const answer = await service.client.get('/health/ready');
      expect(answer.status === 200 || isUnavailable(answer)).toBe(true);
      if ((answer.status === 200) === wanted) {
        return performance.now() - started;
      }
      await delay(20);
    }
  }

  it.each<[string, Fault, number, number]>([
    ['is shut down and started again', restart('fast'), REFUSING, WAIT_LIMIT],
    ['crashes and is started again', restart('immediate'), REFUSING, WAIT_LIMIT],
    ['has no connection left', useUpConnections, REFUSING, WAIT_LIMIT],
    ['lets no one in', refuseConnections, REFUSING, WAIT_LIMIT],
    ['is renamed', renameDatabase, REFUSING, WAIT_LIMIT],
    ['has a table locked', lockTable, HANGING, WAIT_AND_STATEMENT_LIMIT],
    ['hangs', freezeServer, HANGING, WAIT_AND_STATEMENT_LIMIT],
    ['is behind a network that loses every packet', loseNetwork, HANGING, WAIT_AND_STATEMENT_LIMIT],
  ])(
    '%s answers 503 in time meanwhile, loses nothing and serves again at once',
    async (name, begin, duration, limit) => {
      const { api } = await registerCompany(service.client);
      load = new WriteLoad(api, { unavailable: true });
      let recovery = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        load.start(LANES);
        await load.acknowledge(LANES);
        const end = await begin(cluster, way);
        const refused = load.unavailable;
        await ready(false);
        await delay(duration);
        expect(load.unavailable).toBeGreaterThan(refused);
        await end();
        recovery = Math.max(recovery, await ready(true));
        await load.acknowledge(LANES);
        await load.stop();
        await load.resolve();
        await load.expectAllStored();
      }
      const { acknowledged, unavailable, replayed, redone, slowest } = load;
      figures(name, {
        acknowledged,
        unavailable,
        replayed,
        redone,
        'slowest request (ms)': slowest,
        'recovery (ms)': recovery,
      });
      expect(recovery).toBeLessThan(RECOVERY_LIMIT);
      expect(slowest).toBeLessThan(limit);
    },
  );
});
