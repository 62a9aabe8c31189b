import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { createApp } from '../../src/app.setup';
import { BackgroundJobs } from '../../src/scheduling/background-jobs.service';
import { Client, registerCompany } from '../support/client';
import { createTestDatabase, TestDatabase } from '../support/databases';
import { testEnv } from '../support/env';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { expectError } from '../support/refusals';

/** Milliseconds within which a test ends. Its event would be waited for ten times as long. */
const PROMPT = 1_000;

/** A statement that looks for the event of a test. */
const LOOK = /FROM event\s+WHERE .* AND version = \$3 AND seq IS NOT NULL/;

describe('a test of a webhook whose event is not numbered', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let app: Awaited<ReturnType<typeof createApp>>;
  let api: Client;
  let webhook_id: string;
  let looks: number;

  async function start(): Promise<Client> {
    const variables = { ...database.variables, WEBHOOK_ALLOW_PRIVATE: 'true' };
    app = await createApp(testEnv(variables), pino({ level: 'silent' }));
    await app.listen(0, '127.0.0.1');
    return new Client(await app.getUrl());
  }

  beforeEach(async () => {
    database = await createTestDatabase();
    receiver = await Receiver.start();
    const client = await start();
    ({ api } = await registerCompany(client));
    ({ webhook_id } = (await api.post('/svc/webhook/create', { url: receiver.url })).data);
    // As in the last moments of a process, nothing is numbered any more.
    await app.get(BackgroundJobs).beforeApplicationShutdown();
    looks = 0;
    jest.spyOn(app.get(DataSource).logger, 'logQuery').mockImplementation((text) => {
      looks += LOOK.test(text) ? 1 : 0;
    });
  });

  afterEach(async () => {
    await app.close();
    await receiver.stop();
    await database.drop();
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
    await app.close();
    expect(performance.now() - stopping).toBeLessThan(PROMPT);
    const answer = await asked;
    expectError(answer, 503, 'service_unavailable');
    expect(answer.body.message).toBe('The service is stopping.');
    expect(answer.headers.get('retry-after')).toBe('1');

    const { url } = await start();
    const again = await new Client(url, api.headers).with(key).post(...request);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const tests = () => receiver.messages.filter(({ body }) => body.type === 'webhook.tested');
    await eventually(() => {
      expect(tests().map(({ id }) => id)).toEqual([again.data.event_id]);
    });
  });

  it('ends when its client has gone', async () => {
    const client = new AbortController();
    const asked = fetch(`${api.url}/svc/webhook/test`, {
      method: 'POST',
      headers: { ...api.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ webhook_id }),
      signal: client.signal,
    });
    await untilLooked();
    client.abort();
    await expect(asked).rejects.toThrow('aborted');
    await eventually(
      async () => {
        const before = looks;
        await delay(PROMPT / 4);
        expect(looks).toBe(before);
      },
      { deadline: PROMPT },
    );
  });
});
