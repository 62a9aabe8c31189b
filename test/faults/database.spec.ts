import { setTimeout as delay } from 'node:timers/promises';
import type { Client as Session } from 'pg';
import { registerCompany } from '../support/client';
import { figures } from '../support/figures';
import { FreezingProxy } from '../support/freezing-proxy';
import { PostgresCluster } from '../support/postgres-cluster';
import { build, RunningService, runService } from '../support/process';
import { isUnavailable, WriteLoad } from '../support/write-load';

/** How often each fault happens. */
const ROUNDS = process.env.FAULT_ROUNDS === undefined ? 1 : 5;

/** More lanes than the service has connections, so that some requests wait for one. */
const LANES = 24;

/** Minimum duration of a fault in milliseconds: long enough for a statement to time out. */
const REFUSING = 2_000;
const HANGING = 6_000;

/** Maximum milliseconds from the end of a fault until the service serves again. */
const RECOVERY_LIMIT = 5_000;

/** Maximum milliseconds of a request that waits for a connection, and then for a statement. */
const WAIT_LIMIT = 5_000;
const WAIT_AND_STATEMENT_LIMIT = 9_000;

/** Ends the sessions of the service, the one that listens for key changes included. */
const END_SESSIONS =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'campaign-service%'";

/** Causes a fault and returns a function that ends it. */
type Fault = (cluster: PostgresCluster, way: FreezingProxy) => Promise<() => Promise<void> | void>;

const restart =
  (mode: 'fast' | 'immediate'): Fault =>
  async (cluster) => {
    await cluster.stop(mode);
    return () => cluster.start();
  };

/** Takes every connection of the server, including those of the service. */
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

describe('a service on a failing PostgreSQL', () => {
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
    service = await runService({ DATABASE_URL: await way.listen() });
  });

  afterAll(async () => {
    const code = await service.stop();
    way.close();
    await cluster.remove();
    // The same process has run all along.
    expect([code, await service.stderr]).toEqual([0, '']);
  });

  afterEach(() => load.stop());

  /** Polls until readiness is as wanted, while liveness holds; returns the milliseconds it took. */
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
    'responds with 503 in time, loses nothing and recovers immediately when its PostgreSQL %s',
    async (name, begin, duration, limit) => {
      const { api } = await registerCompany(service.client);
      load = new WriteLoad(api, { unavailable: true });
      let recovery = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        load.start(LANES);
        await load.acknowledge(LANES);
        const end = await begin(cluster, way);
        const refused = load.unavailable;
        // Readiness waits for no lock.
        await ready(begin === lockTable);
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
