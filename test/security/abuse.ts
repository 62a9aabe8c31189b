import { once } from 'node:events';
import { createServer } from 'node:http';
import { JwtService } from '@nestjs/jwt';
import { advertisement, createSurvey, survey } from '../support/builders';
import { Answer, Client, PASSWORD, registerCompany, TestCompany } from '../support/client';
import { DocumentedOperation, readOperations } from '../support/document';
import { eventually } from '../support/eventually';
import { begun, liveSurvey } from '../support/fielding';
import { companyForAll, platformForAll } from '../support/fixtures';
import { generateKey } from '../support/keys';
import { generatePlatformKey } from '../support/platform-keys';
import { platformClient } from '../support/platforms';
import { service } from '../support/service';

/*
 * Abuse, in the order of the OWASP API Security Top 10 of 2023. Other suites cover rate limits
 * (API4, API6) in rate-limit.spec.ts, slow requests (API4) and browsers (API8) in
 * transport.spec.ts, routes without a guard (API5) in openapi/routes.ts, undocumented routes (API9)
 * in openapi/document.ts, and malformed input in hostile-input.spec.ts.
 */

const TOKEN_CLAIMS = { issuer: 'campaign-service', audience: 'campaign-service/account' };
const JWT_SECRET = 'a secret for tests only, 0123456789';

/** The module that the service calls. */
const argon2 = jest.requireActual<typeof import('@node-rs/argon2')>('@node-rs/argon2');

const outcome = ({ status, body }: Answer) => `${status} ${body.error?.code ?? 'success'}`;

const SIMULATION = 'simulateCampaign';

describe('the OWASP API Security Top 10 of 2023', () => {
  const company = companyForAll();
  const other = companyForAll();
  const platform = platformForAll();
  let operations: DocumentedOperation[];

  beforeAll(async () => {
    operations = await readOperations(service.client);
  });

  /** Sends an operation's example with these identifiers in place of its own. */
  function send(
    client: Client,
    { method, path, query, body }: DocumentedOperation,
    ids: Record<string, unknown> = {},
  ): Promise<Answer> {
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids[name])) + query;
    const own = Object.entries(ids).filter(([name]) => body !== undefined && name in body);
    return client.send(method, url, body && { ...body, ...Object.fromEntries(own) });
  }

  const naming = (name: string) =>
    operations.filter(({ path, body = {} }) => path.includes(`{${name}}`) || name in body);

  /** The client with the credential that an operation needs. */
  const clientFor = ({ credential }: DocumentedOperation, { api, account }: TestCompany) =>
    credential === 'platform_key' ? platform : credential === 'api_key' ? api : account;

  describe('API1 broken object level authorization', () => {
    it('refuses every operation on a campaign of another company and changes nothing', async () => {
      const { post_id } = await createSurvey(company.api);
      const before = await company.api.get(`/svc/campaign/${post_id}`);
      // With a live key, a simulation is refused whosever the campaign is.
      const named = naming('post_id').filter(
        ({ credential, id }) => credential === 'api_key' && id !== SIMULATION,
      );
      expect(named.length).toBeGreaterThanOrEqual(7);
      for (const operation of named) {
        const answer = await send(other.api, operation, { post_id });
        expect([operation.id, outcome(answer)]).toEqual([operation.id, '403 campaign_not_owned']);
        expect(JSON.stringify(answer.body)).not.toContain(before.body.data.title);
      }
      expect((await company.api.get(`/svc/campaign/${post_id}`)).body).toEqual(before.body);
    });

    it('refuses to bring respondents to a test campaign of another company', async () => {
      const { api: mine } = await generateKey(company.account, service.client, { mode: 'test' });
      const { api: strange } = await generateKey(other.account, service.client, { mode: 'test' });
      const post_id = await liveSurvey({ api: mine });
      const { participation_id } = await begun(mine, post_id, 'user-1');
      const named = naming('post_id').filter(
        ({ takesTestKeys, id }) => takesTestKeys || id === SIMULATION,
      );
      expect(named).toHaveLength(5);
      for (const operation of named) {
        const answer = await send(strange, operation, { post_id, participation_id });
        expect([operation.id, outcome(answer)]).toEqual([operation.id, '403 campaign_not_owned']);
      }
      const again = await begun(mine, post_id, 'user-1');
      expect(again).toMatchObject({ participation_id, status: 'open' });
    });

    it("finds no participation of another platform's respondent", async () => {
      const post_id = await liveSurvey(company);
      const { participation_id } = await begun(platform, post_id, 'user-1');
      const stranger = await platformClient(service, 'another');
      const named = naming('participation_id');
      expect(named).toHaveLength(4);
      for (const operation of named) {
        const answer = await send(stranger, operation, { post_id, participation_id });
        const expected = [operation.id, '404 participation_not_found'];
        expect([operation.id, outcome(answer)]).toEqual(expected);
      }
      // The same identifier of another platform is another person.
      const theirs = await begun(stranger, post_id, 'user-1');
      expect(theirs.participation_id).not.toBe(participation_id);
      const again = await begun(platform, post_id, 'user-1');
      expect(again).toMatchObject({ participation_id, status: 'open' });
    });

    it('finds no key of another company in any operation that names one', async () => {
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

    it('finds no webhook of another company in any operation that names one', async () => {
      const created = await company.api.post('/svc/webhook/create', {
        url: 'https://127.0.0.1/webhooks',
        // No event of this test: a failed delivery would change what the list shows.
        event_types: ['campaign.completed'],
      });
      const { webhook_id } = created.body.data;
      const before = (await company.api.get('/svc/webhook/list')).body.data;
      const named = naming('webhook_id');
      expect(named.length).toBeGreaterThanOrEqual(6);
      for (const operation of named) {
        const answer = await send(other.api, operation, { webhook_id });
        expect([operation.id, outcome(answer)]).toEqual([operation.id, '404 webhook_not_found']);
      }
      const list = await other.api.get('/svc/webhook/list');
      expect(list.body.data).toEqual({ items: [] });
      expect((await company.api.get('/svc/webhook/list')).body.data).toEqual(before);
    });

    it('lists no campaign of another company and refuses a cursor issued to one', async () => {
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
    it('accepts no credential in place of another kind', async () => {
      const key = company.api.headers['x-api-key']!;
      const token = company.account.headers.authorization!.replace('Bearer ', '');
      const guarded = operations.filter(({ credential }) => credential !== undefined);
      for (const operation of guarded) {
        const isAccount = operation.credential === 'account_token';
        const confused = isAccount ? service.client.withToken(key) : service.client.withKey(token);
        const expected = isAccount ? '401 token_invalid' : '401 api_key_invalid';
        const answer = await send(confused, operation, { post_id: 'x', key_id: 'x' });
        expect([operation.id, outcome(answer)]).toEqual([operation.id, expected]);
      }
    });

    it('accepts no credential in the query string', async () => {
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

    it('accepts no token that it did not sign for this purpose', async () => {
      const subject = company.companyId;
      const sign = (secret: string, options: object) =>
        new JwtService({ secret }).sign({}, { subject, ...TOKEN_CLAIMS, ...options });
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const good = sign(JWT_SECRET, {});
      const [, payload = ''] = good.split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
      const forged = {
        'signed by another': sign('another secret of at least 32 characters', {}),
        'for another audience': sign(JWT_SECRET, { audience: 'another' }),
        'of another issuer': sign(JWT_SECRET, { issuer: 'another' }),
        'that has expired': sign(JWT_SECRET, { expiresIn: -1 }),
        'of another algorithm': sign(JWT_SECRET, { algorithm: 'HS512' }),
        'without a signature': `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`,
        'with another payload': good.replace(payload, part({ ...claims, sub: other.companyId })),
      };
      expect((await service.client.withToken(good).get('/api/company/me')).status).toBe(200);
      for (const [name, token] of Object.entries(forged)) {
        const answer = await service.client.withToken(token).get('/api/company/me');
        expect([name, outcome(answer)]).toEqual([name, '401 token_invalid']);
      }
    });

    it('does not reveal by message or work whether an email address is registered', async () => {
      const verify = jest.spyOn(argon2, 'verify');
      const attempt = async (email: string) => {
        verify.mockClear();
        const answer = await service.client.post('/api/company/login', {
          email,
          password: 'not the password',
        });
        expect(outcome(answer)).toBe('401 invalid_credentials');
        expect(verify).toHaveBeenCalledTimes(1);
        const [hash] = verify.mock.calls[0]!;
        // The algorithm, its version and its costs, without the salt and the hash.
        return [answer.body.message, String(hash).split('$').slice(0, 4)];
      };
      const known = await attempt(company.email);
      expect(await attempt('nobody@example.com')).toEqual(known);
      verify.mockRestore();
    });

    it('refuses a short password and never returns one', async () => {
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

    it('refuses every field that an operation does not document', async () => {
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

    it('returns no hash, no password and no name of another company', async () => {
      const { post_id } = await createSurvey(company.api);
      const reading = operations.filter(({ method }) => method === 'GET');
      for (const operation of reading) {
        const { body } = await send(clientFor(operation, company), operation, { post_id });
        expect(JSON.stringify(body)).not.toMatch(/hash|password|"secret"|whsec_|csk_\w{30}/);
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
    ])('refuses an oversized %s', async (_, make, expected) => {
      expect(outcome(await company.api.post('/svc/survey/questions', make()))).toBe(expected);
    });

    it('refuses strings and arrays beyond their limits', async () => {
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
      'returns no page of %s entries',
      async (limit) => {
        for (const [client, path] of [
          [company.api, '/svc/campaign/list'],
          [company.api, '/svc/ledger/list'],
          [company.account, '/svc/api-key/list'],
        ] as const) {
          expect(outcome(await client.get(`${path}?limit=${limit}`))).toBe('400 validation_failed');
        }
      },
    );
  });

  describe('API5 broken function level authorization', () => {
    it('refuses every change by a key that may only read', async () => {
      const { post_id } = await createSurvey(company.api);
      const key = await company.account.post('/svc/api-key/generate', {
        scopes: ['campaigns:read'],
      });
      const reader = service.client.withKey(key.body.data.api_key);
      const writing = operations.filter(({ scopes }) => scopes.includes('campaigns:write'));
      expect(writing.length).toBeGreaterThan(7);
      for (const operation of writing) {
        const answer = await send(reader, operation, { post_id });
        expect([operation.id, outcome(answer)]).toEqual([operation.id, '403 insufficient_scope']);
      }
      expect((await reader.get(`/svc/campaign/${post_id}`)).status).toBe(200);
    });

    it('refuses every change by a platform key that may only read', async () => {
      const { secret } = await generatePlatformKey(service.dataSource, ['fielding:read']);
      const reader = service.client.withKey(secret);
      const post_id = await liveSurvey(company);
      const { participation_id } = await begun(platform, post_id, 'user-1');
      const writing = operations.filter(({ scopes }) => scopes.includes('fielding:write'));
      expect(writing).toHaveLength(5);
      for (const operation of writing) {
        const answer = await send(reader, operation, { post_id, participation_id });
        expect([operation.id, outcome(answer)]).toEqual([operation.id, '403 insufficient_scope']);
      }
      await eventually(async () => {
        const list = await reader.get('/svc/fielding/list?respondent_id=user-2');
        expect(JSON.stringify(list.body.data)).toContain(post_id);
      });
    });

    it('requires the write scope of its feature for every operation that changes something', () => {
      const FEATURES: [path: RegExp, feature: string][] = [
        [/\/(responses|responses\/export|results)$|\/results-link/, 'responses'],
        [/^\/svc\/ledger\//, 'ledger'],
        [/^\/svc\/fielding\//, 'fielding'],
        [/^\/svc\/event\//, 'events'],
        [/^\/svc\/webhook\//, 'webhooks'],
        [/^/, 'campaigns'],
      ];
      // Each sends the company's events to a URL that the caller names.
      const SENDING = ['createWebhook', 'updateWebhook', 'replayWebhook'];
      // They change no data of the company; a link shows what its creator may read.
      const READING = [
        'previewCohortRewards',
        'forecastCampaign',
        'backtestGuardrail',
        'createResultsLink',
        'revokeResultsLink',
      ];
      for (const { id, method, path, credential, scopes } of operations) {
        if (credential === 'api_key' || credential === 'platform_key') {
          const [, feature] = FEATURES.find(([pattern]) => pattern.test(path))!;
          const reads = method === 'GET' || READING.includes(id);
          expect([id, scopes]).toEqual([
            id,
            [
              `${feature}:${reads ? 'read' : 'write'}`,
              ...(SENDING.includes(id) ? ['events:read'] : []),
            ],
          ]);
        }
      }
    });
  });

  describe('API6 unrestricted access to sensitive business flows', () => {
    it('documents a rate limit for every operation but the health checks', async () => {
      const document = (await service.client.get('/openapi.json')).body as any;
      for (const { id, path, method } of operations) {
        const { responses } = document.paths[path][method.toLowerCase()];
        expect([id, '429' in responses]).toEqual([id, !path.startsWith('/health/')]);
      }
    });
  });

  describe('API7 server side request forgery', () => {
    it('requests no URL that it is given', async () => {
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
      'refuses a URL such as %s',
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
    it('ignores every header by which a proxy could describe the request', async () => {
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
