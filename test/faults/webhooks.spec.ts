import { createSurvey } from '../support/builders';
import { Client, registerCompany } from '../support/client';
import { eventually } from '../support/eventually';
import { figures } from '../support/figures';
import { HOSTILE_RECEIVERS, HostileServer } from '../support/hostile-receivers';
import { PostgresCluster } from '../support/postgres-cluster';
import { build, RunningService, runService } from '../support/process';
import { Receiver } from '../support/receiver';

/** Companies of which each has a webhook to every hostile receiver that fits. */
const HOSTILE_COMPANIES = process.env.FAULT_ROUNDS === undefined ? 3 : 16;
const WEBHOOKS_MAXIMUM = 20;

const BYSTANDERS = 3;
const EVENTS = 40;

/**
 * Maximum milliseconds until a message of the others arrives. A quiet machine needs less than one
 * second; the receivers that send without end share the cores and the event loop of this test.
 */
const LAG_LIMIT = 5_000;

/** Maximum milliseconds of a stop: what attempts get, and the rest of the shutdown. */
const STOP_LIMIT = 20_000;

describe('webhooks of companies whose receivers are hostile', () => {
  let cluster: PostgresCluster;
  let service: RunningService;
  let hostile: HostileServer[];
  let receivers: Receiver[];

  beforeAll(async () => {
    build();
    cluster = await PostgresCluster.create();
    service = await runService({
      DATABASE_URL: cluster.url(),
      WEBHOOK_ALLOW_PRIVATE: 'true',
      WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1',
    });
    hostile = await Promise.all(HOSTILE_RECEIVERS.map((each) => HostileServer.start(each)));
    receivers = await Promise.all(Array.from({ length: BYSTANDERS }, () => Receiver.start()));
  });

  afterAll(async () => {
    await Promise.all([...hostile, ...receivers].map((receiver) => receiver.stop()));
    await service.kill();
    await cluster.remove();
  });

  async function subscribe(url: string, api: Client): Promise<string> {
    const { status, body } = await api.post('/svc/webhook/create', { url });
    expect(status).toBe(200);
    return body.data.webhook_id;
  }

  /** Writes events of all companies, and returns the lags of the bystanders' messages, sorted. */
  async function lagsOf(
    bystanders: readonly { api: Client; receiver: Receiver }[],
    others: readonly { api: Client }[],
  ): Promise<number[]> {
    const committed = new Map<string, number>();
    for (let event = 0; event < EVENTS; event += 1) {
      await Promise.all(others.map(({ api }) => createSurvey(api)));
      await Promise.all(
        bystanders.map(async ({ api }) => {
          const { post_id } = await createSurvey(api);
          committed.set(post_id, Date.now());
        }),
      );
    }
    const messages = await Promise.all(
      bystanders.map(({ receiver }) =>
        receiver.until(EVENTS, ({ body }) => committed.has(body.data.subject)),
      ),
    );
    return messages
      .flat()
      .map(({ at, body }) => at - committed.get(body.data.subject)!)
      .toSorted((a, b) => a - b);
  }

  it(`let the service deliver each message of ${BYSTANDERS} others once, and stop`, async () => {
    const { client } = service;
    const attacked = await Promise.all(
      Array.from({ length: HOSTILE_COMPANIES }, async (_, index) => {
        const { api } = await registerCompany(client);
        const offset = index * WEBHOOKS_MAXIMUM;
        const webhooks: string[] = [];
        for (let count = 0; count < WEBHOOKS_MAXIMUM; count += 1) {
          const { url } = hostile[(offset + count) % hostile.length]!;
          webhooks.push(await subscribe(url, api));
        }
        return { api, webhooks };
      }),
    );
    const bystanders = await Promise.all(
      receivers.map(async (receiver) => {
        const { api } = await registerCompany(client);
        await subscribe(receiver.url, api);
        return { api, receiver };
      }),
    );

    const quiet = await lagsOf(bystanders, []);
    const lags = await lagsOf(bystanders, attacked);
    figures(`${HOSTILE_COMPANIES * WEBHOOKS_MAXIMUM} webhooks to hostile receivers`, {
      'p50 ms': lags[Math.floor(lags.length / 2)]!,
      'longest ms': lags.at(-1)!,
      'longest ms without them': quiet.at(-1)!,
    });
    // None was sent twice, and none is missing.
    expect(lags).toHaveLength(BYSTANDERS * EVENTS);
    expect(lags.at(-1)).toBeLessThan(LAG_LIMIT);

    // Every webhook has an attempt with a result.
    for (const { api, webhooks } of attacked) {
      for (const webhookId of webhooks) {
        await eventually(
          async () => {
            const { body } = await api.get(`/svc/webhook/${webhookId}/deliveries?limit=100`);
            expect(JSON.stringify(body.data.items)).toContain('"duration_ms":');
          },
          { pause: 200 },
        );
      }
    }

    const stopping = performance.now();
    expect(await service.stop()).toBe(0);
    expect(performance.now() - stopping).toBeLessThan(STOP_LIMIT);
  });
});
