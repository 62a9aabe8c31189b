import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { Client, PASSWORD, registerCompany, TestCompany } from '../support/client';
import { createTestDatabase, TestDatabase } from '../support/databases';
import { onPostgres } from '../support/engines';
import { eventually } from '../support/eventually';
import { generateKey, TestKey, use } from '../support/keys';
import { pagesOf } from '../support/pages';
import { build, RunningService, runService } from '../support/process';

/** Milliseconds after which a change of a key applies in every process. */
const LIMIT = 1_000;

const HOUR = 3_600_000;

/**
 * Runs the service with a clock that is off by `offset` milliseconds, and by `step` after SIGUSR2.
 */
function runWithClock(
  variables: NodeJS.ProcessEnv,
  offset: number,
  step = offset,
): Promise<RunningService> {
  return runService({
    ...variables,
    NODE_OPTIONS: `--import ${join(__dirname, '../support/shifted-clock.mjs')}`,
    CLOCK_OFFSET: String(offset),
    CLOCK_STEP: String(step),
  });
}

const useAt = ({ url }: RunningService, key: TestKey) => use(new Client(url, key.api.headers));

/** The company's account at a service, with a token that this service issued. */
async function accountAt({ client }: RunningService, { email }: TestCompany): Promise<Client> {
  const { body } = await client.post('/api/company/login', { email, password: PASSWORD });
  return client.withToken(body.data.access_token);
}

/**
 * Returns the offset of a service's clock in milliseconds, to the second, from the date of a token.
 */
async function clockOffset(service: RunningService, company: TestCompany): Promise<number> {
  const { headers } = await accountAt(service, company);
  const [, claims] = headers.authorization!.split('.');
  const { iat } = JSON.parse(Buffer.from(claims!, 'base64url').toString()) as { iat: number };
  return iat * 1000 - Date.now();
}

const send = async (account: Client, path: string, body: object) => {
  const answer = await account.post(`/svc/api-key/${path}`, body);
  expect(answer.status).toBe(200);
  return answer.body.data;
};

beforeAll(() => build(), 120_000);

onPostgres.each([
  ['an hour behind', -HOUR],
  ['five seconds behind', -5_000],
  ['an hour ahead', HOUR],
])('API keys, with one of two processes %s (PostgreSQL only)', (_, offset) => {
  let database: TestDatabase;
  let sql: DataSource;
  let right: RunningService;
  let wrong: RunningService;
  let company: TestCompany;
  let account: Client;
  let wrongAccount: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    const { DATABASE_URL } = database.variables as { DATABASE_URL: string };
    sql = await new DataSource({ type: 'postgres', url: DATABASE_URL }).initialize();
    [right, wrong] = await Promise.all([
      runWithClock({ DATABASE_URL }, 0),
      runWithClock({ DATABASE_URL }, offset),
    ]);
    company = await registerCompany(right.client);
    account = await accountAt(right, company);
    wrongAccount = await accountAt(wrong, company);
    expect(Math.abs((await clockOffset(wrong, company)) - offset)).toBeLessThan(2_000);
  });

  afterAll(async () => {
    expect(await Promise.all([right.stop(), wrong.stop()])).toEqual([0, 0]);
    await sql.destroy();
    await database.drop();
  });

  const generate = (fields = {}) => generateKey(account, right.client, fields);

  /** Uses a key at both processes, so that both can cache it. */
  async function expectAccepted(key: TestKey): Promise<void> {
    expect([await useAt(right, key), await useAt(wrong, key)]).toEqual([200, 200]);
  }

  /** Expects both processes to refuse a key from a second after a moment on. */
  async function expectRefused(key: TestKey, code: string, since: number): Promise<void> {
    await delay(since + LIMIT - performance.now());
    const end = performance.now() + 1_000;
    do {
      expect([await useAt(right, key), await useAt(wrong, key)]).toEqual([code, code]);
      await delay(50);
    } while (performance.now() < end);
  }

  async function expectRevocation(by: Client): Promise<void> {
    const key = await generate();
    await expectAccepted(key);
    await send(by, 'revoke', { key_id: key.key_id });
    await expectRefused(key, 'api_key_revoked', performance.now());
  }

  async function expectRotation(by: Client): Promise<void> {
    const key = await generate();
    await expectAccepted(key);
    const rotated = await send(by, 'rotate', { key_id: key.key_id });
    const since = performance.now();
    const replacement = { ...key, api: right.client.withKey(rotated.api_key) };
    await expectAccepted(replacement);
    await expectRefused(key, 'api_key_revoked', since);
  }

  /** Expects both processes to accept a key for the whole overlap of its rotation. */
  async function expectOverlap(by: Client): Promise<void> {
    const key = await generate();
    await expectAccepted(key);
    const before = performance.now();
    await send(by, 'rotate', { key_id: key.key_id, overlap_seconds: 3 });
    const after = performance.now();
    for (;;) {
      const answers = [await useAt(right, key), await useAt(wrong, key)];
      if (performance.now() > before + 2_900) {
        break;
      }
      expect(answers).toEqual([200, 200]);
      await delay(50);
    }
    await expectRefused(key, 'api_key_revoked', after + 3_000 - LIMIT + 100);
  }

  async function expectExpiry(): Promise<void> {
    const expires = performance.now() + 3_000;
    const key = await generate({ expires_at: new Date(Date.now() + 3_000).toISOString() });
    await expectAccepted(key);
    await expectRefused(key, 'api_key_expired', expires - LIMIT + 100);
  }

  // At the same time, because each takes seconds.
  it('are refused by both within a second of a revocation, a rotation, its overlap or their expiry', async () => {
    const changes = [expectRevocation, expectRotation, expectOverlap];
    await Promise.all([
      ...[account, wrongAccount].flatMap((by) => changes.map((change) => change(by))),
      expectExpiry(),
    ]);
  });

  it('are rotated only once by the wrong process', async () => {
    const { key_id } = await generate();
    await send(wrongAccount, 'rotate', { key_id });
    for (const again of [wrongAccount, account]) {
      const { status, body } = await again.post('/svc/api-key/rotate', { key_id });
      expect([status, body.error?.code]).toEqual([404, 'api_key_not_found']);
    }
  });

  it('are listed in the order of creation, whichever process created them', async () => {
    const other = await registerCompany(right.client);
    const accounts = [await accountAt(right, other), await accountAt(wrong, other)];
    const created: string[] = [];
    for (let i = 0; i < 8; i += 1) {
      created.push((await generateKey(accounts[i % 2]!, right.client)).key_id);
    }
    const by = accounts[0]!;
    const idsOf = (items: TestKey[]) => items.map(({ key_id }) => key_id);
    const all = idsOf((await by.get('/svc/api-key/list')).data.items);
    expect(all.slice(0, 8)).toEqual(created.toReversed());
    const pages = await pagesOf(by, '/svc/api-key/list?limit=2');
    expect(pages.flatMap(({ items }) => idsOf(items))).toEqual(all);
  });

  it('have a last_used_at from the clock of the database', async () => {
    const key = await generate();
    expect(await useAt(wrong, key)).toBe(200);
    // It is written no later than when the process stops.
    await wrong.stop();
    const [{ age }] = await sql.query(
      `SELECT abs(extract(epoch FROM clock_timestamp() - last_used_at))::float8 AS age
       FROM api_key WHERE key_id = $1`,
      [key.key_id],
    );
    expect(age).toBeLessThan(4);
  });
});

describe('a revoked API key', () => {
  let database: TestDatabase;
  let running: RunningService[];

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(() => database.drop());

  beforeEach(() => {
    running = [];
  });

  afterEach(async () => {
    await Promise.all(running.map((service) => service.stop()));
  });

  async function start(offset: number, step?: number): Promise<RunningService> {
    const service = await runWithClock({ ...database.variables }, offset, step);
    running.push(service);
    return service;
  }

  // On the embedded database, the clock of the process is also the clock of the database.
  it('stays refused when the clock is set back by an hour', async () => {
    const service = await start(0, -HOUR);
    const company = await registerCompany(service.client);
    const { account } = company;
    const [revoked, rotated, other] = await Promise.all(
      [1, 2, 3].map(() => generateKey(account, service.client)),
    );
    await send(account, 'revoke', { key_id: revoked!.key_id });
    await send(account, 'rotate', { key_id: rotated!.key_id });
    const expectRefused = async () => {
      for (const key of [revoked!, rotated!]) {
        expect(await useAt(service, key)).toBe('api_key_revoked');
        const { body } = await account.post('/svc/api-key/rotate', { key_id: key.key_id });
        expect(body.error?.code).toBe('api_key_not_found');
      }
    };
    await expectRefused();
    service.process.kill('SIGUSR2');
    await eventually(async () => {
      expect(await clockOffset(service, company)).toBeLessThan(-HOUR / 2);
    });
    await expectRefused();
    // Clears the cache, so that every key is read again.
    await send(account, 'revoke', { key_id: other!.key_id });
    await expectRefused();
    expect(await useAt(service, other!)).toBe('api_key_revoked');
  });

  it('stays refused by a process that starts with a clock an hour behind', async () => {
    const service = await start(0);
    const { account } = await registerCompany(service.client);
    const key = await generateKey(account, service.client);
    await send(account, 'revoke', { key_id: key.key_id });
    await service.stop();
    expect(await useAt(await start(-HOUR), key)).toBe('api_key_revoked');
  });
});
