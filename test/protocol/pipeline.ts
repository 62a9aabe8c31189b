import { once } from 'node:events';
import { METHODS } from 'node:http';
import { connect } from 'node:net';
import { MetricsServer } from '../../src/platform/metrics/metrics.server';
import { choice, createSurvey, imageSurvey, question, survey } from '../support/builders';
import { Answer, Client, registerCompany, TestCompany } from '../support/client';
import { DocumentedOperation, readOperations, resolve } from '../support/document';
import { generateKey } from '../support/keys';
import { platformClient } from '../support/platforms';
import { expectError, expectInvalid } from '../support/refusals';
import { service, serviceForAll } from '../support/service';
import { sendBytes, sendUnfinished } from '../support/wire';

const KIB = 1024;
const MIB = 1024 * KIB;

/** The head of a request whose body is announced and never sent. */
function head(method: string, path: string, headers: Readonly<Record<string, string>> = {}) {
  const lines = Object.entries({
    host: 'test',
    'content-type': 'application/json',
    'content-length': '1000',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

describe('the pipeline', () => {
  let company: TestCompany;
  let platform: Client;

  const unfinished = (...parts: Parameters<typeof head>): Promise<Answer> =>
    sendUnfinished(service.client.url, head(...parts));

  /** Returns the responses to a client that waits before it sends its body. */
  async function firstLine(...[method, path, headers]: Parameters<typeof head>): Promise<string> {
    const { hostname, port } = new URL(service.client.url);
    const socket = connect(Number(port), hostname);
    socket.write(head(method, path, { expect: '100-continue', ...headers }));
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return chunk.toString().split('\r\n')[0]!;
  }

  /**
   * The credential that an operation takes, and one for accounts, which no other operation reads.
   */
  const credentialsFor = (credential: DocumentedOperation['credential']) => ({
    ...(credential === 'platform_key' ? platform : company.api).headers,
    ...company.account.headers,
  });

  beforeAll(async () => {
    company = await registerCompany(service.client);
    platform = await platformClient(service);
  });

  describe('before it reads a body', () => {
    it('refuses a request without the credential that its route needs', async () => {
      const operations = await readOperations(service.client);
      const guarded = operations.filter(
        ({ body, credential }) => body !== undefined && credential !== undefined,
      );
      expect(guarded.length).toBeGreaterThan(12);
      for (const { method, path, credential } of guarded) {
        const answer = await unfinished(method, path);
        const code = credential === 'account_token' ? 'token_missing' : 'api_key_missing';
        expectError(answer, 401, code);
      }
    });

    it('refuses an invalid credential', async () => {
      const key = { 'x-api-key': 'csk_wrong' };
      expectError(await unfinished('POST', '/svc/survey/create', key), 401, 'api_key_invalid');
      const token = { authorization: 'Bearer a.b.c' };
      expectError(await unfinished('POST', '/svc/api-key/generate', token), 401, 'token_invalid');
    });

    it('refuses a key without the scope of the route', async () => {
      const { api } = await generateKey(company.account, service.client, {
        scopes: ['campaigns:read'],
      });
      const answer = await unfinished('POST', '/svc/survey/create', api.headers);
      expectError(answer, 403, 'insufficient_scope');
    });

    it('refuses an unknown path and a wrong method', async () => {
      expectError(await unfinished('POST', '/nowhere'), 404, 'route_not_found');
      const headers = { ...company.api.headers };
      expectError(
        await unfinished('PUT', '/svc/survey/create', headers),
        405,
        'method_not_allowed',
      );
    });

    it.each(['*health/live', '*', 'http://host?a/svc/campaign/list'])(
      'refuses the target %s as an unknown path, after every check of the head',
      async (target) => {
        const answer = await unfinished('GET', target);
        expectError(answer, 404, 'route_not_found');
        expect(answer.headers.get('x-request-id')).toBe(answer.body.error!.request_id);
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      },
    );

    it('accepts a target with the scheme and the host', async () => {
      const answer = await unfinished('GET', 'http://host/health/live?a=b');
      expect(answer.status).toBe(200);
    });

    it('refuses a body that is announced as longer than the route accepts', async () => {
      const headers = { 'content-length': String(16 * KIB + 1) };
      const answer = await unfinished('POST', '/api/company/login', headers);
      expectError(answer, 413, 'payload_too_large');
    });

    it('requests the body of Expect: 100-continue only after it has checked the credential', async () => {
      const path = '/svc/survey/create';
      expect(await firstLine('POST', path, {})).toBe('HTTP/1.1 401 Unauthorized');
      expect(await firstLine('POST', path, company.api.headers)).toBe('HTTP/1.1 100 Continue');
    });
  });

  describe('the limits of a body', () => {
    /** A body of exactly this many bytes. */
    const padded = (body: object, bytes: number) => JSON.stringify(body).padEnd(bytes, ' ');
    const credentials = { email: 'nobody@example.com', password: 'x'.repeat(12) };

    it.each<[path: string, limit: number, text: string, body: () => object | Promise<object>]>([
      ['/api/company/login', 16 * KIB, '16 KiB', () => credentials],
      ['/svc/survey/create', 256 * KIB, '256 KiB', () => survey()],
      [
        '/svc/survey/questions',
        2 * MIB,
        '2 MiB',
        async () => ({
          post_id: (await createSurvey(company.api)).post_id,
          questions: [question()],
        }),
      ],
      ['/svc/image-survey/binary', 2 * MIB, '2 MiB', () => imageSurvey()],
    ])(
      'accept a body of the maximum length, and the refusal of a longer one names it: %s',
      async (path, limit, text, make) => {
        const body = await make();
        const good = await company.api.post(path, padded(body, limit));
        expect(good.body.error?.code ?? 'success').toMatch(/^(success|invalid_credentials)$/);
        const refused = await company.api.post(path, padded(body, limit + 1));
        expectError(refused, 413, 'payload_too_large');
        expect(refused.body.message).toBe(`The request body is larger than ${text}.`);
      },
    );

    it('are 16 KiB without a credential, and 2 MiB only for questions, rules, images, documents and answers', async () => {
      const limits = new Map<string, number>();
      for (const { method, path, body, credential } of await readOperations(service.client)) {
        if (body !== undefined) {
          const headers = { ...credentialsFor(credential), 'content-length': '9999999' };
          const answer = await unfinished(method, path, headers);
          expectError(answer, 413, 'payload_too_large');
          const [, count, unit] = /(\d+) ([KM])iB\.$/.exec(answer.body.message)!;
          const limit = Number(count) * (unit === 'K' ? KIB : MIB);
          limits.set(path, limit);
          expect([path, limit === 16 * KIB]).toEqual([path, credential === undefined]);
          const content =
            /(questions|targeting|apply|forecast|simulate|begin|submit)$|image-survey/.test(path);
          expect([path, limit === 2 * MIB]).toEqual([path, content]);
        }
      }
      expect(limits.size).toBeGreaterThan(14);
    });

    /** The maximum number of bytes of a value in JSON, with each character as two `\u` escapes. */
    function mostBytes(document: any, schema: any): number {
      const { type, properties, items, enum: values, ...rest } = resolve<any>(document, schema);
      if (rest.oneOf !== undefined) {
        return Math.max(...rest.oneOf.map((each: any) => mostBytes(document, each)));
      }
      if (properties !== undefined) {
        return Object.entries(properties)
          .map(([name, each]) => name.length + 4 + mostBytes(document, each))
          .reduce((sum, each) => sum + each, 2);
      }
      if (items !== undefined) {
        return 2 + rest.maxItems * (1 + mostBytes(document, items));
      }
      if (values !== undefined) {
        return Math.max(...values.map((each: unknown) => JSON.stringify(each).length));
      }
      return [type].flat().includes('string') ? 2 + 12 * (rest.maxLength ?? 40) : 30;
    }

    it("allow the sum of a route's fields, up to 2 MiB", async () => {
      const document = (await service.client.get('/openapi.json')).body as any;
      let checked = 0;
      for (const { method, path, body, credential } of await readOperations(service.client)) {
        if (body !== undefined) {
          const operation = document.paths[path][method.toLowerCase()];
          const { schema } = operation.requestBody.content['application/json'];
          const most = Math.min(mostBytes(document, schema), 2 * MIB);
          const headers = { ...credentialsFor(credential), 'content-length': `${most}` };
          const line = await firstLine(method, path, headers);
          expect([path, most, line]).toEqual([path, most, 'HTTP/1.1 100 Continue']);
          checked += 1;
        }
      }
      expect(checked).toBeGreaterThan(14);
    });
  });

  it('logs one line at info for a client that disconnects in the middle of a body', async () => {
    const { hostname, port } = new URL(service.client.url);
    const { url } = service.app.get(MetricsServer, { strict: false });
    const failures = async () =>
      (await (await fetch(url!)).text()).match(/http_request_duration_seconds_count\{.*"5\d\d".*/g);
    const before = await failures();
    for (const path of ['/svc/survey/create', '/api/company/login']) {
      const { length } = service.log.lines();
      const requestId = `hang-up${path}`;
      const socket = connect(Number(port), hostname);
      const received = once(service.app.getHttpServer(), 'request');
      socket.write(
        head('POST', path, { ...company.api.headers, 'x-request-id': requestId }) + '{"title": ',
      );
      await received;
      socket.destroy();
      expect(await service.log.requestLine(requestId)).not.toHaveProperty('err');
      const next = `after-${requestId}`;
      await service.client.with({ 'x-request-id': next }).get('/health/live');
      await service.log.requestLine(next);
      const related = service.log
        .lines()
        .slice(length)
        .filter(({ request_id, msg }) => request_id === requestId || msg === 'unreadable request');
      expect(related).toEqual([
        expect.objectContaining({
          level: 'info',
          request_id: requestId,
          route: path,
          error_code: 'request_timeout',
        }),
      ]);
    }
    expect(await failures()).toEqual(before);
  });

  describe('names of built-in members', () => {
    const NAMES = ['toString', 'hasOwnProperty', 'constructor', '__proto__', 'valueOf'];

    it.each(NAMES)('are refused as the unknown parameter ?%s=1', async (name) => {
      for (const path of ['/svc/campaign/list', '/svc/api-key/list']) {
        const client = path.includes('api-key') ? company.account : company.api;
        expectInvalid(await client.get(`${path}?${name}=1`), { [name]: 'unknown_field' });
      }
    });

    it.each(NAMES)(
      'are refused as the unknown field %s, along with all other wrong fields',
      async (name) => {
        const body = JSON.stringify(survey({ title: '' })).replace('{', `{"${name}":{"a":1},`);
        expectInvalid(await company.api.post('/svc/survey/create', body), {
          [name]: 'unknown_field',
          title: 'empty',
        });
        expect({}).not.toHaveProperty('a');
      },
    );

    it.each(NAMES)('are refused inside a field: %s', async (name) => {
      const { post_id } = await createSurvey(company.api);
      const questions = [question(), choice()];
      const text = JSON.stringify({ post_id, questions });
      const body = text.replace(/\{("type":"single_choice")/, `{"${name}":1,$1`);
      expectInvalid(await company.api.post('/svc/survey/questions', body), {
        [`questions[1].${name}`]: 'unknown_field',
      });
    });
  });

  it('shortens the name of an unknown field', async () => {
    const name = 'x'.repeat(50 * KIB);
    const { status, body } = await company.api.post('/svc/survey/create', survey({ [name]: 1 }));
    expect(status).toBe(400);
    expect(JSON.stringify(body).length).toBeLessThan(KIB);
    expect(body.error!.details).toEqual([
      {
        field: `${'x'.repeat(100)}…`,
        code: 'unknown_field',
        message: expect.stringMatching(/^x{100}… is not a field/),
      },
    ]);
  });

  describe('a request that Node itself would refuse', () => {
    it('is refused without a Host, in the envelope', async () => {
      const answer = await sendUnfinished(service.client.url, 'GET /health/live HTTP/1.1\r\n\r\n');
      expectError(answer, 400, 'malformed_json');
      expect(answer.body.message).toContain('Host');
    });

    it.each([
      ['two Host headers', 'host: other\r\n'],
      ['a body in another encoding', 'transfer-encoding: gzip, chunked\r\n'],
    ])('is refused with %s', async (_, line) => {
      const bytes = `GET /health/live HTTP/1.1\r\nhost: test\r\n${line}\r\n`;
      expectError(await sendUnfinished(service.client.url, bytes), 400, 'malformed_json');
    });

    it('is accepted without a Host in HTTP/1.0', async () => {
      const answer = await sendBytes(service.client.url, 'GET /health/live HTTP/1.0\r\n\r\n');
      expect(answer.status).toBe(200);
    });

    it('is refused with an unknown expectation, in the envelope', async () => {
      const requestId = 'expects-foo';
      const bytes = head('POST', '/svc/survey/create', {
        ...company.api.headers,
        expect: 'foo',
        'x-request-id': requestId,
      });
      const answer = await sendUnfinished(service.client.url, bytes);
      expectInvalid(answer, { Expect: 'not_allowed' });
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('x-request-id')).toBe(requestId);
      await service.log.requestLine(requestId);
    });
  });

  it('refuses every method that a known path does not have with 405', async () => {
    // CONNECT requests a tunnel to a host, not a path.
    const others = METHODS.filter((method) => method !== 'CONNECT');
    for (const method of others) {
      for (const [path, allowed] of [
        ['/svc/survey/create', ['POST']],
        ['/svc/campaign/update', ['PATCH']],
        ['/svc/campaign/post_x', ['GET', 'HEAD']],
        ['/health/live', ['GET', 'HEAD']],
      ] as const) {
        if (!(allowed as readonly string[]).includes(method) && method !== 'HEAD') {
          const bytes = `${method} ${path} HTTP/1.1\r\nhost: test\r\n\r\n`;
          const answer = await sendUnfinished(service.client.url, bytes);
          expect([method, path, answer.status]).toEqual([method, path, 405]);
          expectError(answer, 405, 'method_not_allowed');
          expect(answer.headers.get('allow')?.split(', ').toSorted()).toEqual(allowed);
        }
      }
      const nowhere = `${method} /nowhere HTTP/1.1\r\nhost: test\r\n\r\n`;
      if (method !== 'HEAD') {
        expectError(await sendUnfinished(service.client.url, nowhere), 404, 'route_not_found');
      }
    }
  });
});

describe('the rate limiter', () => {
  const service = serviceForAll({
    variables: {
      RATE_LIMIT_ENABLED: 'true',
      TRUST_PROXY: '10.0.0.0/8, loopback',
      RATE_LIMIT_LOGINS: '1',
      RATE_LIMIT_PER_KEY: '2',
      RATE_LIMIT_BAD_CREDENTIALS: '2',
    },
  });

  const from = (address: string) => service.client.with({ 'x-forwarded-for': address });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('limits a route and a key before it reads the body', async () => {
    const { api } = await registerCompany(from('192.0.2.1'));
    const send = (path: string, headers: Record<string, string>) =>
      sendUnfinished(service.client.url, head('POST', path, headers));
    const address = { 'x-forwarded-for': '192.0.2.1' };
    await from('192.0.2.1').post('/api/company/login', {});
    expectError(await send('/api/company/login', address), 429, 'rate_limited');
    await api.get('/svc/campaign/list');
    await api.get('/svc/campaign/list');
    expectError(await send('/svc/survey/create', { ...api.headers }), 429, 'rate_limited');
  });

  it.each([-3_600_000, 3_600_000])(
    'measures its windows on a clock that cannot be set (system clock set by %d ms)',
    async (step) => {
      const address = step < 0 ? '192.0.2.2' : '192.0.2.3';
      const { api } = await registerCompany(from(address));
      const guesser = from(`${address}0`);
      const guess = () => guesser.withKey('csk_wrong').get('/svc/campaign/list');
      const list = () => api.get('/svc/campaign/list');
      await Promise.all([list(), list(), guess(), guess()]);
      const now = Date.now.bind(Date);
      jest.spyOn(Date, 'now').mockImplementation(() => now() + step);
      for (const answer of [await list(), await guess()]) {
        expectError(answer, 429, 'rate_limited');
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(50);
        expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      }
    },
  );
});
