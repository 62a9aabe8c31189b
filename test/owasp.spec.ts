import { once } from 'node:events';
import { createServer } from 'node:http';
import { JwtService } from '@nestjs/jwt';
import { advertisement, createSurvey, survey } from './support/builders';
import { Answer, Client, PASSWORD, registerCompany, TestCompany } from './support/client';
import { DocumentedOperation, readOperations } from './support/document';
import { startService, TestService } from './support/service';

/*
 * Abuse, in the order of the OWASP API Security Top 10 of 2023. What is tested elsewhere: limits of
 * requests (API4, API6) in rate-limit.spec.ts, slow requests (API4) and browsers (API8) in
 * transport.spec.ts, routes without a guard (API5) in routes.spec.ts, routes that are served but
 * not documented (API9) in openapi.spec.ts, ugly input in hostile-input.spec.ts.
 */

const TOKEN_CLAIMS = { issuer: 'campaign-service', audience: 'campaign-service/account' };
const JWT_SECRET = 'a secret for tests only, 0123456789';

const outcome = ({ status, body }: Answer) => `${status} ${body.error?.code ?? 'success'}`;

describe('Abuse by the OWASP API Security Top 10 of 2023', () => {
  let service: TestService;
  let company: TestCompany;
  let other: TestCompany;
  let operations: DocumentedOperation[];

  beforeAll(async () => {
    service = await startService({ variables: { JWT_SECRET } });
    company = await registerCompany(service.client);
    other = await registerCompany(service.client);
    operations = await readOperations(service.client);
  });

  afterAll(() => service.close());

  /** Sends an operation's example, with these identifiers in place of the examples'. */
  function send(
    client: Client,
    { method, path, body }: DocumentedOperation,
    ids: Record<string, unknown> = {},
  ): Promise<Answer> {
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));
    const own = Object.entries(ids).filter(([name]) => body !== undefined && name in body);
    return client.send(method, url, body && { ...body, ...Object.fromEntries(own) });
  }

  const naming = (name: string) =>
    operations.filter(({ path, body = {} }) => path.includes(`{${name}}`) || name in body);

  /** The client with the credential that an operation needs. */
  const clientFor = ({ credential }: DocumentedOperation, { api, account }: TestCompany) =>
    credential === 'api_key' ? api : account;

  describe('API1 broken object level authorization', () => {
    it('refuses every operation on a campaign of another company and changes nothing', async () => {
      const { post_id } = await createSurvey(company.api);
      const before = await company.api.get(`/svc/campaign/${post_id}`);
      const named = naming('post_id');
      expect(named.length).toBeGreaterThanOrEqual(7);
      for (const operation of named) {
        const answer = await send(other.api, operation, { post_id });
        expect([operation.id, outcome(answer)]).toEqual([operation.id, '403 campaign_not_owned']);
        expect(JSON.stringify(answer.body)).not.toContain(before.body.data.title);
      }
      expect((await company.api.get(`/svc/campaign/${post_id}`)).body).toEqual(before.body);
    });

    it('knows no key of another company, in any operation that names one', async () => {
      const key = await company.account.post('/svc/api-key/generate');
      const { key_id, api_key } = key.body.data;
      const named = naming('key_id');
      expect(named.map(({ id }) => id)).toEqual(
        expect.arrayContaining(['revokeApiKey', 'rotateApiKey']),
      );
      for (const operation of named) {
        const answer = await send(other.account, operation, { key_id });
        expect([operation.id, outcome(answer)]).toEqual([operation.id, '404 api_key_not_found']);
      }
      const list = await other.account.get('/svc/api-key/list');
      expect(JSON.stringify(list.body)).not.toContain(key_id);
      expect((await service.client.withKey(api_key).get('/svc/campaign/list')).status).toBe(200);
    });

    it('lists no campaign of another company, nor takes a cursor made for one', async () => {
      await createSurvey(company.api);
      await createSurvey(company.api);
      const page = await company.api.get('/svc/campaign/list?limit=1');
      const cursor: string = page.body.data.next_cursor;
      const stranger = await registerCompany(service.client);
      expect((await stranger.api.get('/svc/campaign/list')).body.data.items).toEqual([]);
      const answer = await stranger.api.get(
        `/svc/campaign/list?limit=1&cursor=${encodeURIComponent(cursor)}`,
      );
      expect(outcome(answer)).toBe('400 validation_failed');
    });
  });

  describe('API2 broken authentication', () => {
    it('takes no credential of one kind for the other', async () => {
      const key = company.api.headers['x-api-key']!;
      const token = company.account.headers.authorization!.replace('Bearer ', '');
      const guarded = operations.filter(({ credential }) => credential !== undefined);
      for (const operation of guarded) {
        const confused =
          operation.credential === 'api_key'
            ? service.client.withKey(token)
            : service.client.withToken(key);
        const expected =
          operation.credential === 'api_key' ? '401 api_key_invalid' : '401 token_invalid';
        const answer = await send(confused, operation, { post_id: 'x', key_id: 'x' });
        expect([operation.id, outcome(answer)]).toEqual([operation.id, expected]);
      }
    });

    it('takes no credential in the query string', async () => {
      const key = company.api.headers['x-api-key']!;
      const token = company.account.headers.authorization!.replace('Bearer ', '');
      for (const name of ['api_key', 'X-API-Key', 'x-api-key', 'key']) {
        const answer = await service.client.get(`/svc/campaign/list?${name}=${key}`);
        expect([name, outcome(answer)]).toEqual([name, '401 api_key_missing']);
      }
      for (const name of ['access_token', 'token', 'authorization']) {
        const answer = await service.client.get(`/api/company/me?${name}=${token}`);
        expect([name, outcome(answer)]).toEqual([name, '401 token_missing']);
      }
    });

    it('takes no token that it did not sign for this very use', async () => {
      const subject = company.companyId;
      const sign = (secret: string, options: object) =>
        new JwtService({ secret }).sign({}, { subject, ...TOKEN_CLAIMS, ...options });
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const [, payload = ''] = sign(JWT_SECRET, {}).split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
      const forged = {
        'signed by another': sign('another secret of at least 32 characters', {}),
        'for another audience': sign(JWT_SECRET, { audience: 'another' }),
        'of another issuer': sign(JWT_SECRET, { issuer: 'another' }),
        'that has expired': sign(JWT_SECRET, { expiresIn: -1 }),
        'of another algorithm': sign(JWT_SECRET, { algorithm: 'HS512' }),
        'without a signature': `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`,
        'with another payload': sign(JWT_SECRET, {}).replace(
          payload,
          part({ ...claims, sub: other.companyId }),
        ),
      };
      const good = sign(JWT_SECRET, {});
      expect((await service.client.withToken(good).get('/api/company/me')).status).toBe(200);
      for (const [name, token] of Object.entries(forged)) {
        const answer = await service.client.withToken(token).get('/api/company/me');
        expect([name, outcome(answer)]).toEqual([name, '401 token_invalid']);
      }
    });

    it('tells an unknown e-mail address from a wrong password neither in words nor in time', async () => {
      const attempt = async (email: string) => {
        const begin = process.hrtime.bigint();
        const answer = await service.client.post('/api/company/login', {
          email,
          password: 'not the password',
        });
        return { answer, time: Number(process.hrtime.bigint() - begin) };
      };
      const known: number[] = [];
      const unknown: number[] = [];
      for (let i = 0; i < 15; i += 1) {
        const [wrong, nobody] = [
          await attempt(company.email),
          await attempt(`nobody-${i}@example.com`),
        ];
        known.push(wrong.time);
        unknown.push(nobody.time);
        expect(outcome(nobody.answer)).toBe('401 invalid_credentials');
        expect(nobody.answer.body.message).toBe(wrong.answer.body.message);
      }
      // Without the hashing of a password, an answer would take a tenth of the time.
      const fastest = (times: number[]) => Math.min(...times);
      expect(fastest(unknown)).toBeGreaterThan(fastest(known) / 2);
      expect(fastest(known)).toBeGreaterThan(fastest(unknown) / 2);
    });

    it('takes no short password and never answers one', async () => {
      const register = (password: string) =>
        service.client.post('/api/company/create', { name: 'A', email: 'a@example.com', password });
      expect(outcome(await register('x'.repeat(11)))).toBe('400 validation_failed');
      const answer = await register(PASSWORD);
      expect(JSON.stringify(answer.body)).not.toMatch(/correct horse|argon2|password/i);
    });
  });

  describe('API3 broken object property level authorization', () => {
    const PROTECTED = {
      id: 1,
      post_id: 'post_01k9x2v8zdf3xbz0q4v5rk6t7m',
      company_id: 'co_01k9x2v8zdf3xbz0q4v5rk6t7m',
      is_live: true,
      type: 'advertisement',
      created_at: '2020-01-01T00:00:00Z',
      updated_at: '2020-01-01T00:00:00Z',
      ad_id: 1,
      question_id: 'qset_01k9x2v8zdf3xbz0q4v5rk6t7m',
      key_hash: 'x',
      password_hash: 'x',
    };

    it('lets no field be set that an operation does not name', async () => {
      const { post_id } = await createSurvey(company.api);
      const key_id = 'key_01k9x2v8zdf3xbz0q4v5rk6t7m';
      const writing = operations.filter(({ body }) => body !== undefined);
      expect(writing.length).toBeGreaterThan(10);
      for (const operation of writing) {
        for (const [name, value] of Object.entries(PROTECTED)) {
          if (name in operation.body!) {
            continue;
          }
          const body = { ...operation.body, [name]: value };
          const answer = await send(
            clientFor(operation, company),
            { ...operation, body },
            name === 'post_id' ? { key_id } : { post_id, key_id },
          );
          expect([operation.id, name, answer.status]).toEqual([operation.id, name, 400]);
          expect(answer.body.error!.details).toContainEqual(
            expect.objectContaining({ field: name, code: 'unknown_field' }),
          );
        }
      }
    });

    it('answers no hash, password or other company’s name', async () => {
      const { post_id } = await createSurvey(company.api);
      const reading = operations.filter(({ method }) => method === 'GET');
      for (const operation of reading) {
        const { body } = await send(clientFor(operation, company), operation, { post_id });
        expect(JSON.stringify(body)).not.toMatch(/hash|password|secret|csk_\w{30}/);
        expect(JSON.stringify(body)).not.toContain(other.companyId);
      }
    });
  });

  describe('API4 unrestricted resource consumption', () => {
    const ENTRIES = Array.from({ length: 101 }, () => ({ type: 'text', question: 'Which?' }));

    it.each([
      ['a body above 2 MiB', () => ' '.repeat(2 * 1024 * 1024 + 1), '413 payload_too_large'],
      ['nesting', () => `${'['.repeat(50_000)}${']'.repeat(50_000)}`, '400 malformed_json'],
      ['entries', () => `[${'0,'.repeat(40_000)}0]`, '400 malformed_json'],
    ])('refuses too much of %s', async (_, make, expected) => {
      expect(outcome(await company.api.post('/svc/survey/create', make()))).toBe(expected);
    });

    it('refuses texts and lists beyond their limits', async () => {
      const long = await company.api.post('/svc/survey/create', survey({ title: 'x'.repeat(201) }));
      const many = await company.api.post('/svc/survey/questions', {
        post_id: 'post_01k9x2v8zdf3xbz0q4v5rk6t7m',
        questions: ENTRIES,
      });
      const wrong = [long, many].map(({ body }) => body.error!.details);
      expect(wrong).toEqual([
        [expect.objectContaining({ field: 'title', code: 'too_long' })],
        [expect.objectContaining({ field: 'questions', code: 'too_many' })],
      ]);
    });

    it.each(['101', '0', '-1', '1e9', '99999999999999999999'])(
      'answers no page of %s entries',
      async (limit) => {
        for (const [client, path] of [
          [company.api, '/svc/campaign/list'],
          [company.account, '/svc/api-key/list'],
        ] as const) {
          expect(outcome(await client.get(`${path}?limit=${limit}`))).toBe('400 validation_failed');
        }
      },
    );
  });

  describe('API5 broken function level authorization', () => {
    it('lets a key that may only read change nothing', async () => {
      const { post_id } = await createSurvey(company.api);
      const key = await company.account.post('/svc/api-key/generate', {
        scopes: ['campaigns:read'],
      });
      const reader = service.client.withKey(key.body.data.api_key);
      const writing = operations.filter(({ scope }) => scope === 'campaigns:write');
      expect(writing.length).toBeGreaterThan(7);
      for (const operation of writing) {
        const answer = await send(reader, operation, { post_id });
        expect([operation.id, outcome(answer)]).toEqual([operation.id, '403 insufficient_scope']);
      }
      expect((await reader.get(`/svc/campaign/${post_id}`)).status).toBe(200);
    });

    it('has every operation that changes a campaign need the scope for it', () => {
      for (const { id, method, path, scope } of operations) {
        if (path.startsWith('/svc/') && !path.startsWith('/svc/api-key/')) {
          const reads = method === 'GET' || id === 'previewCohortRewards';
          expect([id, scope]).toEqual([id, reads ? 'campaigns:read' : 'campaigns:write']);
        }
      }
    });
  });

  describe('API6 unrestricted access to sensitive business flows', () => {
    it('says of every operation but the health checks that it is limited', async () => {
      const document = (await service.client.get('/openapi.json')).body as any;
      for (const { id, path, method } of operations) {
        const { responses } = document.paths[path][method.toLowerCase()];
        expect([id, '429' in responses]).toEqual([id, !path.startsWith('/health/')]);
      }
    });
  });

  describe('API7 server side request forgery', () => {
    it('never asks for a URL that it is given', async () => {
      let visits = 0;
      const target = createServer((_, response) => {
        visits += 1;
        response.end();
      }).listen(0, '127.0.0.1');
      await once(target, 'listening');
      const url = `http://127.0.0.1:${(target.address() as { port: number }).port}/`;
      const images = ['a', 'b'].map((name) => ({ url: url + name }));
      const answers = [
        await company.api.post('/svc/survey/create', survey({ content_url: url })),
        await company.api.post(
          '/svc/advertisement/create',
          advertisement({ video_url: url, thumbnail_url: url }),
        ),
        await company.api.post('/svc/image-survey/binary', {
          ...survey(),
          question: 'Which?',
          images,
        }),
      ];
      target.close();
      expect(answers.map(outcome)).toEqual(['200 success', '200 success', '200 success']);
      expect(visits).toBe(0);
    });

    it.each(['file:///etc/passwd', 'javascript:alert(1)', 'gopher://127.0.0.1/', '//host/path'])(
      'stores no URL like %s',
      async (content_url) => {
        const answer = await company.api.post('/svc/survey/create', survey({ content_url }));
        expect(outcome(answer)).toBe('400 validation_failed');
      },
    );
  });

  describe('API9 improper inventory management', () => {
    it('serves no other version, no metrics and no file beside the documented paths', async () => {
      for (const path of ['/metrics', '/v1/svc/survey/create', '/docs-json', '/.env', '/svc']) {
        expect([path, outcome(await company.api.get(path))]).toEqual([path, '404 route_not_found']);
      }
    });
  });

  describe('API10 unsafe consumption of APIs', () => {
    it('believes nothing that a proxy could have said of the request', async () => {
      const { post_id } = await createSurvey(company.api);
      const answer = await company.api
        .with({
          'x-forwarded-host': 'evil.example',
          'x-original-url': '/api/company/me',
          'x-http-method-override': 'DELETE',
          'x-company-id': other.companyId,
        })
        .get(`/svc/campaign/${post_id}`);
      expect(outcome(answer)).toBe('200 success');
      expect(JSON.stringify([answer.body, [...answer.headers]])).not.toContain('evil.example');
    });
  });
});
