import { pino } from 'pino';
import { createApp } from '../src/app.setup';
import { createSurvey } from './support/builders';
import { Answer, Client, registerCompany, TestCompany } from './support/client';
import { createTestDatabase, TestDatabase } from './support/databases';
import { testEnv } from './support/env';
import { holdDeletions } from './support/deletions';
import { eventually } from './support/eventually';
import { allEvents } from './support/feed';
import { liveSurvey } from './support/fielding';
import { createGuardrail, respond, spent } from './support/guardrails';
import { platformClient } from './support/platforms';
import { Received, Receiver, status, verified } from './support/receiver';
import { expectError, expectInvalid } from './support/refusals';
import { serviceForAll } from './support/service';
import { pagesOf } from './support/pages';
import { storedEnvironment } from '../src/platform/caller/environment.rules';
import { DeliveryQueue } from '../src/delivery/webhook/delivery-queue.service';

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

/** Seconds between attempts, and of failures until an endpoint is disabled. */
const RETRIES = '1,1,1';
const DISABLE = '60';

const switchProtocols: Receiver['respond'] = (_, { socket }) => {
  socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n');
};

describe('webhooks', () => {
  const service = serviceForAll({
    variables: {
      WEBHOOK_ALLOW_PRIVATE: 'true',
      WEBHOOK_RETRY_SECONDS: RETRIES,
      WEBHOOK_TIMEOUT_SECONDS: '1',
      WEBHOOK_DISABLE_SECONDS: DISABLE,
    },
  });
  let company: TestCompany;
  let receiver: Receiver;
  const bystanders: Receiver[] = [];

  beforeEach(async () => {
    company = await registerCompany(service.client);
    await allEvents(company.api, 1);
    receiver = await Receiver.start();
  });

  afterEach(async () => {
    for (const { webhook_id } of (await company.api.get('/svc/webhook/list')).body.data.items) {
      await company.api.post('/svc/webhook/delete', { webhook_id });
    }
    await Promise.all([receiver, ...bystanders.splice(0)].map((each) => each.stop()));
  });

  async function createWebhook(fields: Record<string, unknown> = {}): Promise<any> {
    const { status: code, body } = await company.api.post('/svc/webhook/create', {
      url: receiver.url,
      ...fields,
    });
    expect([code, body.error]).toEqual([200, undefined]);
    return body.data;
  }

  const webhook = async (id: string): Promise<any> =>
    (await company.api.get('/svc/webhook/list')).body.data.items.find(
      ({ webhook_id }: any) => webhook_id === id,
    );

  const deliveries = async (id: string, query = ''): Promise<any[]> => {
    const { status: code, body } = await company.api.get(`/svc/webhook/${id}/deliveries${query}`);
    expect(code).toBe(200);
    return body.data.items;
  };

  /** Returns the first delivery once its state is this. */
  const finished = (id: string, state: string): Promise<any> =>
    eventually(async () => {
      const [delivery] = await deliveries(id);
      expect(delivery).toMatchObject({ status: state });
      return delivery;
    });

  /** Another receiver of the company's events: what it has, the first could have too. */
  async function bystander(): Promise<Receiver> {
    const other = await Receiver.start();
    bystanders.push(other);
    await createWebhook({ url: other.url });
    return other;
  }

  const toggle = (post_id: string, is_live: boolean) =>
    company.api.patch('/svc/campaign/toggle-live', { post_id, is_live });

  const replay = (body: Record<string, unknown>): Promise<Answer> =>
    company.api.post('/svc/webhook/replay', body);

  describe('endpoints', () => {
    it('creates one with a secret that is shown once', async () => {
      const created = await createWebhook({ description: 'Orders' });
      expect(created).toEqual({
        webhook_id: expect.stringMatching(/^whk_[0-9a-z]{26}$/),
        mode: 'live',
        url: receiver.url,
        event_types: null,
        description: 'Orders',
        enabled: true,
        disabled_reason: null,
        failing_since: null,
        missed_from_seq: null,
        missed_to_seq: null,
        previous_secret_ends_at: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
        secret: expect.stringMatching(SECRET),
      });
      const { secret, ...rest } = created;
      expect((await company.api.get('/svc/webhook/list')).body.data).toEqual({ items: [rest] });
      const [row] = await service.dataSource.query(
        'SELECT secret FROM webhook_endpoint WHERE webhook_id = $1',
        [created.webhook_id],
      );
      expect(row.secret.includes(secret)).toBe(false);
    });

    it('changes one, and clears with null', async () => {
      const { webhook_id } = await createWebhook({
        event_types: ['campaign.created'],
        description: 'Orders',
      });
      const { body } = await company.api.patch('/svc/webhook/update', {
        webhook_id,
        event_types: null,
        description: null,
      });
      expect(body.data).toMatchObject({ event_types: null, description: null, enabled: true });
      expectError(
        await company.api.patch('/svc/webhook/update', { webhook_id }),
        400,
        'nothing_to_update',
      );
    });

    it.each([
      ['ftp://example.com/hook', {}],
      ['http://user:secret@example.com/', {}],
      ['not a url', {}],
    ])('refuses the URL %s', async (url) => {
      expectInvalid(await company.api.post('/svc/webhook/create', { url }), {
        url: 'invalid_url',
      });
    });

    it('refuses an unknown type, and the type of tests', async () => {
      const answer = await company.api.post('/svc/webhook/create', {
        url: receiver.url,
        event_types: ['campaign.exploded', 'webhook.tested'],
      });
      expectInvalid(answer, {
        'event_types[0]': 'not_allowed',
        'event_types[1]': 'not_allowed',
      });
    });

    it('creates at most 20 of a company, also at once', async () => {
      const answers = await Promise.all(
        Array.from({ length: 24 }, () =>
          company.api.post('/svc/webhook/create', { url: receiver.url }),
        ),
      );
      const refused = answers.filter(({ status: code }) => code !== 200);
      expect(refused).toHaveLength(4);
      refused.forEach((answer) => {
        expectError(answer, 422, 'too_many_webhooks');
      });
      const { items } = (await company.api.get('/svc/webhook/list')).body.data;
      expect(items).toHaveLength(20);
      await company.api.post('/svc/webhook/delete', { webhook_id: items[7].webhook_id });
      await createWebhook();
    });
  });

  describe('a deletion', () => {
    const DELIVERIES = 20_001;
    let look: () => Promise<void>;

    beforeEach(() => {
      look = holdDeletions(service.app);
    });

    afterEach(async () => {
      jest.restoreAllMocks();
      await look();
    });

    const addDeliveries = (webhookId: string, count = DELIVERIES) =>
      service.dataSource.query(
        `INSERT INTO webhook_delivery
           (company_id, webhook_id, seq, state, due_at, finished_at, created_at)
         SELECT $1, $2, n, 'delivered', NULL, now(), now()
         FROM generate_series(1000001, 1000000 + $3::integer) AS n`,
        [storedEnvironment(company.companyId), webhookId, count],
      );

    const remove = (webhook_id: string) =>
      company.api
        .with({ 'idempotency-key': webhook_id })
        .post('/svc/webhook/delete', { webhook_id });

    /** How many deliveries of a webhook are stored. */
    async function stored(webhookId: string): Promise<number> {
      const [{ count }] = await service.dataSource.query(
        'SELECT count(*)::integer AS count FROM webhook_delivery WHERE webhook_id = $1',
        [webhookId],
      );
      return count;
    }

    const noted = (webhookId: string): Promise<unknown[]> =>
      service.dataSource.query('SELECT id FROM deletion WHERE id = $1', [webhookId]);

    it('returns the webhook as it was, however many deliveries it has, and frees its place', async () => {
      const created = await Promise.all(Array.from({ length: 20 }, () => createWebhook()));
      const { secret: _, ...before } = created[0];
      const { webhook_id } = before;
      await addDeliveries(webhook_id);
      const { status: code, body } = await remove(webhook_id);
      expect([code, body.data]).toEqual([200, before]);
      expect(await stored(webhook_id)).toBe(DELIVERIES);
      expect(await noted(webhook_id)).toEqual([{ id: webhook_id }]);
      await createWebhook();
      expect(await webhook(webhook_id)).toBeUndefined();
      for (const response of [
        await company.api.patch('/svc/webhook/update', { webhook_id, enabled: true }),
        await company.api.post('/svc/webhook/rotate-secret', { webhook_id }),
        await company.api.post('/svc/webhook/delete', { webhook_id }),
        await company.api.post('/svc/webhook/test', { webhook_id }),
        await replay({ webhook_id, after_seq: 0 }),
        await company.api.get(`/svc/webhook/${webhook_id}/deliveries`),
      ]) {
        expectError(response, 404, 'webhook_not_found');
      }
    });

    it('is followed by the removal of the deliveries, in parts', async () => {
      const { webhook_id } = await createWebhook();
      await addDeliveries(webhook_id);
      await remove(webhook_id);
      const query = jest.spyOn(service.dataSource.logger, 'logQuery');
      await look();
      const parts = query.mock.calls.flatMap(([text, parameters]) =>
        text.includes('DELETE FROM webhook_delivery') ? [parameters?.slice(2)] : [],
      );
      expect(parts).toEqual([
        ['0', '1020000'],
        ['1020000', '1020001'],
      ]);
      expect([await stored(webhook_id), await noted(webhook_id)]).toEqual([0, []]);
    });

    it('removes the deliveries at once, without waiting for the next look', async () => {
      jest.restoreAllMocks();
      const { webhook_id } = await createWebhook();
      await addDeliveries(webhook_id, 1);
      await remove(webhook_id);
      await eventually(async () => {
        expect([await stored(webhook_id), await noted(webhook_id)]).toEqual([0, []]);
      });
    });

    it('whose removal fails does not hold up the others', async () => {
      const ids = [(await createWebhook()).webhook_id, (await createWebhook()).webhook_id].sort();
      for (const id of ids) {
        await addDeliveries(id, 1);
        await remove(id);
      }
      const run = service.dataSource.query.bind(service.dataSource);
      jest
        .spyOn(service.dataSource, 'query')
        .mockImplementation((sql, parameters: any) =>
          sql.includes('DELETE FROM webhook_delivery') && parameters[1] === ids[0]
            ? Promise.reject(new Error('no room'))
            : run(sql, parameters),
        );
      await expect(look()).rejects.toThrow('1 deleted webhooks or guardrails: Error: no room');
      expect([await stored(ids[0]), await stored(ids[1])]).toEqual([1, 0]);
    });

    it('lets a running attempt go on, whose result changes nothing', async () => {
      const { webhook_id } = await createWebhook();
      let refuse!: () => void;
      receiver.respond = (message, response) => {
        refuse = () => status(410)(message, response);
      };
      await createSurvey(company.api);
      await receiver.until(1);
      await remove(webhook_id);
      const finish = jest.spyOn(service.app.get(DeliveryQueue, { strict: false }), 'finish');
      refuse();
      await eventually(() => {
        expect(finish).toHaveBeenCalled();
      });
      expect(await finish.mock.results[0]!.value).toEqual([]);
      await look();
      expect(await stored(webhook_id)).toBe(0);
    });
  });

  describe('messages', () => {
    it('are the events of the feed, each signed, from the creation of the webhook on', async () => {
      await createSurvey(company.api);
      const before = (await allEvents(company.api, 2)).length;
      const { secret } = await createWebhook();
      const { post_id } = await createSurvey(company.api);
      await toggle(post_id, true);
      const events = (await allEvents(company.api, before + 2)).slice(before);
      const messages = await receiver.until(2);
      const bodies = messages.map((message) => verified(message, secret));
      expect(bodies.toSorted((a, b) => a.data.seq - b.data.seq)).toEqual(
        events.map((event) => ({ type: event.type, timestamp: event.created_at, data: event })),
      );
      for (const { id, body, headers } of messages) {
        expect(id).toBe(body.data.event_id);
        expect(headers['content-type']).toBe('application/json');
      }
    });

    it("have the company's currency, also about a guardrail of all campaigns", async () => {
      company = await registerCompany(service.client, { currency: 'EUR' });
      const { secret } = await createWebhook({ event_types: ['guardrail.triggered'] });
      await createGuardrail(company.api, { when: { all: [spent(0)] } });
      await respond(await platformClient(service), await liveSurvey(company), [10]);
      const [message] = (await receiver.until(1)) as [Received];
      expect(verified(message, secret).data).toMatchObject({
        currency: 'EUR',
        changes: { values: { new: [{ metric: 'spent', value: 100 }] } },
      });
    });

    it('are only of the types that the webhook names', async () => {
      const { webhook_id } = await createWebhook({ event_types: ['campaign.stopped'] });
      const { post_id } = await createSurvey(company.api);
      await toggle(post_id, true);
      await toggle(post_id, false);
      await toggle(post_id, true);
      await toggle(post_id, false);
      await receiver.until(2);
      const types = Array(2).fill('campaign.stopped');
      expect(receiver.messages.map(({ body }) => body.type)).toEqual(types);
      expect(await deliveries(webhook_id)).toHaveLength(2);
    });

    it('have two signatures for a day after a rotation of the secret', async () => {
      const { webhook_id, secret: old } = await createWebhook();
      const { body } = await company.api.post('/svc/webhook/rotate-secret', { webhook_id });
      const { secret, previous_secret_ends_at, updated_at } = body.data;
      expect(secret).toMatch(SECRET);
      expect(secret).not.toBe(old);
      expect(Date.parse(previous_secret_ends_at) - Date.parse(updated_at)).toBe(86_400_000);
      await createSurvey(company.api);
      const [message] = (await receiver.until(1)) as [Received];
      verified(message, old);
      verified(message, secret);
      await service.dataSource.query(
        'UPDATE webhook_endpoint SET previous_secret_ends_at = now() WHERE webhook_id = $1',
        [webhook_id],
      );
      await createSurvey(company.api);
      const [, later] = (await receiver.until(2)) as [Received, Received];
      verified(later, secret);
      expect(() => verified(later, old)).toThrow();
    });

    it('of a test reach the tested webhook only, whatever its types', async () => {
      const other = await bystander();
      const { webhook_id, secret } = await createWebhook({ event_types: ['campaign.created'] });
      expect((await company.api.post('/svc/webhook/test', { webhook_id })).status).toBe(200);
      const [message] = (await receiver.until(1)) as [Received];
      expect(verified(message, secret)).toMatchObject({
        type: 'webhook.tested',
        data: { subject: webhook_id, actor: { type: 'api_key' } },
      });
      await createSurvey(company.api);
      await other.until(1);
      expect(other.messages.map(({ body }) => body.type)).toEqual(['campaign.created']);
    });
  });

  describe('deliveries', () => {
    it('show each attempt, and are repeated until one succeeds', async () => {
      const { webhook_id } = await createWebhook();
      receiver.respond = (_, response) => {
        response.writeHead(receiver.messages.length < 3 ? 503 : 200).end('not kept');
      };
      await createSurvey(company.api);
      const delivery = await finished(webhook_id, 'delivered');
      expect(delivery).toEqual({
        event_id: receiver.messages[0]!.id,
        seq: 2,
        type: 'campaign.created',
        status: 'delivered',
        next_attempt_at: null,
        attempts: [
          { at: expect.any(String), status: 503, duration_ms: expect.any(Number), error: 'status' },
          { at: expect.any(String), status: 503, duration_ms: expect.any(Number), error: 'status' },
          { at: expect.any(String), status: 200, duration_ms: expect.any(Number), error: null },
        ],
      });
      expect(new Set(receiver.messages.map(({ id }) => id)).size).toBe(1);
      expect(await webhook(webhook_id)).toMatchObject({ failing_since: null });
    });

    it('fail once the schedule ends, and can be sent again', async () => {
      const { webhook_id } = await createWebhook({ event_types: ['campaign.created'] });
      receiver.respond = status(500);
      await createSurvey(company.api);
      const failed = await finished(webhook_id, 'failed');
      expect(failed.attempts).toHaveLength(4);
      receiver.respond = status(200);
      const since = failed.attempts[0].at;
      expect((await replay({ webhook_id, failed_since: since })).body.data).toEqual({
        webhook_id,
        deliveries: 1,
        has_more: false,
      });
      expect((await finished(webhook_id, 'delivered')).attempts).toHaveLength(5);
      expect((await replay({ webhook_id, failed_since: since })).body.data.deliveries).toBe(0);
    });

    it.each([
      ['redirect', 'redirect', status(302, { location: 'http://127.0.0.1:1/' })],
      ['hang', 'timeout', () => undefined],
      ['break off', 'invalid_response', (_: Received, response: any) => response.destroy()],
      ['switch protocols', 'status', switchProtocols],
    ])('fail for receivers that %s', async (_, error, respond) => {
      receiver.respond = respond;
      const { webhook_id } = await createWebhook();
      await createSurvey(company.api);
      await receiver.until(2);
      const [delivery] = await deliveries(webhook_id, '?status=pending');
      expect(delivery.attempts[0]).toMatchObject({ error });
    });

    it('wait for as long as Retry-After says', async () => {
      const { webhook_id } = await createWebhook();
      receiver.respond = status(429, { 'retry-after': '3000' });
      await createSurvey(company.api);
      await eventually(async () => {
        const [{ next_attempt_at: next }] = await deliveries(webhook_id);
        expect(Date.parse(next) - Date.now()).toBeGreaterThan(2_900_000);
      });
    });

    it('run at most 5 at once, and one at a time while the receiver fails', async () => {
      const { webhook_id } = await createWebhook({ event_types: ['campaign.created'] });
      receiver.respond = (_, response) => {
        setTimeout(() => response.writeHead(200).end(), 100);
      };
      await Promise.all(Array.from({ length: 20 }, () => createSurvey(company.api)));
      await receiver.until(20);
      expect(receiver.mostAtOnce).toBeGreaterThan(1);
      expect(receiver.mostAtOnce).toBeLessThanOrEqual(5);
      await eventually(async () => {
        expect(await deliveries(webhook_id, '?status=pending')).toEqual([]);
      });

      await service.dataSource.query(
        'UPDATE webhook_endpoint SET failing_since = now() WHERE webhook_id = $1',
        [webhook_id],
      );
      receiver.mostAtOnce = 0;
      receiver.respond = (_, response) => {
        setTimeout(() => response.writeHead(500).end(), 50);
      };
      await Promise.all(Array.from({ length: 10 }, () => createSurvey(company.api)));
      await receiver.until(30);
      expect(receiver.mostAtOnce).toBe(1);
    });

    it('are listed in pages, by state', async () => {
      const { webhook_id } = await createWebhook();
      for (let count = 0; count < 5; count += 1) {
        await createSurvey(company.api);
      }
      await eventually(async () => {
        expect(await deliveries(webhook_id, '?status=delivered')).toHaveLength(5);
      });
      const path = `/svc/webhook/${webhook_id}/deliveries?limit=2&status=delivered`;
      const found = (await pagesOf(company.api, path)).flatMap(({ items }) => items);
      expect(found.map(({ seq }) => seq)).toEqual([6, 5, 4, 3, 2]);
      expect(await deliveries(webhook_id, '?status=failed')).toEqual([]);
    });
  });

  describe('a webhook is disabled', () => {
    it('by status 410, with an event, and continues where it stopped', async () => {
      const { webhook_id } = await createWebhook({ event_types: ['campaign.created'] });
      receiver.respond = status(410);
      const refused = await createSurvey(company.api);
      await eventually(async () => {
        expect(await webhook(webhook_id)).toMatchObject({
          enabled: false,
          disabled_reason: 'gone',
        });
      });
      expect(await deliveries(webhook_id)).toMatchObject([
        { status: 'pending', next_attempt_at: null, attempts: [{ error: 'gone' }] },
      ]);
      const events = await allEvents(company.api, 3);
      expect(events.at(-1)).toMatchObject({
        type: 'webhook.disabled',
        subject: webhook_id,
        actor: { type: 'service', id: 'service' },
        changes: {
          enabled: { old: true, new: false },
          disabled_reason: { old: null, new: 'gone' },
        },
      });
      const other = await bystander();
      const { post_id } = await createSurvey(company.api);
      await other.until(1, ({ body }) => body.data.subject === post_id);
      expect(receiver.messages).toHaveLength(1);
      for (const [path, body] of [
        ['test', { webhook_id }],
        ['replay', { webhook_id, after_seq: 0 }],
      ] as const) {
        expectError(await company.api.post(`/svc/webhook/${path}`, body), 422, 'webhook_disabled');
      }
      receiver.respond = status(200);
      await company.api.patch('/svc/webhook/update', { webhook_id, enabled: true });
      const [, ...next] = await receiver.until(3);
      expect(next.map(({ body }) => body.data.subject).sort()).toEqual(
        [refused.post_id, post_id].sort(),
      );
    });

    it.each([
      ['it got another URL', () => ({ url: bystanders[0]!.url })],
      ['it was enabled', () => ({ enabled: true })],
    ])('not by an attempt that was running when %s', async (_, change) => {
      const other = await Receiver.start();
      bystanders.push(other);
      const { webhook_id } = await createWebhook({ event_types: ['campaign.created'] });
      let refuse!: () => void;
      receiver.respond = (message, response) => {
        refuse = () => status(410)(message, response);
      };
      await createSurvey(company.api);
      const [{ id }] = (await receiver.until(1)) as [Received];
      await company.api.patch('/svc/webhook/update', { webhook_id, ...change() });
      receiver.respond = status(200);
      refuse();
      await createSurvey(company.api);
      await finished(webhook_id, 'delivered');
      expect(await webhook(webhook_id)).toMatchObject({ enabled: true, failing_since: null });
      // Its lease ends.
      for (const table of ['webhook_delivery', 'webhook_endpoint']) {
        await service.dataSource.query(
          `UPDATE ${table} SET due_at = now() WHERE webhook_id = $1 AND due_at IS NOT NULL`,
          [webhook_id],
        );
      }
      const first = await eventually(async () => {
        const items = await deliveries(webhook_id, '?status=delivered');
        expect(items).toHaveLength(2);
        return items[1];
      });
      expect(first).toMatchObject({
        event_id: id,
        attempts: [{ error: 'interrupted' }, { error: null }],
      });
    });

    it('after nothing but failures for the configured time', async () => {
      const { webhook_id } = await createWebhook();
      receiver.respond = status(500);
      await createSurvey(company.api);
      const since = await eventually(async () => {
        const { failing_since } = await webhook(webhook_id);
        expect(failing_since).toEqual(expect.any(String));
        return failing_since as string;
      });
      await service.dataSource.query(
        'UPDATE webhook_endpoint SET failing_since = $2 WHERE webhook_id = $1',
        [webhook_id, new Date(Date.parse(since) - Number(DISABLE) * 1000)],
      );
      await createSurvey(company.api);
      await eventually(async () => {
        expect(await webhook(webhook_id)).toMatchObject({
          enabled: false,
          disabled_reason: 'failing',
        });
      });
    });

    it('not by a failed attempt after a time without any, while others are left', async () => {
      const { webhook_id } = await createWebhook({ event_types: ['campaign.created'] });
      receiver.respond = status(500);
      await createSurvey(company.api);
      await finished(webhook_id, 'failed');
      await service.dataSource.query(
        'UPDATE webhook_endpoint SET failing_since = now() - $2::interval WHERE webhook_id = $1',
        [webhook_id, `${DISABLE} seconds`],
      );
      receiver.respond = (...attempt) => {
        receiver.respond = status(200);
        status(503)(...attempt);
      };
      await createSurvey(company.api);
      await finished(webhook_id, 'delivered');
      expect(await webhook(webhook_id)).toMatchObject({ enabled: true, failing_since: null });
    });

    it('by its owner', async () => {
      const { webhook_id } = await createWebhook();
      const { body } = await company.api.patch('/svc/webhook/update', {
        webhook_id,
        enabled: false,
      });
      expect(body.data).toMatchObject({ enabled: false, disabled_reason: 'owner' });
      const other = await bystander();
      await createSurvey(company.api);
      await other.until(1);
      expect(receiver.messages).toEqual([]);
    });
  });

  describe('a replay', () => {
    it('sends one event again, with the same identifier', async () => {
      const { webhook_id } = await createWebhook({ event_types: ['campaign.stopped'] });
      const { post_id } = await createSurvey(company.api);
      await toggle(post_id, true);
      const events = await allEvents(company.api, 3);
      const { event_id } = events.at(-1)!;
      for (const count of [1, 2]) {
        expect((await replay({ webhook_id, event_id })).body.data).toEqual({
          webhook_id,
          deliveries: 1,
          has_more: false,
        });
        const messages = await receiver.until(count);
        expect(messages.map(({ id }) => id)).toEqual(Array(count).fill(event_id));
        await finished(webhook_id, 'delivered');
      }
    });

    it('leaves an event that is being sent as it is', async () => {
      const { webhook_id } = await createWebhook();
      receiver.respond = () => undefined;
      await createSurvey(company.api);
      const [{ id: event_id }] = (await receiver.until(1)) as [Received];
      expect((await replay({ webhook_id, event_id })).body.data).toEqual({
        webhook_id,
        deliveries: 0,
        has_more: false,
      });
    });

    it('sends every event after a number again', async () => {
      const { webhook_id } = await createWebhook({ event_types: ['campaign.created'] });
      const { post_id } = await createSurvey(company.api);
      await toggle(post_id, true);
      await createSurvey(company.api);
      await eventually(async () => {
        expect(await deliveries(webhook_id, '?status=delivered')).toHaveLength(2);
      });
      expect((await replay({ webhook_id, after_seq: 0 })).body.data.deliveries).toBeNull();
      const messages = await receiver.until(4);
      expect(
        messages
          .slice(2)
          .map(({ body }) => body.data.seq)
          .toSorted(),
      ).toEqual([2, 4]);
    });

    it('of every event after a number sends those too that wait for a retry', async () => {
      const { webhook_id } = await createWebhook({ event_types: ['campaign.created'] });
      receiver.respond = status(429, { 'retry-after': '3000' });
      await createSurvey(company.api);
      const { seq } = await eventually(async () => {
        const [delivery] = await deliveries(webhook_id);
        expect(delivery.attempts).toHaveLength(1);
        return delivery;
      });
      receiver.respond = status(200);
      await replay({ webhook_id, after_seq: seq - 1 });
      await finished(webhook_id, 'delivered');
      expect(receiver.messages).toHaveLength(2);
    });

    it('refuses a number that the log has not reached', async () => {
      const { webhook_id } = await createWebhook();
      const { body } = await company.api.get('/svc/event/list');
      const { last_seq } = body.data;
      const beyond = await replay({ webhook_id, after_seq: last_seq + 1 });
      expectError(beyond, 422, 'feed_position_unknown', expect.any(Array));
      expect((await replay({ webhook_id, after_seq: last_seq })).status).toBe(200);
    });

    it('refuses an unknown event, and anything but one choice', async () => {
      const { webhook_id } = await createWebhook();
      const other = await registerCompany(service.client);
      const [foreign] = await allEvents(other.api, 1);
      for (const event_id of ['evt_01k9x2v8zdf3xbz0q4v5rk6t7m', 'evt_', foreign!.event_id]) {
        expectError(await replay({ webhook_id, event_id }), 404, 'event_not_found');
      }
      for (const fields of [{}, { after_seq: 0, event_id: foreign!.event_id }]) {
        const answer = await replay({ webhook_id, ...fields });
        expectError(answer, 400, 'validation_failed', expect.any(Array));
      }
    });
  });

  describe('a stop of the service', () => {
    let database: TestDatabase;

    beforeEach(async () => {
      database = await createTestDatabase();
    });

    afterEach(() => database.drop());

    async function start() {
      const variables = {
        ...database.variables,
        WEBHOOK_ALLOW_PRIVATE: 'true',
        WEBHOOK_TIMEOUT_SECONDS: '60',
      };
      const app = await createApp(testEnv(variables), pino({ level: 'silent' }));
      await app.listen(0, '127.0.0.1');
      return { app, client: new Client(await app.getUrl()) };
    }

    it.each([
      ['never responds', () => undefined],
      ['switches protocols', switchProtocols],
    ])('does not wait for a receiver that %s', async (_, respond) => {
      receiver.respond = respond;
      const { app, client } = await start();
      const { api } = await registerCompany(client);
      await api.post('/svc/webhook/create', { url: receiver.url });
      await createSurvey(api);
      await receiver.until(1);
      const closing = performance.now();
      await app.close();
      expect(performance.now() - closing).toBeLessThan(30_000);
    });

    it('leaves the rest of the events to the next start', async () => {
      const first = await start();
      const { api } = await registerCompany(first.client);
      await allEvents(api, 1);
      const { webhook_id } = (await api.post('/svc/webhook/create', { url: receiver.url })).body
        .data;
      receiver.respond = (_, response) => {
        setTimeout(() => response.writeHead(204).end(), 300);
      };
      await Promise.all(Array.from({ length: 40 }, () => createSurvey(api)));
      await allEvents(api, 41);
      await receiver.until(5);
      await first.app.close();
      expect(receiver.messages.length).toBeLessThan(40);

      receiver.respond = status(204);
      const second = await start();
      await receiver.until(40);
      expect(new Set(receiver.messages.map(({ id }) => id)).size).toBe(40);
      const path = `/svc/webhook/${webhook_id}/deliveries?status=pending`;
      const again = new Client(second.client.url, api.headers);
      await eventually(async () => {
        expect((await again.get(path)).body.data.items).toEqual([]);
      });
      expect(receiver.messages).toHaveLength(40);
      await second.app.close();
    });
  });
});
