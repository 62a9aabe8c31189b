import { randomUUID } from 'node:crypto';
import { survey } from '../support/builders';
import { registerCompany, TestCompany } from '../support/client';
import { postgresUrl } from '../support/databases';
import { eventually } from '../support/eventually';
import { feedPage } from '../support/feed';
import { Metrics } from '../support/metrics';
import { serviceForAll } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

describe('the metrics endpoint', () => {
  const service = serviceForAll({
    variables: { METRICS_PORT: '0', RATE_LIMIT_ENABLED: 'true', RATE_LIMIT_PER_KEY: '3' },
  });
  let company: TestCompany;
  let metrics: Metrics;

  beforeAll(async () => {
    company = await registerCompany(service.client);
    metrics = Metrics.of(service);
  });

  it('uses the text format of Prometheus, beside the public port', async () => {
    const { url } = metrics;
    const answer = await fetch(url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    for (const line of (await answer.text()).trim().split('\n')) {
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{.*\})? (-?[\d.e+-]+|NaN|\+Inf)|)$/);
    }
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect((await service.client.get('/metrics')).status).toBe(404);
    expect((await fetch(new URL('/', url))).status).toBe(404);
    expect((await fetch(url, { method: 'POST' })).status).toBe(404);
  });

  it('counts requests by route pattern and status, unknown paths as one', async () => {
    const { api } = await registerCompany(service.client);
    await api.get('/svc/campaign/post_one');
    await api.get('/svc/campaign/post_two');
    await service.client.get(`/${randomUUID()}`);
    await metrics.expect(
      'http_request_duration_seconds_count{method="GET",route="/svc/campaign/:post_id",status="404",mode="live"}',
      2,
    );
    await metrics.expect(
      'http_request_duration_seconds_count{method="GET",route="none",status="404",mode="none"}',
      2,
    );
    const text = await metrics.text();
    expect(text).not.toMatch(/post_one|post_two|csk_|co_/);
  });

  it('describes the pool, the event loop and the process', async () => {
    const text = await metrics.text();
    for (const name of [
      'database_pool_connections{state="total"}',
      'database_pool_connections{state="idle"}',
      'database_pool_connections{state="waiting"}',
      'nodejs_eventloop_lag_p99_seconds',
      'process_resident_memory_bytes',
    ]) {
      expect(text).toContain(`\n${name} `);
    }
    expect(await metrics.read('database_pool_connections{state="total"}')).toBeGreaterThan(0);
  });

  it('shows how far the numbering of events is behind, and who waits for events', async () => {
    const { api, companyId } = await registerCompany(service.client);
    await eventually(async () => {
      const sequence = 'SELECT last_seq FROM event_sequence WHERE company_id = $1';
      const rows = await service.dataSource.query(sequence, [storedEnvironment(companyId)]);
      expect(rows).toEqual([{ last_seq: '1' }]);
    });
    await metrics.expect('events_unsequenced', 0);
    await service.dataSource.transaction(async (manager) => {
      // Nothing is numbered while the row is locked.
      await manager.query('SELECT FROM event_sequence WHERE company_id = $1 FOR UPDATE', [
        storedEnvironment(companyId),
      ]);
      if (postgresUrl === undefined) {
        // The embedded database has one session, so no other statement runs in this transaction.
        return;
      }
      await service.dataSource.query(
        `INSERT INTO unnumbered_event (company_id, subject, version, type, actor, changes, created_at)
         VALUES ($1, gen_random_uuid(), 1, 'campaign.updated', 'x', '{}', now() - interval '1 minute')`,
        [storedEnvironment(companyId)],
      );
      await metrics.expect('events_unsequenced', 1);
      const lag = await metrics.read('event_sequencer_lag_seconds');
      expect(lag).toBeGreaterThan(59);
      expect(lag).toBeLessThan(600);
    });
    await metrics.expect('events_unsequenced', 0);
    expect(await metrics.read('event_sequencer_lag_seconds')).toBe(0);
    const { last_seq: after } = await feedPage(api, { wait_seconds: 2 });
    const reader = feedPage(api, { after, wait_seconds: 20 });
    await metrics.expect('event_feed_waiting_requests', 1);
    await api.post('/svc/survey/create', survey());
    await reader;
    expect(await metrics.read('event_feed_waiting_requests')).toBe(0);
  });

  it('shows the queue of webhooks and what came of attempts', async () => {
    const { api } = await registerCompany(service.client);
    await feedPage(api, { wait_seconds: 5 });
    const { body } = await api.post('/svc/webhook/create', { url: 'https://127.0.0.1/' });
    await api.post('/svc/survey/create', survey());
    await metrics.expect(
      'webhook_attempt_duration_seconds_count{outcome="address_not_allowed"}',
      1,
    );
    await metrics.expect('webhook_deliveries_pending', 1);
    expect(await metrics.read('webhook_oldest_pending_seconds')).toBeGreaterThan(0);
    expect(await metrics.read('webhook_events_waiting')).toBe(0);
    // What a disabled webhook has not finished waits for nobody.
    const enable = (enabled: boolean) =>
      service.dataSource.query(
        `UPDATE webhook_endpoint SET enabled = $2, disabled_reason = $3 WHERE webhook_id = $1`,
        [body.data.webhook_id, enabled, enabled ? null : 'owner'],
      );
    await enable(false);
    await metrics.expect('webhook_deliveries_pending', 0);
    expect(await metrics.read('webhook_oldest_pending_seconds')).toBe(0);
    await enable(true);
    await metrics.expect('webhook_deliveries_pending', 1);
    await service.dataSource.query('DELETE FROM webhook_endpoint WHERE webhook_id = $1', [
      body.data.webhook_id,
    ]);
    await metrics.expect('webhook_deliveries_pending', 0);
    expect(await metrics.read('webhook_oldest_pending_seconds')).toBe(0);
  });

  it('counts replayed responses and limited requests', async () => {
    const client = company.api.with({ 'idempotency-key': randomUUID() });
    const answers = [];
    for (let i = 0; i < 5; i += 1) {
      answers.push(await client.post('/svc/survey/create', survey()));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    await metrics.expect('idempotent_replays_total', 2);
    await metrics.expect('rate_limited_requests_total{policy="key"}', 2);
  });
});
