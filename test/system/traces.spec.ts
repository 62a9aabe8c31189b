import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSurvey, survey } from '../support/builders';
import { Client, registerCompany, TestCompany } from '../support/client';
import { createTestDatabase, TestDatabase } from '../support/databases';
import { eventually } from '../support/eventually';
import { build, RunningService, runService } from '../support/process';
import { Receiver } from '../support/receiver';
import { TraceCollector } from '../support/trace-collector';

const ROOT = join(__dirname, '../..');

/** Writes the program of the operations guide where it finds the packages that it imports. */
function writeTracing(): string {
  const guide = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  const [, program = ''] = /```js\n(import .*?)```/s.exec(guide) ?? [];
  expect(program).toContain('.register()');
  const folder = join(ROOT, 'node_modules/.cache');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'tracing-of-the-guide.mjs');
  writeFileSync(file, program);
  return file;
}

const newTrace = () => randomBytes(16).toString('hex');

describe('traces', () => {
  let database: TestDatabase;
  let collector: TraceCollector;
  let receiver: Receiver;
  let service: RunningService;
  let log = '';
  let company: TestCompany;

  beforeAll(async () => {
    build();
    database = await createTestDatabase();
    collector = await TraceCollector.start();
    receiver = await Receiver.start();
    service = await startTraced();
    company = await registerCompany(service.client);
  });

  afterAll(async () => {
    await service.stop();
    collector.stop();
    await receiver.stop();
    await database.drop();
  });

  async function startTraced(variables: NodeJS.ProcessEnv = {}): Promise<RunningService> {
    const started = await runService({
      ...database.variables,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      NODE_OPTIONS: `--import ${writeTracing()}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      ...variables,
    });
    log = '';
    started.process.stdout!.on('data', (chunk: Buffer) => (log += chunk.toString()));
    return started;
  }

  const traced = (client: Client, trace: string) =>
    client.with({ traceparent: `00-${trace}-00f067aa0ba902b7-01` });

  /** Returns the one span of a trace that has this name. */
  const theSpan = (trace: string, name: string) =>
    eventually(() => {
      const spans = collector.inTrace(trace, name);
      expect(spans).toHaveLength(1);
      return spans[0]!;
    });

  it('continues the trace of a request, down to its statements', async () => {
    const { post_id } = await createSurvey(company.api);
    const trace = newTrace();
    await traced(company.api, trace).get(`/svc/campaign/${post_id}`);
    const request = await theSpan(trace, 'GET /svc/campaign/:post_id');
    expect(request).toMatchObject({
      parentSpanId: '00f067aa0ba902b7',
      attributes: {
        'http.route': '/svc/campaign/:post_id',
        'http.request.method': 'GET',
        'http.response.status_code': 200,
        'campaign_service.mode': 'live',
      },
    });
    const statement = await theSpan(trace, 'SELECT campaign');
    expect(statement.parentSpanId).toBe(request.spanId);
    expect(statement.attributes['db.query.text']).toContain('WHERE');
  });

  it('puts the statements of a keyed write into its transaction', async () => {
    const trace = newTrace();
    const client = traced(company.api, trace).with({ 'idempotency-key': randomUUID() });
    await client.post('/svc/survey/create', survey());
    const request = await theSpan(trace, 'POST /svc/survey/create');
    const transaction = await theSpan(trace, 'transaction');
    expect(transaction.parentSpanId).toBe(request.spanId);
    for (const name of ['START TRANSACTION', 'INSERT campaign', 'COMMIT']) {
      expect((await theSpan(trace, name)).parentSpanId).toBe(transaction.spanId);
    }
  });

  it('says why a request was refused', async () => {
    const trace = newTrace();
    await traced(company.api, trace).get('/svc/campaign/post_missing');
    expect((await theSpan(trace, 'GET /svc/campaign/:post_id')).attributes).toMatchObject({
      'http.response.status_code': 404,
      'error.type': 'campaign_not_found',
    });
  });

  it('writes the trace and the span of a request to its log line', async () => {
    const trace = newTrace();
    await traced(service.client, trace).get('/health/live');
    const { spanId } = await theSpan(trace, 'GET /health/live');
    await eventually(() => {
      const line = log.split('\n').find((each) => each.includes(trace)) ?? '';
      expect(line).toContain(`"trace_id":"${trace}","span_id":"${spanId}"`);
      expect(line.match(/"trace_id"/g)).toHaveLength(1);
    });
  });

  it('gives a webhook attempt a trace of its own, and names it to the receiver', async () => {
    const { body } = await company.api.post('/svc/webhook/create', { url: receiver.url });
    await createSurvey(company.api);
    const message = await eventually(() => {
      const [first] = receiver.messages;
      expect(first).toBeDefined();
      return first!;
    });
    const [, trace = '', span] = String(message.headers.traceparent).split('-');
    const attempt = await theSpan(trace, 'webhook attempt');
    expect(attempt).toMatchObject({
      spanId: span,
      attributes: {
        'campaign_service.webhook_id': body.data.webhook_id,
        'campaign_service.attempt': 1,
        'http.response.status_code': 204,
      },
    });
    const delivery = await theSpan(trace, 'deliver an event');
    expect(delivery.parentSpanId).toBeUndefined();
    expect(attempt.parentSpanId).toBe(delivery.spanId);
  });

  it('gives each run of a background job a trace of its own', async () => {
    const { traceId, spanId, parentSpanId } = await eventually(() => {
      const run = collector.spans.find(({ name }) => name === 'look for events without a number');
      expect(run).toBeDefined();
      return run!;
    });
    expect(parentSpanId).toBeUndefined();
    expect((await theSpan(traceId, 'SELECT unnumbered_event')).parentSpanId).toBe(spanId);
  });

  it('has no identifiers of companies or persons, and no secrets', async () => {
    const postId = (await createSurvey(company.api)).post_id;
    const trace = newTrace();
    await traced(company.api, trace).patch('/svc/campaign/update', {
      post_id: postId,
      tagline: 'a secret tagline',
    });
    await theSpan(trace, 'PATCH /svc/campaign/update');
    expect(collector.text).toContain('UPDATE campaign');
    expect(collector.text).not.toMatch(/co_0|csk_|whsec_|secret tagline|@example|part_|resp_/);
    expect(collector.text).not.toContain(postId);
  });

  it('are not made for a request that is not sampled, unless it continues a sampled trace', async () => {
    await service.stop();
    service = await startTraced({
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    });
    collector.spans.length = 0;
    const { api } = await registerCompany(service.client);
    const { post_id } = await createSurvey(api);
    await eventually(() => {
      const line =
        log.split('\n').find((each) => each.includes('"route":"/svc/survey/create"')) ?? '';
      expect(line).toMatch(/"trace_id":"[0-9a-f]{32}","span_id":"[0-9a-f]{16}"/);
    });
    const trace = newTrace();
    await traced(api, trace).patch('/svc/campaign/update', { post_id, tagline: 'new' });
    const request = await theSpan(trace, 'PATCH /svc/campaign/update');
    expect((await theSpan(trace, 'UPDATE campaign')).parentSpanId).toBe(request.spanId);
    expect(collector.spans.filter(({ traceId }) => traceId !== trace)).toEqual([]);
  });
});
