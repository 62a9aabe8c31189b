import { createHash, createHmac, randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { WebhookHousekeeping } from '../../src/delivery/webhook/housekeeping.service';
import { createSurvey, survey } from '../support/builders';
import { Answer, Client, PASSWORD, registerCompany, TestCompany } from '../support/client';
import { OTHER_TEST_SECRET, TEST_ENCRYPTION_KEY } from '../support/env';
import { eventually } from '../support/eventually';
import { allEvents } from '../support/feed';
import { Instances } from '../support/instances';
import { Receiver, verified } from '../support/receiver';
import { expectError } from '../support/refusals';

const EMAIL = 'owner@example.com';

const withKey = (client: Client, key: string) => client.with({ 'idempotency-key': key });

const register = (client: Client, email: string, password = PASSWORD) =>
  client.post('/api/company/create', { name: 'Owner', email, password });

const logIn = (client: Client, email: string, password = PASSWORD) =>
  client.post('/api/company/login', { email, password });

const isReplayed = ({ headers }: Answer) => headers.get('idempotency-replayed') === 'true';

interface StoredRecord {
  scope: string;
  key_hash: Buffer;
  fingerprint: Buffer;
}

const records = (sql: DataSource) =>
  sql.query<StoredRecord[]>(
    'SELECT scope, key_hash, fingerprint FROM idempotency_record ORDER BY created_at, scope',
  );

describe('stored idempotency records', () => {
  const instances = new Instances();
  let client: Client;
  let sql: DataSource;
  /** Of a registration, a login and a campaign, each with a predictable key. */
  let stored: StoredRecord[];

  beforeAll(async () => {
    ({ client, sql } = await instances.start(await instances.database()));
    const { body } = await register(withKey(client, 'retry-1'), EMAIL);
    await logIn(withKey(client, 'retry-1'), EMAIL);
    const account = client.withToken(body.data.access_token);
    const key = await account.post('/svc/api-key/generate');
    await createSurvey(withKey(client.withKey(key.body.data.api_key), 'retry-1'));
    stored = await records(sql);
  });

  afterAll(() => instances.drop());

  it('hold nothing against which a guess could be tested without the encryption key', () => {
    expect(stored).toHaveLength(3);
    const columns = stored.flatMap(({ scope, key_hash, fingerprint }) => [
      Buffer.from(scope.replaceAll('-', ''), 'hex'),
      key_hash,
      fingerprint,
    ]);
    const bodies = [
      { email: EMAIL, name: 'Owner', password: PASSWORD },
      { email: EMAIL, password: PASSWORD },
      survey(),
    ].flatMap((body) => [JSON.stringify(body), JSON.stringify(sorted(body))]);
    const routes = ['/api/company/create', '/api/company/login', '/svc/survey/create'];
    const known = ['retry-1', EMAIL, PASSWORD, ...bodies, ...routes.map((path) => `POST ${path}`)];
    const guesses = known.flatMap((one) => [
      one,
      ...known.flatMap((other) => [one + other, `${one} ${other}`, `${one}\0${other}`]),
    ]);
    for (const guess of guesses) {
      for (const hash of [
        Buffer.from(guess),
        createHash('sha256').update(guess).digest(),
        createHmac('sha256', '').update(guess).digest(),
      ]) {
        // A scope is the beginning of its hash.
        expect(columns.some((column) => column.equals(hash.subarray(0, column.length)))).toBe(
          false,
        );
      }
    }
  });

  it('have hashes that all depend on the encryption key', async () => {
    const others = new Instances();
    const seen = [stored.slice(0, 2)];
    for (const ENCRYPTION_KEY of [OTHER_TEST_SECRET, TEST_ENCRYPTION_KEY]) {
      const other = await others.start({ ...(await others.database()), ENCRYPTION_KEY });
      await register(withKey(other.client, 'retry-1'), EMAIL);
      await logIn(withKey(other.client, 'retry-1'), EMAIL);
      seen.push(await records(other.sql));
      await others.drop();
    }
    const [first, otherKey, sameKey] = seen;
    expect(first).toHaveLength(2);
    expect(sameKey).toEqual(first);
    for (const name of ['scope', 'key_hash', 'fingerprint'] as const) {
      const values = [...first!, ...otherKey!].map((record) => record[name].toString('hex'));
      expect(new Set(values).size).toBe(4);
    }
  });

  it('have unrelated fingerprints for the same content under another key or company', async () => {
    const one = await registerCompany(client);
    const other = await registerCompany(client);
    await createSurvey(withKey(one.api, 'a'));
    await createSurvey(withKey(one.api, 'b'));
    await createSurvey(withKey(other.api, 'a'));
    const added = (await records(sql)).slice(stored.length);
    expect(new Set(added.map(({ fingerprint }) => fingerprint.toString('hex'))).size).toBe(3);
    expect(new Set(added.map(({ key_hash }) => key_hash.toString('hex'))).size).toBe(3);
    expect(new Set(added.map(({ scope }) => scope)).size).toBe(2);
  });
});

describe('a change of ENCRYPTION_KEY', () => {
  const instances = new Instances();
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await Receiver.start();
  });

  afterEach(async () => {
    await instances.drop();
    await receiver.stop();
  });

  /** Creates a webhook for updates, and returns its two secrets once one is rotated. */
  async function subscribe(api: Client): Promise<string[]> {
    const webhook = { url: receiver.url, event_types: ['campaign.updated'] };
    const { body } = await api.post('/svc/webhook/create', webhook);
    const { webhook_id, secret } = body.data;
    const rotated = await api.post('/svc/webhook/rotate-secret', { webhook_id });
    return [secret, rotated.body.data.secret];
  }

  const webhooks = (sql: DataSource) =>
    sql.query('SELECT secret, previous_secret FROM webhook_endpoint');

  it('reads what either key has stored, and stores webhook secrets anew with the new one', async () => {
    const database = { ...(await instances.database()), WEBHOOK_ALLOW_PRIVATE: 'true' };
    const OLD = { ENCRYPTION_KEY: TEST_ENCRYPTION_KEY };
    const steps = [
      OLD,
      { ...OLD, ENCRYPTION_KEY_PREVIOUS: OTHER_TEST_SECRET },
      { ENCRYPTION_KEY: OTHER_TEST_SECRET, ENCRYPTION_KEY_PREVIOUS: TEST_ENCRYPTION_KEY },
      { ENCRYPTION_KEY: OTHER_TEST_SECRET },
    ];
    let company: TestCompany | undefined;
    let secrets: string[] | undefined;
    let encrypted: any[] = [];
    const created: any[] = [];
    for (const [step, keys] of steps.entries()) {
      const { app, client, sql } = await instances.start({ ...database, ...keys });
      company ??= await registerCompany(client);
      const api = new Client(client.url, company.api.headers);
      secrets ??= await subscribe(api);
      // The last step has only the new key, so it finds what the third step wrote.
      for (const earlier of step < 3 ? created.keys() : [2]) {
        const again = await withKey(api, `key-${earlier}`).post('/svc/survey/create', survey());
        expect([isReplayed(again), again.body.data]).toEqual([true, created[earlier]]);
        const reused = await withKey(api, `key-${earlier}`).post(
          '/svc/survey/create',
          survey({ title: 'Another' }),
        );
        expectError(reused, 422, 'idempotency_key_reused');
      }
      created.push(await createSurvey(withKey(api, `key-${step}`)));
      if (step < 2) {
        encrypted = await webhooks(sql);
      } else {
        // Nothing used the webhook; its secrets are encrypted with the new key all the same.
        await eventually(async () => {
          const [{ secret, previous_secret }] = await webhooks(sql);
          expect(secret).not.toEqual(encrypted[0].secret);
          expect(previous_secret).not.toEqual(encrypted[0].previous_secret);
        });
      }
      if (step === 2) {
        const said = jest.spyOn(Logger.prototype, 'log');
        await eventually(async () => {
          await app.get(WebhookHousekeeping).run();
          expect(said).toHaveBeenCalledWith('no webhook secret of the previous key is left');
        });
        said.mockRestore();
      }
      if (step === 3) {
        const { post_id } = created[step];
        const update = { post_id, tagline: 'Another' };
        expect((await api.patch('/svc/campaign/update', update)).status).toBe(200);
        const [message] = await receiver.until(1);
        secrets.forEach((secret) => verified(message!, secret));
      }
      await instances.stop();
    }
  });

  it('stops nothing but the webhooks whose secrets no key decrypts, which say so', async () => {
    const database = { ...(await instances.database()), WEBHOOK_ALLOW_PRIVATE: 'true' };
    const { client: first } = await instances.start(database);
    const { api } = await registerCompany(first);
    // A webhook gets the events that are numbered after it was created.
    await allEvents(api, 1);
    const { body } = await api.post('/svc/webhook/create', { url: receiver.url });
    const { webhook_id } = body.data;
    await instances.stop();
    const { client } = await instances.start({ ...database, ENCRYPTION_KEY: OTHER_TEST_SECRET });
    const now = new Client(client.url, api.headers);
    await createSurvey(now);
    await eventually(async () => {
      const { items } = (await now.get(`/svc/webhook/${webhook_id}/deliveries`)).body.data;
      const [attempt] = items.flatMap((item: any) => item.attempts);
      expect(attempt).toMatchObject({ error: 'secret_unreadable', status: null });
    });
    const rotated = await now.post('/svc/webhook/rotate-secret', { webhook_id });
    await createSurvey(now);
    const [message] = await receiver.until(1);
    verified(message!, rotated.body.data.secret);
  });
});

/** The same object with its members in alphabetical order. */
function sorted(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

describe('Idempotency-Key on public routes', () => {
  const instances = new Instances();
  let database: NodeJS.ProcessEnv;
  let client: Client;
  let email: string;

  beforeAll(async () => {
    database = await instances.database();
    ({ client } = await instances.start(database));
  });

  afterAll(() => instances.drop());

  beforeEach(() => {
    email = `${randomBytes(8).toString('hex')}@example.com`;
  });

  afterEach(() => jest.restoreAllMocks());

  it("does not let a stranger's failed registration block the owner's login", async () => {
    await register(client, email);
    const stranger = await register(withKey(client, '1'), email, 'a password of a stranger');
    expectError(stranger, 409, 'email_taken');
    expect((await logIn(withKey(client, '1'), email)).status).toBe(200);
  });

  it("does not let a stranger's failed login block the owner", async () => {
    await register(client, email);
    const stranger = await logIn(withKey(client, '1'), email, 'a password of a stranger');
    expectError(stranger, 401, 'invalid_credentials');
    expect((await logIn(withKey(client, '1'), email)).status).toBe(200);
    expectError(
      await logIn(withKey(client, '1'), email, 'a password of a stranger'),
      422,
      'idempotency_key_reused',
    );
  });

  it('replays a login with a token that is valid for all of expires_in', async () => {
    await register(client, email);
    const first = await logIn(withKey(client, 'log-in'), email);
    // Long after the first token has expired.
    const later = Date.now() + 2 * 3600 * 1000;
    jest.spyOn(Date, 'now').mockReturnValue(later);
    expectError(
      await client.withToken(first.body.data.access_token).get('/api/company/me'),
      401,
      'token_invalid',
    );
    const again = await logIn(withKey(client, 'log-in'), email);
    expect(isReplayed(again)).toBe(true);
    expect(again.body).toEqual({
      ...first.body,
      data: { ...first.body.data, access_token: expect.any(String) },
    });
    expect(expiryOf(again)).toBe(Math.floor(later / 1000) + again.body.data.expires_in);
    const me = await client.withToken(again.body.data.access_token).get('/api/company/me');
    expect(me.body.data.email).toBe(email);
  });

  it('replays a registration with a fresh token and the same company', async () => {
    const first = await register(withKey(client, 'register'), email);
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    const again = await register(withKey(client, 'register'), email);
    expect(isReplayed(again)).toBe(true);
    const { access_token, ...company } = again.body.data;
    expect({ ...company, access_token: first.body.data.access_token }).toEqual(first.body.data);
    expect(expiryOf(again)).toBeGreaterThan(expiryOf(first));
    const me = await client.withToken(access_token).get('/api/company/me');
    expect(me.body.data.company_id).toBe(company.company_id);
  });

  it('replays after a change of JWT_SECRET, and a login with a token of the new secret', async () => {
    await register(client, email);
    await logIn(withKey(client, 'log-in'), email);
    const { api } = await registerCompany(client);
    const created = await withKey(api, 'create').post('/svc/survey/create', survey());
    await instances.stop();
    ({ client } = await instances.start({ ...database, JWT_SECRET: OTHER_TEST_SECRET }));
    const again = await logIn(withKey(client, 'log-in'), email);
    expect(isReplayed(again)).toBe(true);
    const me = await client.withToken(again.body.data.access_token).get('/api/company/me');
    expect(me.status).toBe(200);
    const replayed = await withKey(new Client(client.url, api.headers), 'create').post(
      '/svc/survey/create',
      survey(),
    );
    expect([isReplayed(replayed), replayed.body]).toEqual([true, created.body]);
  });
});

/** Returns the `exp` claim of the token in a response, in seconds. */
function expiryOf({ body }: Answer): number {
  const [, claims] = body.data.access_token.split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()).exp;
}
