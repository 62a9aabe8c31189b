import { runOn } from '../support/citus';
import { Client, registerCompany, TestCompany } from '../support/client';
import { createEmptyDatabase, onServer, TestDatabase } from '../support/databases';
import { figures } from '../support/figures';
import { generateKey, lastAccepted } from '../support/keys';
import { build, outputOf, RunningService, runService } from '../support/process';

const COMPANIES = 80;
const SHARDS = 32;

/** Companies that are worked on at once. */
const LANES = 5;

/** Milliseconds after which a revoked key is refused by every process. */
const LIMIT = 1_000;

describe(`${COMPANIES} companies on ${SHARDS} shards, served by two processes`, () => {
  let database: TestDatabase;
  let url: string;
  let services: RunningService[];
  const companies: TestCompany[] = [];

  beforeAll(async () => {
    build();
    database = await createEmptyDatabase();
    url = (database.variables as { DATABASE_URL: string }).DATABASE_URL;
    const name = new URL(url).pathname.slice(1);
    await onServer(`ALTER DATABASE ${name} SET citus.shard_count = ${SHARDS}`);
    await outputOf('src/platform/database/migrate.js', { DATABASE_URL: url });
    const start = () => runService({ DATABASE_URL: url });
    services = await Promise.all([start(), start()]);
    await inLanes(COMPANIES, async (index) => {
      companies.push(await registerCompany(services[index % 2]!.client));
    });
  });

  afterAll(async () => {
    const codes = await Promise.all(services.map((service) => service.stop()));
    await database.drop();
    expect(codes).toEqual([0, 0]);
  });

  async function inLanes(count: number, work: (index: number) => Promise<void>): Promise<void> {
    let next = 0;
    const lane = async () => {
      while (next < count) {
        next += 1;
        await work(next - 1);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }

  const accepts = async (api: Client) => (await api.get('/svc/campaign/list')).status === 200;

  it('has rows of its companies on nearly every shard', async () => {
    const [row] = await runOn<{ shards: number; used: number }>(
      url,
      `SELECT count(DISTINCT get_shard_id_for_distribution_column('campaign', company_id))::integer
         AS used,
         (SELECT count(*)::integer FROM citus_shards WHERE table_name = 'campaign'::regclass)
           AS shards
       FROM company`,
    );
    expect(row!.shards).toBe(SHARDS);
    expect(row!.used).toBeGreaterThan(SHARDS * 0.75);
  });

  it('refuses each revoked key within a second in both processes', async () => {
    const durations: number[] = [];
    let slowest = 0;
    await inLanes(COMPANIES, async (index) => {
      const { account } = companies[index]!;
      const { key_id, api } = await generateKey(account, services[index % 2]!.client);
      const uses = services.map((service) => new Client(service.url, api.headers));
      // The second time from the cache.
      for (const use of [...uses, ...uses]) {
        const { status, body } = await use.get('/svc/campaign/list');
        expect([status, body.error]).toEqual([200, undefined]);
      }
      const accepted = uses.map((use) => lastAccepted(() => accepts(use)));
      const sent = performance.now();
      const { status } = await account.post('/svc/api-key/revoke', { key_id });
      const revoked = performance.now();
      expect(status).toBe(200);
      const last = Math.max(...(await Promise.all(accepted)));
      durations.push(last - revoked);
      slowest = Math.max(slowest, last - sent);
    });
    expect(durations).toHaveLength(COMPANIES);
    figures(`keys of ${COMPANIES} companies revoked`, {
      'last accepted after the request was sent (ms)': slowest,
      'last accepted after its response (ms)': Math.max(...durations),
    });
    expect(Math.max(...durations)).toBeLessThan(LIMIT);
  });
});
