import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createSurvey } from '../support/builders';
import { registerCompany, TestCompany } from '../support/client';
import { startService, TestService } from '../support/service';

const ORIGIN = 'https://app.example.com';

/** Sends text and reads until the service has closed the connection. */
async function exchange(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

function expectSecurityHeaders(headers: Headers): void {
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': expect.stringMatching(/^max-age=\d{8}/),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
  expect(headers.has('x-powered-by')).toBe(false);
  expect(headers.has('server')).toBe(false);
}

describe('a response', () => {
  let service: TestService;
  let company: TestCompany;

  beforeAll(async () => {
    service = await startService();
    company = await registerCompany(service.client);
  });

  afterAll(() => service.close());

  it.each([
    ['a success', 'GET', '/svc/campaign/list', 200],
    ['a refusal', 'POST', '/svc/survey/create', 400],
    ['an unknown path', 'GET', '/nowhere', 404],
    ['a wrong method', 'DELETE', '/svc/survey/create', 405],
    ['a path that cannot be decoded', 'GET', '/%zz', 400],
    ['a health check', 'GET', '/health/live', 200],
  ])('has the security headers and is not cached: %s', async (_, method, path, status) => {
    const body = method === 'POST' ? {} : undefined;
    const answer = await company.api.send(method, path, body);
    expect(answer.status).toBe(status);
    expectSecurityHeaders(answer.headers);
  });

  it('has them even for a request that is not HTTP', async () => {
    const answer = await exchange(service.client.url, 'NONSENSE\r\n\r\n');
    const [head = ''] = answer.split('\r\n\r\n');
    const [status, ...lines] = head.split('\r\n');
    expect(status).toBe('HTTP/1.1 400 Bad Request');
    const headers = lines.map((line) => line.split(/: (.*)/).slice(0, 2) as [string, string]);
    expectSecurityHeaders(new Headers(headers));
  });

  it('lets the documentation page run its own scripts and no others', async () => {
    for (const path of ['/docs', '/docs/docs.js', '/reference']) {
      const { headers } = await fetch(service.client.url + path);
      const policy = headers.get('content-security-policy')!;
      expect(policy).toMatch(/script-src 'self';/);
      expect(policy).not.toMatch(/script-src[^;]*unsafe|upgrade-insecure-requests/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('has no CORS headers while no origin is allowed', async () => {
    const { post_id } = await createSurvey(company.api);
    const client = company.api.with({ origin: ORIGIN });
    const answer = await client.get(`/svc/campaign/${post_id}`);
    expect(answer.status).toBe(200);
    const preflight = await client
      .with({ 'access-control-request-method': 'POST' })
      .send('OPTIONS', '/svc/survey/create');
    expect(preflight.status).toBe(405);
    for (const { headers } of [answer, preflight]) {
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('a slow client', () => {
  let service: TestService;

  beforeAll(async () => {
    const timeouts = { requestTimeout: 600, headersTimeout: 300, timeoutInterval: 50 };
    service = await startService({ timeouts });
  });

  afterAll(() => service.close());

  it.each([
    ['headers', 'POST /svc/survey/create HTTP/1.1\r\nhost: test\r\nx-slow: '],
    [
      'body',
      'POST /api/company/login HTTP/1.1\r\nhost: test\r\ncontent-type: application/json\r\n' +
        'content-length: 100\r\n\r\n{"email": ',
    ],
  ])('is cut off when its %s do not arrive in time', async (_, text) => {
    const answer = await exchange(service.client.url, text);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    const [, body = ''] = answer.split('\r\n\r\n');
    expect(JSON.parse(body)).toEqual({
      success: false,
      message: 'The request was not sent in time.',
      data: null,
      error: { code: 'request_timeout', request_id: expect.any(String), details: [] },
    });
  });
});

describe('a page of an allowed origin', () => {
  let service: TestService;

  beforeAll(async () => {
    const variables = { CORS_ORIGINS: `https://other.example, ${ORIGIN}` };
    service = await startService({ variables });
  });

  afterAll(() => service.close());

  const preflight = (origin: string, path: string) =>
    fetch(service.client.url + path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PATCH' },
    });

  it('may read responses, errors and their headers included, without cookies', async () => {
    for (const path of ['/health/live', '/svc/campaign/list', '/nowhere']) {
      const { headers } = await service.client.with({ origin: ORIGIN }).get(path);
      expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('access-control-expose-headers')).toMatch(/RateLimit.*X-Request-Id/);
      expect(headers.get('vary')).toMatch(/origin/i);
    }
  });

  it('gets a preflight response with the methods and headers', async () => {
    const { status, headers } = await preflight(ORIGIN, '/svc/campaign/update');
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(headers.get('access-control-allow-headers')).toContain('X-API-Key');
  });

  it('is the only one that may read responses', async () => {
    for (const origin of ['https://evil.example', `${ORIGIN}.evil.example`, 'null']) {
      const answer = await service.client.with({ origin }).get('/health/live');
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      const { status, headers } = await preflight(origin, '/svc/campaign/update');
      expect(status).toBe(405);
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('changes nothing for OPTIONS requests that are not preflights, nor for unknown paths', async () => {
    const client = service.client.with({ origin: ORIGIN });
    expect((await client.send('OPTIONS', '/svc/survey/create')).status).toBe(405);
    expect((await client.send('OPTIONS', '/nowhere')).status).toBe(404);
    expect((await client.send('DELETE', '/nowhere')).status).toBe(404);
  });
});

describe('a client beyond MAX_CONNECTIONS', () => {
  it('is disconnected, and the others are served', async () => {
    const service = await startService({ variables: { MAX_CONNECTIONS: '2' } });
    const { hostname, port } = new URL(service.client.url);
    const open = async () => {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      return socket;
    };
    const [first, second] = [await open(), await open()];
    const third = await open();
    await once(third, 'close');
    second.end('GET /health/live HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n');
    expect(await text(second)).toMatch(/^HTTP\/1\.1 200 /);
    first.destroy();
    await service.close();
  });
});
