import { on, once } from 'node:events';
import { connect, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { WaitingReaders } from '../../src/platform/event/waiting-readers.service';
import { createSurvey } from '../support/builders';
import { Client, registerCompany, TestCompany } from '../support/client';
import { eventually } from '../support/eventually';
import { begun, start } from '../support/fielding';
import { generateKey } from '../support/keys';
import { LARGE_QUESTIONS } from '../support/large-questions';
import { serviceForAll, startService } from '../support/service';

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
  const service = serviceForAll();
  let company: TestCompany;

  beforeAll(async () => {
    company = await registerCompany(service.client);
  });

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
    for (const path of ['/docs', '/docs/docs.js']) {
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
  const service = serviceForAll({
    timeouts: { requestTimeout: 600, headersTimeout: 300, timeoutInterval: 50 },
  });

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

/** Waits for an event that does not happen. */
const WAITING = '/svc/event/list?types=webhook.disabled&wait_seconds=20';

describe('a client that does not read its responses', () => {
  const service = serviceForAll({ timeouts: { unreadTimeout: 500 } });
  let company: TestCompany;
  let other: TestCompany;
  let tester: Client;
  let postId: string;

  beforeAll(async () => {
    company = await registerCompany(service.client);
    other = await registerCompany(service.client);
    ({ api: tester } = await generateKey(company.account, service.client, { mode: 'test' }));
    ({ post_id: postId } = await createSurvey(tester));
    const questions = { post_id: postId, questions: LARGE_QUESTIONS };
    expect((await tester.post('/svc/survey/questions', questions)).status).toBe(200);
    await start(tester, postId);
    await begun(tester, postId, 'ann');
  });

  /** The text of a request. */
  function requestOf({ headers }: Client, method: string, path: string, body = ''): string {
    const lines = Object.entries({
      ...headers,
      host: 'test',
      ...(body !== '' && { 'content-type': 'application/json' }),
      ...(method === 'POST' && { 'content-length': body.length }),
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
  }

  const last = (request: string) =>
    request.replace('host: test', 'host: test\r\nconnection: close');

  const beginning = () =>
    requestOf(
      tester,
      'POST',
      '/svc/fielding/begin',
      JSON.stringify({ post_id: postId, respondent_id: 'ann' }),
    );

  /** Opens a connection, and returns it with its end in the service. */
  async function open(): Promise<{ client: Socket; server: Socket }> {
    const { hostname, port } = new URL(service.client.url);
    const client = connect(Number(port), hostname).on('error', () => undefined);
    for await (const [server] of on(service.app.getHttpServer(), 'connection')) {
      if (server.remotePort === client.localPort) {
        return { client, server };
      }
    }
    throw new Error('the service has closed');
  }

  it.each([
    [
      'the script of the documentation page',
      () => requestOf(service.client, 'GET', '/docs/swagger-ui-bundle.js'),
    ],
    ['the OpenAPI document', () => requestOf(service.client, 'GET', '/openapi.json')],
    ['participations of 1.9 MiB', beginning],
  ])('is disconnected when it has stopped for the given time: %s', async (_, request) => {
    const { client, server } = await open();
    client.pause();
    // What the system's own buffers have taken counts as sent.
    while (server.writableLength === 0) {
      const before = server.bytesWritten;
      client.write(request());
      await eventually(() => {
        expect(server.bytesWritten).toBeGreaterThan(before);
      });
    }
    await once(server, 'close');
    client.destroy();
    expect((await fetch(`${service.client.url}/health/live`)).status).toBe(200);
  });

  it('is served if it reads slowly', async () => {
    const { client } = await open();
    client.write(`${beginning().repeat(7)}${last(beginning())}`);
    const chunks: Buffer[] = [];
    for await (const chunk of client) {
      chunks.push(chunk as Buffer);
      await delay(5);
    }
    const received = Buffer.concat(chunks).toString();
    expect(received.match(/"status":"open"/g)).toHaveLength(8);
  });

  it('gets the responses to eight requests at once, in their order', async () => {
    const { client } = await open();
    const ids = Array.from({ length: 8 }, (_, index) => `request-${index}`);
    const requests = ids.map((id) => {
      const path = id === 'request-0' ? `/svc/campaign/${postId}` : '/health/live';
      return requestOf(tester.with({ 'x-request-id': id }), 'GET', path);
    });
    client.write([...requests.slice(0, -1), last(requests.at(-1)!)].join(''));
    const received = await text(client);
    expect([...received.matchAll(/x-request-id: (.*)\r/g)].map(([, id]) => id)).toEqual(ids);
  });

  it.each([
    ['of any kind', () => requestOf(company.api, 'GET', WAITING)],
    ['whose path cannot be decoded', () => requestOf(company.api, 'GET', '/%')],
  ])('is disconnected by a ninth request without a response, %s', async (_, ninth) => {
    const { client, server } = await open();
    client.write(requestOf(company.api, 'GET', WAITING).repeat(8));
    while (service.app.get(WaitingReaders).count < 8) {
      await delay(5);
    }
    expect(server.destroyed).toBe(false);
    client.write(ninth());
    await eventually(() => {
      expect(server.destroyed).toBe(true);
      expect(service.app.get(WaitingReaders).count).toBe(0);
    });
  });

  it('shares the memory for bodies between the live and the test key of a company', async () => {
    const body = JSON.stringify({ post_id: 'x', questions: LARGE_QUESTIONS });
    const uploads = await Promise.all(
      [company.api, tester].flatMap((api) =>
        Array.from({ length: 4 }, async () => {
          const { client, server } = await open();
          const request = requestOf(api, 'POST', '/svc/survey/questions', body.padEnd(2 ** 21));
          client.write(request.slice(0, -1));
          while (server.bytesRead < request.length - 1) {
            await delay(5);
          }
          return client;
        }),
      ),
    );
    const { status, body: refusal } = await tester.post('/svc/survey/questions', body);
    expect([status, refusal.error?.code]).toEqual([429, 'rate_limited']);
    expect((await other.api.post('/svc/survey/questions', body)).status).toBe(404);
    uploads.forEach((client) => client.destroy());
  });

  it('leaves no body behind that waited for an earlier response', async () => {
    const waiting = requestOf(company.api, 'GET', WAITING);
    const body = JSON.stringify({ post_id: 'x', questions: LARGE_QUESTIONS });
    const post = requestOf(company.api, 'POST', '/svc/survey/questions', body);
    for (let round = 0; round < 10; round += 1) {
      const { client, server } = await open();
      client.write(waiting + post);
      while (server.bytesRead < waiting.length + post.length) {
        await delay(5);
      }
      client.destroy();
      await once(server, 'close');
    }
    const { status } = await company.api.post('/svc/survey/questions', body);
    expect(status).toBe(404);
  });
});

describe('a page of an allowed origin', () => {
  const service = serviceForAll({
    variables: { CORS_ORIGINS: `https://other.example, ${ORIGIN}` },
  });

  const preflight = (origin: string, path: string) =>
    fetch(service.client.url + path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PATCH' },
    });

  it('may read responses, errors and their headers included, without cookies', async () => {
    for (const path of ['/health/live', '/svc/campaign/list', '/nowhere', '/', '/openapi.json']) {
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
    expect(headers.get('x-request-id')).toEqual(expect.any(String));
    expectSecurityHeaders(headers);
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
