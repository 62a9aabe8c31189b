import type { QueryRunner } from 'typeorm';
import { registry } from '../src/platform/metrics/metrics.registry';
import { WebhookSweep } from '../src/delivery/webhook/webhook-sweep.service';
import { createSurvey } from './support/builders';
import { registerCompany, TestCompany } from './support/client';
import { onPostgres } from './support/engines';
import { eventually } from './support/eventually';
import { allEvents } from './support/feed';
import { untilLockWait } from './support/lock-waits';
import { Receiver } from './support/receiver';
import { serviceForAll } from './support/service';
import { storedEnvironment } from '../src/platform/caller/environment.rules';

describe('an event', () => {
  const service = serviceForAll({ variables: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  let sweep: WebhookSweep;
  let company: TestCompany;
  let companyId: string;
  let receiver: Receiver;

  beforeAll(() => {
    sweep = service.app.get(WebhookSweep);
  });

  beforeEach(async () => {
    receiver = await Receiver.start();
    company = await registerCompany(service.client);
    await allEvents(company.api, 1);
    ({ company_id: companyId } = (await company.account.get('/api/company/me')).body.data);
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await receiver.stop();
  });

  async function create(): Promise<string> {
    const { data } = await company.api.post('/svc/webhook/create', { url: receiver.url });
    return data.webhook_id;
  }

  const update = (webhook_id: string, enabled: boolean) =>
    company.api.patch('/svc/webhook/update', { webhook_id, enabled });

  /** Runs a condition on a webhook until it is true. */
  async function until(condition: string, webhookId: string): Promise<void> {
    const statement = `
      SELECT FROM webhook_endpoint AS w JOIN event_sequence AS s USING (company_id)
      WHERE w.company_id = $1 AND w.webhook_id = $2 AND ${condition}`;
    const parameters = [storedEnvironment(companyId), webhookId];
    await eventually(async () => {
      expect(await service.dataSource.query(statement, parameters)).toHaveLength(1);
    });
  }

  /** The dispatcher has claimed all that it sees. */
  const IDLE = 'w.due_at IS NULL';

  it('is attempted again if a killed process claimed it before the clock went back', async () => {
    const webhookId = await create();
    await createSurvey(company.api);
    await receiver.until(1);
    await until(IDLE, webhookId);
    await service.dataSource.query(
      `UPDATE webhook_delivery SET state = 'pending', finished_at = NULL,
         claimed_at = now() + interval '1 hour', due_at = now() + interval '1 hour 20 seconds'
       WHERE company_id = $1 AND webhook_id = $2`,
      [storedEnvironment(companyId), webhookId],
    );
    await service.dataSource.query(
      `UPDATE webhook_endpoint SET due_at = now() + interval '1 hour 20 seconds'
       WHERE company_id = $1 AND webhook_id = $2`,
      [storedEnvironment(companyId), webhookId],
    );
    expect(await sweep.wakeMissed()).toBe(1);
    await receiver.until(2);
    await until(IDLE, webhookId);
    expect(await sweep.wakeMissed()).toBe(0);
  });

  describe('whose webhook was not told of it', () => {
    it.each([
      ['with nothing else to do', 'NULL'],
      ['that waits for a later attempt', "now() + interval '1 day'"],
    ])('is found by the sweep, counted and delivered: a webhook %s', async (_, due) => {
      const webhookId = await create();
      await createSurvey(company.api);
      await receiver.until(1);
      await until(IDLE, webhookId);
      expect(await sweep.wakeMissed()).toBe(0);
      await service.dataSource.query(
        `UPDATE webhook_endpoint SET claimed_seq = claimed_seq - 1, due_at = ${due}
         WHERE company_id = $1 AND webhook_id = $2`,
        [storedEnvironment(companyId), webhookId],
      );
      const missed = async () =>
        (await registry.getSingleMetric('webhook_wakeups_missed_total')!.get()).values[0]!.value;
      const before = await missed();
      expect(await sweep.wakeMissed()).toBe(1);
      expect((await missed()) - before).toBe(1);
      await receiver.until(2);
      expect(await sweep.wakeMissed()).toBe(0);
    });
  });

  describe('that waits for room in the queue of its webhook', () => {
    /** Fills the queue of a webhook, whose deliveries wait for a later attempt. */
    async function fill(webhookId: string): Promise<void> {
      await until(IDLE, webhookId);
      const ids = [storedEnvironment(companyId), webhookId];
      await service.dataSource.query(
        `INSERT INTO webhook_delivery (company_id, webhook_id, seq, state, due_at)
         SELECT $1, $2, n, 'pending', now() + interval '1 day'
         FROM generate_series(1000001, 1010000) AS n`,
        ids,
      );
    }

    const remove = (webhook_id: string) => company.api.post('/svc/webhook/delete', { webhook_id });

    /** Runs the sweep and returns how many of its statements count a queue. */
    async function counts(): Promise<number> {
      const query = jest.spyOn(service.dataSource, 'query');
      expect(await sweep.wakeMissed()).toBe(0);
      const counting = query.mock.calls.filter(([sql]) =>
        /webhook_endpoint[^]*count\(\*\)/.test(sql),
      );
      query.mockRestore();
      return counting.length;
    }

    it('is left there by the sweep, which counts the queues of unread events only', async () => {
      const webhookId = await create();
      await fill(webhookId);
      expect(await counts()).toBe(0);
      await createSurvey(company.api);
      await until('s.last_seq > w.claimed_seq AND w.due_at > clock_timestamp()', webhookId);
      expect(await counts()).toBe(1);
      await remove(webhookId);
    });
  });

  it('is not reported if the webhook is told of it during the sweep', async () => {
    const webhookId = await create();
    await until(IDLE, webhookId);
    const move = (events: number) =>
      service.dataSource.query(
        `UPDATE webhook_endpoint SET claimed_seq = claimed_seq + $3, due_at = NULL
         WHERE company_id = $1 AND webhook_id = $2`,
        [storedEnvironment(companyId), webhookId, events],
      );
    await move(-1);
    const missed: unknown[] = [];
    const run = service.dataSource.query.bind(service.dataSource);
    jest.spyOn(service.dataSource, 'query').mockImplementation(async (sql, parameters: any) => {
      const found = await run(sql, parameters);
      if (sql.includes('SELECT w.company_id, w.webhook_id') && found.length > 0) {
        missed.push(...found);
        await move(1);
      }
      return found;
    });
    expect(await sweep.wakeMissed()).toBe(0);
    expect(missed).toMatchObject([{ webhook_id: webhookId }]);
  });

  it('of other companies is found by the sweep although some of its statements fail', async () => {
    const webhookId = await create();
    await until(IDLE, webhookId);
    const ids = [storedEnvironment(companyId), webhookId];
    // So many that the webhook is in the second batch.
    await service.dataSource.query(
      `INSERT INTO webhook_endpoint
         (company_id, webhook_id, slot, url, secret, claimed_seq, due_at, updated_by)
       SELECT lpad(n::text, 32, '0')::uuid, 'whk_' || n, 1, 'https://example.com', '', 0, NULL, ''
       FROM generate_series(1, 500) AS n`,
    );
    await service.dataSource.query(
      `UPDATE webhook_endpoint SET claimed_seq = claimed_seq - 1, due_at = NULL
       WHERE company_id = $1 AND webhook_id = $2`,
      ids,
    );
    const run = service.dataSource.query.bind(service.dataSource);
    let failed = false;
    const query = jest
      .spyOn(service.dataSource, 'query')
      .mockImplementation((sql, parameters: any) => {
        if (!failed && sql.includes('s.last_seq > w.claimed_seq')) {
          failed = true;
          return Promise.reject(new Error('too slow'));
        }
        return run(sql, parameters);
      });
    await expect(sweep.wakeMissed()).rejects.toThrow('1 statements: Error: too slow');
    query.mockRestore();
    await service.dataSource.query(
      "DELETE FROM webhook_endpoint WHERE webhook_id LIKE 'whk\\__%' AND updated_by = ''",
    );
    await receiver.until(1);
  });

  onPostgres('that is numbered while its webhook is claimed', () => {
    /** A transaction that numbers events, or claims deliveries, as another process does. */
    let other: QueryRunner;

    beforeEach(async () => {
      other = service.dataSource.createQueryRunner();
      await other.startTransaction();
    });

    afterEach(() => other.release());

    /** Numbers an event in the other transaction. No other process may number meanwhile. */
    async function number(): Promise<void> {
      await other.query('SELECT FROM event_sequence WHERE company_id = $1 FOR UPDATE', [
        storedEnvironment(companyId),
      ]);
      await createSurvey(company.api);
      await other.query('SELECT FROM number_events($1, 1000)', [storedEnvironment(companyId)]);
    }

    /** Ends the other transaction once the work is done, or its statement waits for a lock. */
    async function commitDuring(statement: string, work: Promise<unknown>): Promise<void> {
      await Promise.race([work, untilLockWait(service.dataSource, statement)]);
      await other.commitTransaction();
      await work;
    }

    it('is not left behind by a webhook that is created meanwhile', async () => {
      await number();
      await commitDuring(
        'INSERT INTO event_sequence',
        create().then((id) => until(IDLE, id)),
      );
      expect(await sweep.wakeMissed()).toBe(0);
      await createSurvey(company.api);
      await receiver.until(1);
    });

    it('is delivered to a webhook that is enabled meanwhile', async () => {
      const webhookId = await create();
      await update(webhookId, false);
      await number();
      await commitDuring(
        'UPDATE webhook_endpoint',
        update(webhookId, true).then(() => until(IDLE, webhookId)),
      );
      expect(await sweep.wakeMissed()).toBe(0);
      await receiver.until(1);
    });

    it('is delivered to a webhook that is replayed meanwhile', async () => {
      const webhookId = await create();
      await until(IDLE, webhookId);
      await number();
      const replay = { webhook_id: webhookId, after_seq: 0 };
      await commitDuring(
        'UPDATE webhook_endpoint',
        company.api.post('/svc/webhook/replay', replay).then(() => until(IDLE, webhookId)),
      );
      expect(await sweep.wakeMissed()).toBe(0);
      await receiver.until(2);
    });

    it('is delivered to a webhook that was due already', async () => {
      const webhookId = await create();
      await until(IDLE, webhookId);
      // A claim that has seen the end of the log, of a webhook that becomes due before it commits.
      await service.dataSource.query(
        `UPDATE webhook_endpoint SET due_at = clock_timestamp() + interval '2 seconds'
         WHERE company_id = $1 AND webhook_id = $2`,
        [storedEnvironment(companyId), webhookId],
      );
      await other.query("SELECT FROM claim_deliveries($1, $2, 5, 5, '30 seconds')", [
        storedEnvironment(companyId),
        webhookId,
      ]);
      await until('w.due_at <= clock_timestamp()', webhookId);
      await createSurvey(company.api);
      await commitDuring('number_events', until('s.last_seq = 2', webhookId));
      expect(await sweep.wakeMissed()).toBe(0);
      await receiver.until(1);
    });
  });
});
