import { registerCompany } from '../support/client';
import { TEST_JWT_SECRET } from '../support/env';
import { eventually } from '../support/eventually';
import { figures } from '../support/figures';
import { LoadBalancer } from '../support/load-balancer';
import { freePort } from '../support/ports';
import { PostgresCluster } from '../support/postgres-cluster';
import { build, RunningService, runService } from '../support/process';
import { WriteLoad } from '../support/write-load';

/** How often both instances are restarted. */
const ROLLS = process.env.FAULT_ROUNDS === undefined ? 1 : 5;

/**
 * Clients that keep their connections. With many more, a busy machine takes longer to serve those
 * in front than the service lets a request wait for a database connection.
 */
const CLIENTS = process.env.FAULT_ROUNDS === undefined ? 50 : 200;

describe('a rolling restart of two instances behind a load balancer', () => {
  let cluster: PostgresCluster;
  let instances: RunningService[];
  let balancer: LoadBalancer;
  let load: WriteLoad;

  const start = (port: number) =>
    runService({
      DATABASE_URL: cluster.url(),
      JWT_SECRET: TEST_JWT_SECRET,
      PORT: String(port),
      // The default.
      DRAIN_SECONDS: '',
    });

  beforeAll(async () => {
    build();
    cluster = await PostgresCluster.create();
    instances = await Promise.all([start(await freePort()), start(await freePort())]);
    balancer = new LoadBalancer(instances.map(({ url }) => url));
  });

  afterAll(async () => {
    await load.stop();
    balancer.close();
    for (const { process, exitCode } of instances) {
      process.kill('SIGKILL');
      await exitCode;
    }
    await cluster.remove();
  });

  it(`fails no request of ${CLIENTS} clients in ${ROLLS} rounds`, async () => {
    const { api } = await registerCompany(instances[0]!.client);
    load = new WriteLoad(api, {});
    load.moveTo(await balancer.listen());
    load.start(CLIENTS);
    let slowestStop = 0;
    for (let roll = 0; roll < ROLLS; roll += 1) {
      for (const index of instances.keys()) {
        await load.acknowledge(CLIENTS);
        const old = instances[index]!;
        const stopping = performance.now();
        const code = await old.stop();
        slowestStop = Math.max(slowestStop, performance.now() - stopping);
        expect([code, await old.stderr]).toEqual([0, '']);
        // Only readiness is refused, and no request is cut off.
        const answers = (await old.stdout).match(/^.*"status":5.*$/gm) ?? [];
        expect(answers.filter((line) => !line.includes('"route":"/health/ready"'))).toEqual([]);
        expect(await old.stdout).not.toContain('still under way');
        const before = balancer.served[index]!;
        await load.acknowledge(CLIENTS);
        instances[index] = await start(Number(new URL(old.url).port));
        await balancer.allHealthy();
        await eventually(() => {
          expect(balancer.served[index]).not.toBe(before);
        });
      }
    }
    await load.acknowledge(CLIENTS);
    await load.stop();
    expect(balancer.failures).toEqual([]);
    await load.expectAllStored();
    const { acknowledged, slowest } = load;
    const { refused } = balancer;
    figures('rolling restart', {
      rolls: ROLLS,
      acknowledged,
      refused,
      'slowest request (ms)': slowest,
      'slowest stop (ms)': slowestStop,
    });
  });
});
