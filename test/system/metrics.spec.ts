import { randomUUID } from 'node:crypto';
import { MetricsServer } from '../../src/metrics/metrics.server';
import { survey } from '../support/builders';
import { registerCompany, TestCompany } from '../support/client';
import { startService, TestService } from '../support/service';

describe('Metrics', () => {
  let service: TestService;
  let company: TestCompany;
  let url: string;

  beforeAll(async () => {
    service = await startService({
      variables: { METRICS_PORT: '0', RATE_LIMIT_ENABLED: 'true', RATE_LIMIT_PER_KEY: '3' },
    });
    company = await registerCompany(service.client);
    url = service.app.get(MetricsServer, { strict: false }).url!;
  });

  afterAll(() => service.close());

  /** The value of the line that begins so. */
  async function read(line: string): Promise<number> {
    const lines = (await (await fetch(url)).text()).split('\n');
    const found = lines.find((each) => each.startsWith(`${line} `)) ?? `${line} 0`;
    return Number(found.slice(line.length));
  }

  /** Waits until a request is counted, which is done after its answer. */
  async function expectCount(line: string, count: number): Promise<void> {
    while ((await read(line)) < count) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(await read(line)).toBe(count);
  }

  it('are in the text format of Prometheus, beside the public port', async () => {
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

  it('count requests by route pattern and status, unknown paths as one', async () => {
    const { api } = await registerCompany(service.client);
    await api.get('/svc/campaign/post_one');
    await api.get('/svc/campaign/post_two');
    await service.client.get(`/${randomUUID()}`);
    await expectCount(
      'http_request_duration_seconds_count{method="GET",route="/svc/campaign/:post_id",status="404"}',
      2,
    );
    await expectCount(
      'http_request_duration_seconds_count{method="GET",route="none",status="404"}',
      2,
    );
    const text = await (await fetch(url)).text();
    expect(text).not.toMatch(/post_one|post_two|csk_|co_/);
  });

  it('tell of the pool, the event loop and the process', async () => {
    const text = await (await fetch(url)).text();
    for (const name of [
      'database_pool_connections{state="total"}',
      'database_pool_connections{state="idle"}',
      'database_pool_connections{state="waiting"}',
      'nodejs_eventloop_lag_p99_seconds',
      'process_resident_memory_bytes',
    ]) {
      expect(text).toContain(`\n${name} `);
    }
    expect(await read('database_pool_connections{state="total"}')).toBeGreaterThan(0);
  });

  it('count replayed answers and limited requests', async () => {
    const client = company.api.with({ 'idempotency-key': randomUUID() });
    const answers = [];
    for (let i = 0; i < 5; i += 1) {
      answers.push(await client.post('/svc/survey/create', survey()));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(await read('idempotent_replays_total')).toBe(2);
    expect(await read('rate_limited_requests_total{policy="key"}')).toBe(2);
  });
});
