import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { createApp } from '../../src/app.setup';
import { BackgroundJobs } from '../../src/platform/scheduling/background-jobs.service';
import { registerCompany } from '../support/client';
import { createTestDatabase, TestDatabase, withDatabase } from '../support/databases';
import { testEnv } from '../support/env';
import { eventually } from '../support/eventually';
import { startService } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

describe('background work', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await database.drop();
  });

  it('removes expired idempotency records soon after the start', async () => {
    const env = testEnv(database.variables);
    await withDatabase(database.variables, (before) =>
      before.query(`
      INSERT INTO idempotency_record (scope, key_hash, fingerprint, outcome, created_at)
      VALUES ('00000000-0000-7000-8000-000000000001', '', '', '', now() - interval '25 hours'), ('00000000-0000-7000-8000-000000000002', '', '', '', now())`),
    );
    const app = await createApp(env, pino({ level: 'silent' }));
    const remaining = async () => {
      const rows = await app
        .get(DataSource)
        .query<{ scope: string }[]>('SELECT scope FROM idempotency_record ORDER BY scope');
      return rows.map(({ scope }) => scope);
    };
    await eventually(async () => {
      expect(await remaining()).toEqual(['00000000-0000-7000-8000-000000000002']);
    });
    await app.close();
  });

  it('removes webhook deliveries 30 days after their end', async () => {
    const env = testEnv(database.variables);
    await withDatabase(database.variables, async (before) => {
      await before.query(`INSERT INTO company (company_id, name, email, password_hash)
      VALUES ('01990000-0000-7000-8000-000000000001', 'A Company', 'a@example.com', 'hash')`);
      await before.query(`INSERT INTO webhook_endpoint
        (company_id, webhook_id, slot, url, secret, claimed_seq, updated_by)
      VALUES ('01990000-0000-7000-8000-000000000001', 'whk_1', 1, 'https://example.com', '', 9, 'co_1')`);
      await before.query(`INSERT INTO webhook_delivery
        (company_id, webhook_id, seq, state, due_at, finished_at, created_at)
      VALUES ('01990000-0000-7000-8000-000000000001', 'whk_1', 1, 'delivered', NULL, now() - interval '31 days', now()),
        ('01990000-0000-7000-8000-000000000001', 'whk_1', 2, 'failed', NULL, now() - interval '29 days', now()),
        ('01990000-0000-7000-8000-000000000001', 'whk_1', 3, 'pending', now() + interval '1 day', NULL, now() - interval '40 days')`);
    });
    const app = await createApp(env, pino({ level: 'silent' }));
    const remaining = async () => {
      const rows = await app
        .get(DataSource)
        .query<{ seq: string }[]>('SELECT seq FROM webhook_delivery ORDER BY seq');
      return rows.map(({ seq }) => Number(seq));
    };
    await eventually(async () => {
      expect(await remaining()).toEqual([2, 3]);
    });
    await app.close();
  });

  it('is awaited when the service stops, while the database is still open', async () => {
    const app = await createApp(testEnv(database.variables), pino({ level: 'silent' }));
    const written: unknown[] = [];
    let finish!: () => void;
    const told = new Promise<void>((resolve) => (finish = resolve));
    let stopped!: () => void;
    const stopping = new Promise<void>((resolve) => (stopped = resolve));
    void app.get(BackgroundJobs).run('write', async (stop) => {
      stop.addEventListener('abort', stopped);
      await told;
      written.push(await app.get(DataSource).query('SELECT 1 AS one'));
    });
    const closing = app.close().then(() => written.push('closed'));
    await stopping;
    finish();
    await closing;
    expect(written).toEqual([[{ one: 1 }], 'closed']);
  });

  it('writes last_used_at every thirty seconds and cleans every ten minutes', async () => {
    const interval = jest.spyOn(global, 'setInterval');
    const service = await startService();
    const every = (milliseconds: number) =>
      interval.mock.calls.filter(([, each]) => each === milliseconds).map(([work]) => work);
    // Idempotency records, and deliveries of webhooks.
    expect([every(30_000).length, every(600_000).length]).toEqual([1, 2]);
    const { api, companyId } = await registerCompany(service.client);
    expect((await api.get('/svc/campaign/list')).status).toBe(200);
    every(30_000)[0]!();
    const isWritten = async () => {
      const [row] = await service.dataSource.query(
        'SELECT last_used_at IS NOT NULL AS written FROM api_key WHERE company_id = $1',
        [storedEnvironment(companyId)],
      );
      return row.written as boolean;
    };
    await eventually(async () => {
      expect(await isWritten()).toBe(true);
    });
    await service.close();
  });
});
