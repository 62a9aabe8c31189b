import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { BackgroundJobs } from '../../src/platform/scheduling/background-jobs.service';
import { WebhookTests } from '../../src/delivery/webhook/webhook-tests.service';
import { Client, registerCompany } from '../support/client';
import { eventually } from '../support/eventually';
import { Instance, Instances } from '../support/instances';
import { Receiver } from '../support/receiver';
import { expectError } from '../support/refusals';

/** Milliseconds within which a test ends. Its event would be waited for ten times as long. */
const PROMPT = 1_000;

/** A statement that looks for the event of a test. */
const LOOK = /FROM event\s+WHERE .* AND version = \$3/;

describe('a test of a webhook whose event is not numbered', () => {
  const instances = new Instances();
  let database: NodeJS.ProcessEnv;
  let receiver: Receiver;
  let app: NestFastifyApplication;
  let api: Client;
  let webhook_id: string;
  let looks: number;

  const start = (): Promise<Instance> =>
    instances.start({ ...database, WEBHOOK_ALLOW_PRIVATE: 'true' });

  beforeEach(async () => {
    database = await instances.database();
    receiver = await Receiver.start();
    const { client, sql, ...started } = await start();
    ({ app } = started);
    ({ api } = await registerCompany(client));
    ({ webhook_id } = (await api.post('/svc/webhook/create', { url: receiver.url })).data);
    // As in the last moments of a process, nothing is numbered any more.
    await app.get(BackgroundJobs).beforeApplicationShutdown();
    looks = 0;
    jest.spyOn(sql.logger, 'logQuery').mockImplementation((text) => {
      looks += LOOK.test(text) ? 1 : 0;
    });
  });

  afterEach(async () => {
    await instances.drop();
    await receiver.stop();
  });

  const untilLooked = () =>
    eventually(() => {
      expect(looks).toBeGreaterThan(0);
    });

  it('ends when the service stops, and the event is sent after the next start', async () => {
    const request = ['/svc/webhook/test', { webhook_id }] as const;
    const key = { 'idempotency-key': 'test' };
    const asked = api.with(key).post(...request);
    await untilLooked();
    const stopping = performance.now();
    await instances.stop();
    expect(performance.now() - stopping).toBeLessThan(PROMPT);
    const answer = await asked;
    expectError(answer, 503, 'service_unavailable');
    expect(answer.body.message).toBe('The service is stopping.');
    expect(answer.headers.get('retry-after')).toBe('1');

    const { client } = await start();
    const again = await new Client(client.url, api.headers).with(key).post(...request);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const tests = () => receiver.messages.filter(({ body }) => body.type === 'webhook.tested');
    await eventually(() => {
      expect(tests().map(({ id }) => id)).toEqual([again.data.event_id]);
    });
  });

  it('ends when its client has gone', async () => {
    const search = jest.spyOn(app.get(WebhookTests), 'eventId');
    const client = new AbortController();
    const asked = fetch(`${api.url}/svc/webhook/test`, {
      method: 'POST',
      headers: { ...api.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ webhook_id }),
      signal: client.signal,
    });
    await untilLooked();
    const aborted = performance.now();
    client.abort();
    await expect(asked).rejects.toThrow('aborted');
    await expect(search.mock.results[0]?.value).rejects.toMatchObject({ code: 'request_timeout' });
    expect(performance.now() - aborted).toBeLessThan(PROMPT);
  });
});
