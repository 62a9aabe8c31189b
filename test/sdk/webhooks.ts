import { Webhook } from 'standardwebhooks';
import { registerCompany } from '../support/client';
import { allEvents } from '../support/feed';
import { Received, Receiver } from '../support/receiver';
import { installedSdk, Sdk } from '../support/sdk';
import { service } from '../support/service';

const DAY_IN_SECONDS = 86_400;

describe('webhooks of the SDK', () => {
  let sdk: Sdk;
  let receiver: Receiver;
  let client: InstanceType<Sdk['CampaignClient']>;
  let webhookId: string;
  let secret: string;
  let message: Received;
  let testedId: string;

  beforeAll(async () => {
    ({ sdk } = await installedSdk());
    receiver = await Receiver.start();
    const { api } = await registerCompany(service.client);
    // A webhook gets the events that are numbered after it was created.
    await allEvents(api, 1);
    client = new sdk.CampaignClient({
      baseUrl: service.client.url,
      apiKey: api.headers['x-api-key'],
    });
    ({ webhook_id: webhookId, secret } = await client.webhooks.create({ url: receiver.url }));
    ({ event_id: testedId } = await client.webhooks.test(webhookId));
    [message] = (await receiver.until(1, ({ id }) => id === testedId)) as [Received];
  }, 180_000);

  afterEach(() => jest.restoreAllMocks());

  afterAll(() => receiver.stop());

  /** Signs a message as another sender with this secret would. */
  function forged(by: string, text: string, at = new Date()): Record<string, string> {
    return {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(by).sign('evt_1', at, text),
    };
  }

  const refused = (reason: string) =>
    expect.objectContaining({ name: 'WebhookVerificationError', reason });

  it('verify a message of the service and return it', async () => {
    const { type, timestamp, data } = await client.webhooks.verify(
      message.text,
      message.headers,
      secret,
    );
    expect([type, data.subject, timestamp]).toEqual(['webhook.tested', webhookId, data.created_at]);
    expect(data.event_id).toBe(message.headers['webhook-id']);
  });

  it('return the identifier of a test event, and the same for a repeated request', async () => {
    expect(testedId).toBe(message.headers['webhook-id']);
    // Nothing listens there, so the other tests receive nothing.
    const { webhook_id } = await client.webhooks.create({ url: 'https://127.0.0.1:9/webhooks' });
    const test = () => client.webhooks.test(webhook_id, { idempotencyKey: 'test-once' });
    const [one, other] = [await test(), await test()];
    expect(one).toEqual(other);
    expect(one.event_id).toMatch(/^evt_/);
    expect(one.event_id).not.toBe(testedId);
    await client.webhooks.delete(webhook_id);
  });

  it('verify without a client, from bytes and from any kind of headers', async () => {
    const bytes = Buffer.from(message.text);
    const headers = new Headers();
    const capitals: Record<string, string> = {};
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      headers.set(name, String(message.headers[name]));
      capitals[name.toUpperCase()] = String(message.headers[name]);
    }
    for (const payload of [bytes, new Uint8Array(bytes), new Uint8Array(bytes).buffer]) {
      for (const each of [message.headers, headers, capitals]) {
        expect(await sdk.verifyWebhook(payload, each, secret)).toEqual(message.body);
      }
    }
  });

  it.each(['ü 😀', '\u0000', '{"a": 1e2, "b":\t[]}'])(
    'verify the signature of the exact bytes of %j',
    async (value) => {
      const text = JSON.stringify({ value });
      expect(await sdk.verifyWebhook(text, forged(secret, text), secret)).toEqual({ value });
      await expect(sdk.verifyWebhook(`${text} `, forged(secret, text), secret)).rejects.toEqual(
        refused('wrong_signature'),
      );
    },
  );

  it('refuse a changed body, id or timestamp, and another secret', async () => {
    const { text, headers } = message;
    const later = String(Number(headers['webhook-timestamp']) + 1);
    const attempts: Parameters<typeof sdk.verifyWebhook>[] = [
      [text.replace('tested', 'failed'), headers, secret],
      [text, { ...headers, 'webhook-id': 'evt_2' }, secret],
      [text, { ...headers, 'webhook-timestamp': later }, secret],
      [text, headers, `whsec_${Buffer.alloc(32).toString('base64')}`],
    ];
    for (const attempt of attempts) {
      const verified = sdk.verifyWebhook(...attempt);
      await expect(verified).rejects.toEqual(refused('wrong_signature'));
      await expect(verified).rejects.toBeInstanceOf(sdk.WebhookVerificationError);
    }
  });

  it.each([
    '',
    'v1',
    'v1,',
    'v1,not base64',
    'v1a,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    ' , v1,,, ',
  ])('refuse the signature %j', async (signature) => {
    const headers = { ...message.headers, 'webhook-signature': signature };
    await expect(sdk.verifyWebhook(message.text, headers, secret)).rejects.toEqual(
      refused(signature === '' ? 'missing_header' : 'wrong_signature'),
    );
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'refuse a message without %s',
    async (name) => {
      const { [name]: _, ...headers } = message.headers;
      await expect(sdk.verifyWebhook(message.text, headers, secret)).rejects.toMatchObject({
        reason: 'missing_header',
        message: `The header ${name} is missing`,
      });
    },
  );

  it('accept a timestamp of up to five minutes away', async () => {
    const at = Math.floor(Date.now() / 1_000) * 1_000;
    jest.spyOn(Date, 'now').mockReturnValue(at);
    const verify = (seconds: number) =>
      sdk.verifyWebhook('{}', forged(secret, '{}', new Date(at + seconds * 1_000)), secret);
    for (const seconds of [-300, 0, 300]) {
      expect(await verify(seconds)).toEqual({});
    }
    for (const seconds of [-DAY_IN_SECONDS, -301, 301, DAY_IN_SECONDS]) {
      await expect(verify(seconds)).rejects.toEqual(refused('timestamp_out_of_tolerance'));
    }
    const headers = { ...forged(secret, '{}'), 'webhook-timestamp': 'now' };
    await expect(sdk.verifyWebhook('{}', headers, secret)).rejects.toEqual(
      refused('timestamp_out_of_tolerance'),
    );
  });

  it('accept another tolerance', async () => {
    const at = new Date(Date.now() - DAY_IN_SECONDS * 1_000);
    const verify = (toleranceSeconds: number) =>
      sdk.verifyWebhook('{}', forged(secret, '{}', at), secret, { toleranceSeconds });
    expect(await verify(2 * DAY_IN_SECONDS)).toEqual({});
    await expect(verify(DAY_IN_SECONDS - 60)).rejects.toEqual(
      refused('timestamp_out_of_tolerance'),
    );
    for (const wrong of [-1, NaN]) {
      await expect(verify(wrong)).rejects.toBeInstanceOf(RangeError);
    }
  });

  it('sign messages for tests, which any Standard Webhooks library verifies', async () => {
    const changes = { is_live: { old: false, new: true } };
    const event = { type: 'campaign.started', changes } as const;
    const { body, headers } = await client.webhooks.signTest(event, secret);
    const verified: any = await sdk.verifyWebhook(body, headers, secret);
    expect(verified).toMatchObject({ type: 'campaign.started', data: event });
    expect(new Webhook(secret).verify(body, headers)).toEqual(verified);
    expect(Object.keys(verified.data).toSorted()).toEqual(
      Object.keys(message.body.data).toSorted(),
    );
    expect(verified.data.event_id).toMatch(/^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    const again = await client.webhooks.signTest({ ...event, seq: 7, subject: 'post_1' }, secret);
    expect(again.headers['webhook-id']).not.toBe(headers['webhook-id']);
    expect(JSON.parse(again.body).data).toMatchObject({ seq: 7, subject: 'post_1' });
  });

  it.each([
    ['campaign.started', /^post_\w{26}$/],
    ['api_key.revoked', /^key_\w{26}$/],
    ['webhook.tested', /^whk_\w{26}$/],
    ['response.submitted', /^part_\w{26}$/],
    ['guardrail.triggered', /^grd_\w{26}$/],
  ] as const)('sign a message about %s with a subject of its kind', async (type, subject) => {
    const event = { type, changes: {} } as Parameters<typeof sdk.signTestMessage>[0];
    const { body } = await sdk.signTestMessage(event, secret);
    expect(JSON.parse(body).data.subject).toMatch(subject);
  });

  it('sign messages for tests that are too old, or have another secret', async () => {
    const event = { type: 'webhook.tested', changes: {} } as const;
    const at = new Date(Date.now() - 301_000);
    const old = await sdk.signTestMessage(event, secret, { at });
    await expect(sdk.verifyWebhook(old.body, old.headers, secret)).rejects.toEqual(
      refused('timestamp_out_of_tolerance'),
    );
    const other = await sdk.signTestMessage(event, `whsec_${btoa('another secret')}`);
    await expect(sdk.verifyWebhook(other.body, other.headers, secret)).rejects.toEqual(
      refused('wrong_signature'),
    );
    await expect(sdk.signTestMessage(event, 'csk_x')).rejects.toBeInstanceOf(TypeError);
  });

  it('verify with the old and the new secret after a rotation', async () => {
    const before = receiver.messages.length;
    const { secret: next } = await client.webhooks.rotateSecret(webhookId);
    await client.webhooks.test(webhookId);
    const rotated = (await receiver.until(before + 1))[before];
    const { text, headers } = rotated!;
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(2);
    for (const each of [secret, next]) {
      expect((await sdk.verifyWebhook(text, headers, each)).data.seq).toBeGreaterThan(1);
    }
    await expect(sdk.verifyWebhook(message.text, message.headers, next)).rejects.toEqual(
      refused('wrong_signature'),
    );
  });

  it.each(['', 'whsec_', 'whsec_*', 'csk_6mHc2Q9dTzW4yXvB1nKe8sLrGfJpUa0aBcDe'])(
    'throw a TypeError for the secret %j',
    async (wrong) => {
      await expect(sdk.verifyWebhook(message.text, message.headers, wrong)).rejects.toMatchObject({
        name: 'TypeError',
      });
    },
  );

  it('list deliveries page by page', async () => {
    await client.webhooks.test(webhookId);
    const seqs: number[] = [];
    for await (const { seq } of client.webhooks.deliveries(webhookId, { limit: 1 })) {
      seqs.push(seq);
    }
    expect(seqs.length).toBeGreaterThanOrEqual(2);
    expect(seqs).toEqual(seqs.toSorted((a, b) => b - a));
  });
});
