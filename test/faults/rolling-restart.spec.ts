import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { registerCompany } from '../support/client';
import { temporaryDirectory } from '../support/databases';
import { eventually } from '../support/eventually';
import { allEvents } from '../support/feed';
import { expectReconciled } from '../support/fielding';
import { figures } from '../support/figures';
import { LoadBalancer } from '../support/load-balancer';
import { freePort } from '../support/ports';
import { PostgresCluster } from '../support/postgres-cluster';
import { build, outputOf, RunningService, runService } from '../support/process';
import { WriteLoad } from '../support/write-load';

const ROOT = join(__dirname, '../..');

/** How often both instances are restarted: the first time with the next version. */
const ROLLS = process.env.FAULT_ROUNDS === undefined ? 1 : 5;

/**
 * Clients that keep their connections. With many more, a busy machine takes longer to serve those
 * in front than the service lets a request wait for a database connection.
 */
const CLIENTS = process.env.FAULT_ROUNDS === undefined ? 50 : 200;

/** The migration of the next version: a column that its functions fill. */
const MIGRATION = `
const { migrations } = require('./released');
class AddWriter1900000000000 {
  name = 'AddWriter1900000000000';
  async up(runner) {
    for (const table of ['event', 'unnumbered_event']) {
      await runner.query(\`ALTER TABLE \${table} ADD COLUMN writer text NOT NULL DEFAULT 'before'\`);
    }
  }
  async down(runner) {
    for (const table of ['event', 'unnumbered_event']) {
      await runner.query(\`ALTER TABLE \${table} DROP COLUMN writer\`);
    }
  }
}
exports.migrations = [...migrations, AddWriter1900000000000];
`;

/** Returns the folder of a next version of the build, with another schema and other functions. */
function nextVersion(): string {
  const folder = temporaryDirectory();
  const dist = join(folder, 'dist');
  cpSync(join(ROOT, 'dist'), dist, { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const migrations = join(dist, 'src/platform/database/migrations');
  cpSync(join(migrations, 'index.js'), join(migrations, 'released.js'));
  writeFileSync(join(migrations, 'index.js'), MIGRATION);
  const replace = (name: string, ...texts: [old: string, new: string][]) => {
    const path = join(dist, 'src/platform/event/sql', `${name}.sql`);
    let text = readFileSync(path, 'utf8');
    for (const [before, after] of texts) {
      expect(text).toContain(before);
      text = text.replace(before, after);
    }
    writeFileSync(path, text);
  };
  replace('record_event', ['created_at)', 'created_at, writer)'], ['moment);', "moment, 'next');"]);
  replace(
    'number_events',
    ['created_at, seq)', 'created_at, writer, seq)'],
    ['d.changes, d.created_at,', 'd.changes, d.created_at, d.writer,'],
  );
  return dist;
}

describe('a rolling restart of two instances behind a load balancer', () => {
  let cluster: PostgresCluster;
  let instances: RunningService[];
  let balancer: LoadBalancer;
  let load: WriteLoad;
  let next: string;

  const start = (port: number, file?: string) =>
    runService(
      {
        DATABASE_URL: cluster.url(),
        PORT: String(port),
        // The default.
        DRAIN_SECONDS: '',
      },
      file,
    );

  beforeAll(async () => {
    build();
    next = nextVersion();
    cluster = await PostgresCluster.create();
    instances = await Promise.all([start(await freePort()), start(await freePort())]);
    balancer = new LoadBalancer(instances.map(({ url }) => url));
  });

  afterAll(async () => {
    await load.stop();
    balancer.close();
    await Promise.all(instances.map((service) => service.kill()));
    await cluster.remove();
    rmSync(join(next, '..'), { recursive: true });
  });

  /** Events by the version of the function that wrote them. */
  const written = async (): Promise<Record<string, number>> => {
    const rows = await cluster.query<{ writer: string; count: number }>(
      'SELECT writer, count(*)::integer AS count FROM event GROUP BY writer',
    );
    return Object.fromEntries(rows.map(({ writer, count }) => [writer, count]));
  };

  /** Restarts both instances with the next version, and returns how long the slowest stop took. */
  async function restart(): Promise<number> {
    let slowestStop = 0;
    for (const [index, old] of instances.entries()) {
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
      instances[index] = await start(Number(new URL(old.url).port), join(next, 'src/main.js'));
      await balancer.allHealthy();
      await eventually(() => {
        expect(balancer.served[index]).not.toBe(before);
      });
      // After the first restart, one instance is the version before.
      await load.acknowledge(2 * CLIENTS);
    }
    return slowestStop;
  }

  it(`fails no request of ${CLIENTS} clients in ${ROLLS} rounds, the first of them an upgrade`, async () => {
    const { api } = await registerCompany(instances[0]!.client);
    load = new WriteLoad(api, {});
    load.moveTo(await balancer.listen());
    load.start(CLIENTS);
    await load.acknowledge(2 * CLIENTS);

    // The next version does not start before the migration.
    await expect(start(await freePort(), join(next, 'src/main.js'))).rejects.toThrow(
      'AddWriter1900000000000',
    );
    await outputOf(join(next, 'src/platform/database/migrate.js'), { DATABASE_URL: cluster.url() });
    // Both instances are still the version before.
    await load.acknowledge(2 * CLIENTS);
    expect(await written()).toMatchObject({ before: expect.any(Number), next: expect.any(Number) });

    const slowestStop: number[] = [];
    for (let roll = 0; roll < ROLLS; roll += 1) {
      slowestStop.push(await restart());
    }
    // The version before still starts on the new schema, so the upgrade can be taken back.
    const returned = await start(await freePort());
    expect((await returned.client.get('/health/ready')).status).toBe(200);
    expect(await returned.stop()).toBe(0);

    await load.stop();
    expect(balancer.failures).toEqual([]);
    await load.expectAllStored();
    const events = await cluster.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM event',
    );
    await allEvents(api, events[0]!.count);
    await expectReconciled(api);
    figures('rolling restart', {
      rolls: ROLLS,
      acknowledged: load.acknowledged,
      refused: balancer.refused,
      'slowest request (ms)': load.slowest,
      'slowest stop (ms)': Math.max(...slowestStop),
    });
  });
});
