import type { DataSource, QueryRunner } from 'typeorm';
import { Env } from '../../src/platform/config/env';
import { createDataSource } from '../../src/platform/database/data-source';
import { createSurvey } from '../support/builders';
import { Client, registerCompany, TestCompany } from '../support/client';
import { onPostgres } from '../support/engines';
import { eventually } from '../support/eventually';
import { begin, liveSurvey } from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import { generateKey } from '../support/keys';
import { expectError } from '../support/refusals';
import { service } from '../support/service';

/** Many times the number of connections. */
const REQUESTS = 60;

/** Half of the connections of a process. */
const SHARE = 5;

/** Requests that wait for a lock, of one statement. */
const WAITING = `
  SELECT count(*)::integer AS waiting FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

type Ask = (index: number) => ReturnType<Client['get']>;

// The embedded database has one connection.
onPostgres('the connections of one company', () => {
  const company = companyForEach();
  const platform = platformForAll();
  let other: TestCompany;
  let database: DataSource;
  let holder: QueryRunner;

  beforeEach(async () => {
    other = await registerCompany(service.client);
    // Others have worked recently.
    expect((await other.api.get('/svc/campaign/list')).status).toBe(200);
    // Without the time limits of the service's own connections.
    database = await createDataSource(service.app.get(Env), { limits: false }).initialize();
    holder = database.createQueryRunner();
    await holder.startTransaction();
  });

  afterEach(async () => {
    await holder.rollbackTransaction();
    await holder.release();
    await database.destroy();
  });

  const lock = (post_id: string) =>
    holder.query('SELECT FROM campaign WHERE post_id = $1 FOR UPDATE', [post_id]);

  const WRITES: Record<string, (post_id: string) => Promise<Ask>> = {
    'updates of a campaign': (post_id) =>
      Promise.resolve((index) =>
        company.api.patch('/svc/campaign/update', { post_id, title: `Title ${index}` }),
      ),
    'updates with a key each': (post_id) =>
      Promise.resolve((index) =>
        company.api
          .with({ 'idempotency-key': `${post_id}-${index}` })
          .patch('/svc/campaign/update', { post_id, title: `Title ${index}` }),
      ),
    'beginnings by a platform': (post_id) =>
      Promise.resolve((index) => begin(platform, post_id, `${post_id} ${index}`)),
    'beginnings by a platform with a key each': (post_id) =>
      Promise.resolve((index) =>
        begin(platform.with({ 'idempotency-key': `${post_id}-${index}` }), post_id, `r${index}`),
      ),
  };

  it.each(Object.entries(WRITES))(
    'leave half of the pool to others while they wait for a lock: %s',
    async (_, prepare) => {
      const post_id = await liveSurvey(company);
      const elsewhere = await liveSurvey(other);
      const write = await prepare(post_id);
      await lock(post_id);
      const writes = Array.from({ length: REQUESTS }, (__, index) => write(index));
      const waiting = async () => {
        // Within a transaction, PostgreSQL shows what it has shown before.
        await holder.query('SELECT pg_stat_clear_snapshot()');
        return (await holder.query(WAITING))[0].waiting as number;
      };
      await eventually(async () => expect(await waiting()).toBe(SHARE));
      // Neither reads nor writes of others wait, and the service stays in the load balancer.
      for (let round = 0; round < 3; round += 1) {
        expect((await other.api.get('/svc/campaign/list')).status).toBe(200);
        await createSurvey(other.api);
        expect((await begin(platform, elsewhere, `respondent ${round}`)).status).toBe(200);
        expect((await service.client.get('/health/ready')).status).toBe(200);
        expect(await waiting()).toBeLessThanOrEqual(SHARE);
      }
      await holder.rollbackTransaction();
      await holder.startTransaction();
      const statuses = (await Promise.all(writes)).map(({ status }) => status);
      expect([...new Set(statuses)].toSorted()).toEqual(expect.arrayContaining([200]));
    },
  );

  it('fail with 503 when a lock is not released, for the callers that wait for it only', async () => {
    const post_id = await liveSurvey(company);
    await lock(post_id);
    const asked = performance.now();
    const update = await company.api.patch('/svc/campaign/update', { post_id, title: 'Other' });
    expectError(update, 503, 'service_unavailable');
    expect(update.headers.get('retry-after')).toBe('1');
    expect(update.body.message).toMatch(/in use by other requests/);
    expect(performance.now() - asked).toBeLessThan(3_000);
    const { api } = await generateKey(company.account, service.client);
    expect((await api.get(`/svc/campaign/${post_id}`)).status).toBe(200);
  });

  it('are refused after three seconds to requests beyond the share of their company', async () => {
    const post_id = await liveSurvey(company);
    await lock(post_id);
    const asked = performance.now();
    const updates = await Promise.all(
      Array.from({ length: REQUESTS }, (_, index) =>
        company.api.patch('/svc/campaign/update', { post_id, title: `Title ${index}` }),
      ),
    );
    // The last ones that began waited for the lock, too.
    expect(performance.now() - asked).toBeLessThan(8_000);
    const waited = updates.filter(({ body }) =>
      body.message.includes('your requests are in progress'),
    );
    expect(waited.length).toBeGreaterThan(REQUESTS / 2);
    updates.forEach((update) => {
      expectError(update, 503, 'service_unavailable');
      expect(update.headers.get('retry-after')).toBe('1');
    });
    expect((await company.api.get(`/svc/campaign/${post_id}`)).status).toBe(200);
  });
});
