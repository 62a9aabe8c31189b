import { setTimeout as delay } from 'node:timers/promises';
import { createSurvey } from '../support/builders';
import { Client, registerCompany, TestCompany } from '../support/client';
import { createTestDatabase, postgresUrl, TestDatabase } from '../support/databases';
import { eventually } from '../support/eventually';
import { allEvents } from '../support/feed';
import { figures } from '../support/figures';
import { build, RunningService, runService } from '../support/process';
import { Received, Receiver, status, verified } from '../support/receiver';

/** The embedded database has one process. */
const INSTANCES = postgresUrl === undefined ? 1 : 2;

const KILLS = Number(process.env.WEBHOOK_KILLS ?? 4);

/** Events of the healthy company while another one's receiver hangs. */
const EVENTS = 100;

/** A receiver that fails in every way before it accepts a message. */
function capricious(): Receiver['respond'] {
  let count = 0;
  return (message, response) => {
    count += 1;
    switch (count % 5) {
      case 0:
        status(500)(message, response);
        break;
      case 1:
        status(302, { location: 'http://127.0.0.1:1/' })(message, response);
        break;
      case 2:
        // It hangs.
        break;
      case 3:
        setTimeout(() => response.writeHead(204).end(), 700);
        break;
      default:
        status(204)(message, response);
    }
  };
}

describe('webhooks of whole processes', () => {
  let database: TestDatabase;
  let services: RunningService[];
  let receivers: Receiver[];

  const start = () =>
    runService({
      ...database.variables,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      WEBHOOK_TIMEOUT_SECONDS: '1',
      // Two minutes in all: on a busy machine, a receiver is gone for a while.
      WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1,2,2,4,4,8,8,16,16,32,32',
      LOG_LEVEL: 'info',
    });

  beforeAll(build);

  beforeEach(async () => {
    database = await createTestDatabase();
    receivers = [];
    services = [await start()];
    while (services.length < INSTANCES) {
      services.push(await start());
    }
  });

  afterEach(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await Promise.all(receivers.map((receiver) => receiver.stop()));
    await database.drop();
  });

  /** A company with a webhook, and its receiver. */
  async function subscribe(
    respond?: Receiver['respond'],
  ): Promise<{ company: TestCompany; receiver: Receiver; secret: string; webhookId: string }> {
    const receiver = await Receiver.start();
    receivers.push(receiver);
    if (respond !== undefined) {
      receiver.respond = respond;
    }
    const company = await registerCompany(services[0]!.client);
    await allEvents(company.api, 1);
    const { body } = await company.api.post('/svc/webhook/create', { url: receiver.url });
    return { company, receiver, secret: body.data.secret, webhookId: body.data.webhook_id };
  }

  const through = (index: number, { api }: TestCompany) =>
    new Client(services[index % services.length]!.url, api.headers);

  it(
    'reach healthy receivers once and within a second while others hang',
    async () => {
      const healthy = await subscribe();
      const hanging = await Promise.all([1, 2, 3].map(() => subscribe(() => undefined)));
      const committed = new Map<string, number>();
      for (let count = 0; count < EVENTS; count += 1) {
        const { post_id } = await createSurvey(through(count, healthy.company));
        committed.set(post_id, Date.now());
        for (const { company } of hanging) {
          if (count % 20 === 0) {
            await createSurvey(through(count, company));
          }
        }
      }
      const messages = await healthy.receiver.until(EVENTS);
      // A second message about one of them would have come before that of a later event.
      await createSurvey(healthy.company.api);
      await healthy.receiver.until(EVENTS + 1);
      expect(healthy.receiver.messages).toHaveLength(EVENTS + 1);
      expect(new Set(messages.map(({ id }) => id)).size).toBe(EVENTS);
      const lags = messages
        .map(({ at, body }) => at - committed.get(body.data.subject)!)
        .toSorted((a, b) => a - b);
      const p95 = lags[Math.floor(0.95 * EVENTS)]!;
      figures(`webhooks, ${EVENTS} events, ${INSTANCES} instances`, {
        'p50 ms': lags[EVENTS / 2]!,
        'p95 ms': p95,
        'longest ms': lags.at(-1)!,
      });
      expect(p95).toBeLessThan(1_000);
      for (const { receiver } of hanging) {
        expect(receiver.messages.length).toBeGreaterThan(0);
      }
    },
    5 * 60_000,
  );

  it(
    `lose nothing when the service is killed ${KILLS} times and a receiver breaks`,
    async () => {
      const subscriptions = [await subscribe(), await subscribe(capricious())];
      const [healthy, broken] = subscriptions.map(({ receiver }) => receiver) as [
        Receiver,
        Receiver,
      ];
      const untilMore = async () => {
        const { length } = healthy.messages;
        await eventually(() => {
          expect(healthy.messages.length).toBeGreaterThan(length);
        });
      };
      let writing = true;
      const writers = subscriptions.map(async ({ company }, index) => {
        for (let count = index; writing; count += 1) {
          await createSurvey(through(count, company)).catch(() => undefined);
          await delay(100);
        }
      });
      for (let kill = 0; kill < KILLS; kill += 1) {
        await untilMore();
        const victim = services[kill % services.length]!;
        await victim.kill();
        services[kill % services.length] = await start();
        if (kill % 3 === 1) {
          await broken.stop();
          await untilMore();
          await broken.restart();
        }
      }
      writing = false;
      await Promise.all(writers);
      broken.respond = status(204);

      let sent = 0;
      for (const { company, receiver, secret, webhookId } of subscriptions) {
        const api = through(0, company);
        const events = (await allEvents(api, 2)).slice(1);
        sent += events.length;
        const arrived = new Map<string, Received>();
        await eventually(
          () => {
            receiver.messages.forEach((message) => arrived.set(message.id, message));
            expect(events.filter(({ event_id }) => !arrived.has(event_id))).toEqual([]);
          },
          { deadline: 240_000 },
        );
        for (const { event_id, seq } of events) {
          expect(verified(arrived.get(event_id)!, secret).data.seq).toBe(seq);
        }
        await eventually(async () => {
          const path = `/svc/webhook/${webhookId}/deliveries?status=pending`;
          expect((await api.get(path)).body.data.items).toEqual([]);
        });
        const failed = await api.get(`/svc/webhook/${webhookId}/deliveries?status=failed`);
        expect(failed.body.data.items).toEqual([]);
      }
      figures(`webhooks, ${KILLS} kills`, {
        events: sent,
        messages: subscriptions.reduce((sum, { receiver }) => sum + receiver.messages.length, 0),
      });
    },
    10 * 60_000,
  );
});
