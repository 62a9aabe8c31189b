import { once } from 'node:events';
import { createServer } from 'node:http';
import { SCOPES } from '../../src/access/api-key/scopes';
import { PLATFORM_SCOPES } from '../../src/access/platform-key/platform-scopes';
import { advertisement, createSurvey, survey } from '../support/builders';
import { Answer, Client, TestCompany } from '../support/client';
import { DocumentedOperation, readOperations } from '../support/document';
import { begun, liveSurvey } from '../support/fielding';
import { companyForAll, platformForAll } from '../support/fixtures';
import { generateKey } from '../support/keys';
import { generatePlatformKey, platformClient } from '../support/platforms';
import { service } from '../support/service';

/*
 * Abuse, in the order of the OWASP API Security Top 10 of 2023. Other suites cover credentials
 * (API1, API2) in credentials.ts and accounts, rate limits (API4, API6) in rate-limit.spec.ts,
 * oversized input (API4) in protocol, slow requests (API4) and browsers (API8) in
 * transport.spec.ts, routes without a guard (API5) in openapi/routes.ts, undocumented routes (API9)
 * in openapi/document.ts, and malformed input in hostile-input.spec.ts.
 */

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
      expect(named).toHaveLength(6);
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
      const named = naming('participation_id').filter(
        ({ credential }) => credential === 'platform_key',
      );
      expect(named).toHaveLength(5);
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

    it('finds no webhook of another company in any operation that names one', async () => {
      const created = await company.api.post('/svc/webhook/create', {
        url: 'https://127.0.0.1/webhooks',
        // No event of this test: a failed delivery would change what the list shows.
        event_types: ['campaign.completed'],
      });
      const { webhook_id } = created.body.data;
      // Those of other tests change when their deliveries fail.
      const read = async () =>
        (await company.api.get('/svc/webhook/list')).data.items.find(
          (each: { webhook_id: string }) => each.webhook_id === webhook_id,
        );
      const before = await read();
      const named = naming('webhook_id');
      expect(named.length).toBeGreaterThanOrEqual(6);
      for (const operation of named) {
        const answer = await send(other.api, operation, { webhook_id });
        expect([operation.id, outcome(answer)]).toEqual([operation.id, '404 webhook_not_found']);
      }
      const list = await other.api.get('/svc/webhook/list');
      expect(list.body.data).toEqual({ items: [] });
      expect(before).toMatchObject({ webhook_id });
      expect(await read()).toEqual(before);
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
          if (name in operation.body! || operation.fields.includes(name)) {
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
    /** A key of the kind that an operation takes. */
    const keyWith = async ({ credential }: DocumentedOperation, scopes: readonly string[]) =>
      credential === 'platform_key'
        ? service.client.withKey((await generatePlatformKey(service.dataSource, { scopes })).secret)
        : (await generateKey(company.account, service.client, { scopes })).api;

    it('requires each scope that an operation documents, and no other', async () => {
      const scoped = operations.filter(({ scopes }) => scopes.length > 0);
      expect(scoped.length).toBeGreaterThan(50);
      for (const operation of scoped) {
        const { id, scopes, credential } = operation;
        const request = { post_id: 'post_x', url: 'https://127.0.0.1/webhooks' };
        const all: readonly string[] = credential === 'platform_key' ? PLATFORM_SCOPES : SCOPES;
        for (const missing of scopes) {
          const others = await keyWith(
            operation,
            all.filter((scope) => scope !== missing),
          );
          const refused = await send(others, operation, request);
          expect([id, missing, outcome(refused)]).toEqual([id, missing, '403 insufficient_scope']);
          expect(refused.body.message).toContain(missing);
        }
        const done = outcome(await send(await keyWith(operation, scopes), operation, request));
        expect([id, done]).toEqual([id, expect.not.stringMatching(/^401|insufficient_scope$/)]);
      }
    });

    it('requires the write scope of its feature for every operation that changes something', () => {
      const FEATURES: [path: RegExp, feature: string][] = [
        [/\/(responses|results|response\/disputes)(\/|$)|\/results-link/, 'responses'],
        [/^\/svc\/((ledger|settlement)\/|balance$)/, 'ledger'],
        [/^\/svc\/fielding\/settlement\//, 'settlements'],
        [/^\/svc\/fielding\//, 'fielding'],
        [/^\/svc\/event\//, 'events'],
        [/^\/svc\/webhook\//, 'webhooks'],
        [/^/, 'campaigns'],
      ];
      // Scopes of what an operation shows besides, or sends to a URL that the caller names.
      const ALSO: Readonly<Record<string, string>> = {
        createWebhook: 'events:read',
        updateWebhook: 'events:read',
        replayWebhook: 'events:read',
        backtestGuardrail: 'responses:read',
        createResultsLink: 'campaigns:read',
      };
      // They change no data of the company; a link shows what its creator may read.
      const READING = [
        'previewCohortRewards',
        'listFieldingFor',
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
            [`${feature}:${reads ? 'read' : 'write'}`, ...(id in ALSO ? [ALSO[id]] : [])],
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
