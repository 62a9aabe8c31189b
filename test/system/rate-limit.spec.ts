import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { JwtService } from '@nestjs/jwt';
import { parseList } from 'structured-headers';
import { HEADERS } from '../../src/platform/openapi/headers';
import { survey } from '../support/builders';
import { Answer, Client, PASSWORD, registerCompany, registrations } from '../support/client';
import { testEnv } from '../support/env';
import { serviceForAll } from '../support/service';

/** Limits that a test reaches quickly. */
const LOW_LIMITS = {
  RATE_LIMIT_ENABLED: 'true',
  RATE_LIMIT_PER_KEY: '4',
  RATE_LIMIT_PER_ADDRESS: '8',
  RATE_LIMIT_REGISTRATIONS: '2',
  RATE_LIMIT_LOGINS: '2',
  RATE_LIMIT_BAD_CREDENTIALS: '3',
};

/** The headers as documented in OpenAPI. */
const DOCUMENTED = { ratelimit: HEADERS.RateLimit, 'ratelimit-policy': HEADERS.RateLimitPolicy };

/** The origin of web pages that may use the service. */
const ORIGIN = 'https://app.example.com';

/** Parses the `RateLimit` or `RateLimit-Policy` header by policy. */
function readHeader(
  answer: Answer,
  name: keyof typeof DOCUMENTED,
): Record<string, Record<string, number>> {
  const { pattern, maxLength } = DOCUMENTED[name].schema;
  expect(answer.headers.get(name)).toMatch(new RegExp(pattern));
  expect(answer.headers.get(name)!.length).toBeLessThanOrEqual(maxLength);
  // The service writes these lists by itself: the library is too slow for every response.
  return Object.fromEntries(
    parseList(answer.headers.get(name) ?? '').map(([policy, parameters]) => {
      expect(policy).toEqual(expect.stringMatching(/^[a-z-]+$/));
      expect([...parameters.values()]).toEqual([expect.any(Number), expect.any(Number)]);
      return [policy, Object.fromEntries(parameters)];
    }),
  );
}

function expectLimited(answer: Answer): void {
  expect(answer.status).toBe(429);
  expect(answer.body).toEqual({
    success: false,
    message: expect.stringMatching(/^Too many/),
    data: null,
    error: { code: 'rate_limited', request_id: expect.any(String), details: [] },
  });
  const wait = Number(answer.headers.get('retry-after'));
  expect(wait).toBeGreaterThanOrEqual(1);
  const exhausted = Object.values(readHeader(answer, 'ratelimit')).filter(({ r }) => r === 0);
  expect(exhausted.map(({ t }) => t)).toContain(wait);
}

const statuses = (answers: Answer[]) => answers.map(({ status }) => status);

/** Sends requests one after another. */
async function inTurn(count: number, send: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let i = 0; i < count; i += 1) {
    answers.push(await send());
  }
  return answers;
}

/** The client at another address, through a trusted proxy. */
const from = (client: Client, address: string) => client.with({ 'x-forwarded-for': address });

describe('the rate limiter', () => {
  const service = serviceForAll({
    variables: { ...LOW_LIMITS, TRUST_PROXY: 'loopback', CORS_ORIGINS: ORIGIN },
  });
  let addresses = 0;

  // The requests of a registration count too.
  beforeAll(() => registrations.delete(service.client.url));

  /** A client at an address of its own. */
  const newcomer = () => from(service.client, `192.0.2.${(addresses += 1)}`);

  it('counts requests whose path cannot be decoded', async () => {
    const client = newcomer();
    const answers = await inTurn(10, () => client.get('/%zz'));
    expect(statuses(answers)).toEqual([...Array<number>(8).fill(400), 429, 429]);
    expectLimited(answers[9]!);
  });

  it('counts preflights, and lets web pages read its refusals', async () => {
    const client = newcomer().with({ origin: ORIGIN });
    const preflight = client.with({ 'access-control-request-method': 'POST' });
    for (let sent = 0; sent < 8; sent += 1) {
      const { url, headers } = preflight;
      const { status } = await fetch(`${url}/svc/survey/create`, { method: 'OPTIONS', headers });
      expect(status).toBe(204);
    }
    for (const refused of [
      await preflight.send('OPTIONS', '/svc/survey/create'),
      await client.get('/svc/campaign/list'),
    ]) {
      expectLimited(refused);
      expect(refused.headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After');
    }
  });

  it('counts the requests of an API key, whatever their outcome, and returns what is left', async () => {
    const { api } = await registerCompany(newcomer());
    const good = await api.post('/svc/survey/create', survey());
    expect(good.status).toBe(200);
    expect(readHeader(good, 'ratelimit-policy')).toEqual({
      address: { q: 8, w: 60 },
      key: { q: 4, w: 60 },
    });
    expect(readHeader(good, 'ratelimit')).toEqual({
      address: { r: 5, t: expect.any(Number) },
      key: { r: 3, t: 60 },
    });
    const bad = await inTurn(3, () => api.post('/svc/survey/create', {}));
    expect(statuses(bad)).toEqual([400, 400, 400]);
    expect(bad.map((answer) => readHeader(answer, 'ratelimit').key!.r)).toEqual([2, 1, 0]);
    expectLimited(await api.post('/svc/survey/create', survey()));
    expectLimited(await from(api, '198.51.100.1').get('/svc/campaign/list'));
  });

  it('leaves other keys and the account alone when one API key is over its limit', async () => {
    const [first, second] = [await registerCompany(newcomer()), await registerCompany(newcomer())];
    expect(statuses(await inTurn(5, () => first.api.get('/svc/campaign/list')))).toEqual([
      200, 200, 200, 200, 429,
    ]);
    expect((await second.api.get('/svc/campaign/list')).status).toBe(200);
    expect((await first.account.get('/api/company/me')).status).toBe(200);
  });

  it('counts the requests with the account tokens of a company', async () => {
    const { account } = await registerCompany(newcomer());
    // The first one generated the key.
    expect(statuses(await inTurn(4, () => account.get('/api/company/me')))).toEqual([
      200, 200, 200, 429,
    ]);
  });

  it('counts the requests of an address before it checks the credential and the body', async () => {
    const client = newcomer();
    const answers = [
      await client.post('/svc/survey/create', '{"broken'),
      await client.withKey('csk_x').get('/svc/campaign/list'),
      await client.get('/openapi.json'),
      ...(await inTurn(5, () => client.get('/nowhere'))),
    ];
    expect(statuses(answers)).toEqual([401, 401, 200, 404, 404, 404, 404, 404]);
    expectLimited(await client.post('/svc/survey/create', '{"broken'));
    expectLimited(await client.get('/nowhere'));
    expect((await newcomer().get('/nowhere')).status).toBe(404);
  });

  it('does not limit a health check', async () => {
    const client = newcomer();
    await inTurn(9, () => client.get('/nowhere'));
    const answers = [await client.get('/health/live'), await client.get('/health/ready')];
    expect(statuses(answers)).toEqual([200, 200]);
    expect(answers[0]!.headers.get('ratelimit')).toBeNull();
  });

  it('is stricter for registrations', async () => {
    const client = newcomer();
    const register = () =>
      client.post('/api/company/create', {
        name: 'A',
        email: `${randomBytes(8).toString('hex')}@example.com`,
        password: PASSWORD,
      });
    const answers = await inTurn(2, register);
    expect(statuses(answers)).toEqual([200, 200]);
    expect(readHeader(answers[0]!, 'ratelimit-policy').registrations).toEqual({ q: 2, w: 3600 });
    const refused = await register();
    expectLimited(refused);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
  });

  it('is stricter for logins, successful ones included', async () => {
    const client = newcomer();
    const { email } = await registerCompany(client);
    const logIn = () => client.post('/api/company/login', { email, password: PASSWORD });
    expect(statuses(await inTurn(3, logIn))).toEqual([200, 200, 429]);
  });

  it('refuses an address that has sent too many bad credentials, even with a good one', async () => {
    const { api, account, email } = await registerCompany(newcomer());
    const guesser = from(service.client, '198.51.100.2');
    const guesses = [
      await guesser.withKey('csk_wrong').get('/svc/campaign/list'),
      await guesser.withToken('a.b.c').get('/api/company/me'),
      await guesser.post('/api/company/login', { email, password: 'not the password' }),
    ];
    expect(statuses(guesses)).toEqual([401, 401, 401]);
    expectLimited(await from(api, '198.51.100.2').get('/svc/campaign/list'));
    expectLimited(await from(account, '198.51.100.2').get('/api/company/me'));
    expectLimited(await guesser.post('/api/company/login', { email, password: PASSWORD }));
    expect((await from(api, '198.51.100.3').get('/svc/campaign/list')).status).toBe(200);
  });

  it('counts a bad credential once, and also if its client disconnects at once', async () => {
    const { api } = await registerCompany(newcomer());
    const guesser = newcomer();
    const guess = () => guesser.withKey('csk_wrong').get('/svc/campaign/list');
    const server: Server = service.app.getHttpServer();
    for (let i = 0; i < 2; i += 1) {
      // The service has begun to handle the request.
      server.once('request', ({ socket }) => socket.destroy());
      await expect(guess()).rejects.toThrow();
    }
    expect((await guess()).status).toBe(401);
    const refused = await from(api, guesser.headers['x-forwarded-for']!).get('/svc/campaign/list');
    expectLimited(refused);
    expect(refused.body.message).toMatch(/^Too many rejected credentials/);
  });

  it('does not count an account token that has only expired as a bad one', async () => {
    const { account } = await registerCompany(newcomer());
    const issued = account.headers.authorization!.split(' ')[1]!;
    const { exp: _, iat: __, ...payload } = new JwtService().decode(issued);
    const expired = (secret: string) =>
      newcomer().withToken(new JwtService({ secret }).sign(payload, { expiresIn: -1 }));
    const own = expired(testEnv({}).JWT_SECRET!);
    const forged = expired('another secret of sufficient length');
    const ask = (client: Client) => inTurn(4, () => client.get('/api/company/me'));
    const [refusals, blocked] = [await ask(own), await ask(forged)];
    expect(statuses(refusals)).toEqual([401, 401, 401, 401]);
    expect(statuses(blocked)).toEqual([401, 401, 401, 429]);
    const refusal = { ...blocked[0]!.body, error: { ...blocked[0]!.body.error } };
    refusal.error.request_id = expect.any(String);
    expect(refusals[0]!.body).toEqual(refusal);
  });

  it('does not count a missing credential as a bad one', async () => {
    const client = newcomer();
    const answers = await inTurn(4, () => client.get('/svc/campaign/list'));
    expect(statuses(answers)).toEqual([401, 401, 401, 401]);
  });

  it('uses the address from the last proxy only, so that no client can choose its own', async () => {
    const client = service.client;
    const answers = await inTurn(4, () => from(client, 'x, 203.0.113.1').get('/nowhere'));
    answers.push(
      ...(await inTurn(4, () => from(client, '192.0.2.250, 203.0.113.1').get('/nowhere'))),
      await from(client, '203.0.113.7, 203.0.113.1').get('/nowhere'),
      await from(client, '203.0.113.1, 203.0.113.7').get('/nowhere'),
    );
    expect(statuses(answers)).toEqual([404, 404, 404, 404, 404, 404, 404, 404, 429, 404]);
  });
});

describe('the rate limiter without a trusted proxy', () => {
  const service = serviceForAll({ variables: LOW_LIMITS });

  it('ignores X-Forwarded-For', async () => {
    const addresses = Array.from({ length: 9 }, (_, index) => `192.0.2.${index}`);
    const answers = await Promise.all(
      addresses.map((address) => from(service.client, address).get('/nowhere')),
    );
    expect(statuses(answers).sort()).toEqual([404, 404, 404, 404, 404, 404, 404, 404, 429]);
  });
});

describe('the rate limiter when switched off', () => {
  const service = serviceForAll({ variables: { ...LOW_LIMITS, RATE_LIMIT_ENABLED: 'false' } });

  it('refuses nothing and returns no headers', async () => {
    const answers = await inTurn(10, () => service.client.get('/nowhere'));
    expect(new Set(statuses(answers))).toEqual(new Set([404]));
    expect(answers[9]!.headers.get('ratelimit')).toBeNull();
  });
});
