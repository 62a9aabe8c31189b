import { inspect } from 'node:util';
import { registerCompany, PASSWORD, TestCompany } from '../support/client';
import { eventually } from '../support/eventually';
import { BAD_GATEWAY, FaultyProxy } from '../support/faulty-proxy';
import { installedSdk, Sdk } from '../support/sdk';
import { service } from '../support/service';
import { version } from '../../clients/typescript/package.json';

const SURVEY = { title: 't', description: 'd', category: 'c', tagline: 't', reward_amount: 100 };

/** Returns a logger that keeps its lines, and the lines. */
function recordingLogger() {
  const lines: string[] = [];
  const at = (level: string) => (line: string) => void lines.push(`${level} ${line}`);
  return {
    lines,
    logger: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
  };
}

describe('options of the SDK', () => {
  let sdk: Sdk;
  let proxy: FaultyProxy;
  let baseUrl: string;
  let company: TestCompany;
  let apiKey: string;

  beforeAll(async () => {
    ({ sdk } = await installedSdk());
    proxy = new FaultyProxy(service.client.url);
    baseUrl = await proxy.listen();
    company = await registerCompany(service.client);
    apiKey = company.api.headers['x-api-key']!;
  }, 180_000);

  beforeEach(() => proxy.plan());
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => proxy.close());

  it('call hooks for each attempt, with its status, duration and request id', async () => {
    const requests: unknown[] = [];
    const responses: unknown[] = [];
    const client = new sdk.CampaignClient({
      baseUrl,
      apiKey,
      onRequest: (event) => requests.push(event),
      onResponse: (event) => responses.push(event),
    });
    proxy.plan(BAD_GATEWAY, 'cut before the service');
    await client.campaigns.list({ limit: 1 });
    const common = { operation: 'listCampaigns', method: 'GET', path: '/svc/campaign/list' };
    const sent = proxy.requests.map(({ headers }, index) => {
      return { ...common, attempt: index + 1, requestId: headers['x-request-id'] };
    });
    expect(sent).toHaveLength(3);
    expect(requests).toEqual(sent);
    const durationMs = expect.any(Number);
    expect(responses).toEqual([
      { ...sent[0], durationMs, status: 502, error: expect.any(sdk.ServerError) },
      { ...sent[1], durationMs, status: undefined, error: expect.any(sdk.ConnectionError) },
      { ...sent[2], durationMs, status: 200, error: undefined },
    ]);
  });

  it.each([
    ['at least 75 seconds', {}, {}, 75_000],
    ['as long as any call, if that is longer', { timeoutMs: 90_000 }, {}, 90_000],
    ['as long as the call says', {}, { timeoutMs: 20_000 }, 20_000],
  ])('let a backtest take %s', async (_, options, ofCall, expected) => {
    const client = new sdk.CampaignClient({ baseUrl, apiKey, ...options });
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const all = [{ metric: 'spent', op: 'gt', value: 1 } as const];
    await client.guardrails.backtest({ when: { all } }, ofCall);
    expect(timers.mock.calls.map(([, delay]) => delay)).toContain(expected);
  });

  it('report what a hook throws, and let the call succeed', async () => {
    const { logger, lines } = recordingLogger();
    const client = new sdk.CampaignClient({
      baseUrl,
      apiKey,
      logger,
      onRequest: () => {
        throw new Error('no such metric');
      },
      onResponse: () => Promise.reject(new Error('no such span')) as never,
    });
    expect((await client.campaigns.list()).items).toBeInstanceOf(Array);
    expect(lines).toEqual([
      'error campaign-service: onRequest threw Error: no such metric',
      'error campaign-service: onResponse threw Error: no such span',
    ]);
  });

  it.each([
    ['debug', ['debug', 'info', 'info', 'debug', 'info']],
    ['info', ['info', 'info', 'info']],
    ['warn', []],
    ['off', []],
  ] as const)(
    'log at the level %s, without queries, bodies and credentials',
    async (logLevel, levels) => {
      const { logger, lines } = recordingLogger();
      const client = new sdk.CampaignClient({ baseUrl, apiKey, logger, logLevel });
      proxy.plan(BAD_GATEWAY);
      await client.campaigns.list({ category: 'very private' });
      expect(lines.map((line) => line.split(' ')[0])).toEqual(levels);
      expect(lines.join()).not.toMatch(new RegExp(`${apiKey}|private`));
      if (logLevel === 'info') {
        expect(lines[0]).toMatch(
          /^info campaign-service: GET \/svc\/campaign\/list, attempt 1, request \w{32}: 502 unexpected_response \(.*\) after \d+ ms$/,
        );
      }
    },
  );

  it('refuse an unknown log level', () => {
    const options = { baseUrl, apiKey, logLevel: 'verbose' as never };
    expect(() => new sdk.CampaignClient(options)).toThrow(
      'logLevel must be one of debug, info, warn, error, off',
    );
  });

  it('add headers to every request and to one, but replace none of the client', async () => {
    const headers = { 'X-Team': 'growth', 'x-api-key': 'csk_other', 'Idempotency-Key': 'fixed' };
    const client = new sdk.CampaignClient({ baseUrl, apiKey, headers });
    await client.surveys.create(SURVEY, { headers: { 'x-team': 'sales', 'x-one': '1' } });
    await client.campaigns.list();
    const [create, list] = proxy.requests.map((request) => request.headers);
    expect(create).toMatchObject({ 'x-team': 'sales', 'x-one': '1', 'x-api-key': apiKey });
    expect(create!['idempotency-key']).toMatch(/^\w{32}$/);
    expect(list).toMatchObject({ 'x-team': 'growth', 'x-api-key': apiKey });
    expect(list).not.toHaveProperty('x-one');
  });

  it('send the request id of the caller', async () => {
    const client = new sdk.CampaignClient({ baseUrl, apiKey });
    const headers = { 'X-Request-Id': 'order-4711' };
    const { requestId } = await client.campaigns.list({}, { headers }).withResponse();
    expect(requestId).toBe('order-4711');
  });

  it.each([
    [undefined, ''],
    [{ name: 'orders' }, ' orders'],
    [
      { name: 'orders', version: '2.1.0', url: 'https://example.com' },
      ' orders/2.1.0 (https://example.com)',
    ],
  ])('name the SDK and its version in User-Agent, with appInfo %j', async (appInfo, suffix) => {
    await new sdk.CampaignClient({ baseUrl, apiKey, appInfo }).campaigns.list();
    const [request] = proxy.requests;
    expect(request!.headers['user-agent']).toBe(`campaign-service-client/${version}${suffix}`);
  });

  describe('withOptions', () => {
    it('returns a client that differs in these options only', async () => {
      const client = new sdk.CampaignClient({ baseUrl, apiKey, maxRetries: 0 });
      const patient = client.withOptions({ maxRetries: 1, headers: { 'x-team': 'growth' } });
      proxy.plan(BAD_GATEWAY);
      await expect(client.campaigns.list()).rejects.toBeInstanceOf(sdk.ServerError);
      proxy.plan(BAD_GATEWAY);
      await patient.campaigns.list();
      expect(proxy.requests.map(({ headers }) => headers['x-team'])).toEqual(['growth', 'growth']);
    });

    it('shares the account token, unless the account is another', async () => {
      const account = { email: company.email, password: PASSWORD };
      const client = new sdk.CampaignClient({ baseUrl, account });
      await client.company.me();
      await client.withOptions({ timeoutMs: 20_000 }).company.me();
      const logins = () => proxy.requests.filter(({ line }) => line.includes('/login')).length;
      expect(logins()).toBe(1);
      await client.withOptions({ account: { ...account } }).company.me();
      expect(logins()).toBe(2);
    });

    it('changes the key of a platform', async () => {
      const platform = new sdk.PlatformClient({ baseUrl, platformKey: 'cpk_one' });
      const other = platform.withOptions({ platformKey: 'cpk_two' });
      await expect(other.list('user-1')).rejects.toBeInstanceOf(sdk.AuthenticationError);
      expect(proxy.requests[0]!.headers['x-api-key']).toBe('cpk_two');
    });
  });

  describe('request()', () => {
    it('calls any route with the credential, the retries and the errors of the client', async () => {
      const client = new sdk.CampaignClient({ baseUrl, apiKey });
      proxy.plan('cut after the service');
      const { data, idempotentReplay } = await client
        .request<{ post_id: string }>('post', '/svc/survey/create', { body: SURVEY })
        .withResponse();
      expect(idempotentReplay).toBe(true);
      const query = { limit: 1, category: 'c' };
      const list = await client.request('GET', '/svc/campaign/list', { query });
      expect(list).toMatchObject({ items: [{ post_id: data.post_id }] });
      const error: unknown = await client.request('GET', '/svc/unknown').catch((e: unknown) => e);
      expect(error).toBeInstanceOf(sdk.NotFoundError);
      expect(error).toMatchObject({ code: 'route_not_found', operation: undefined });
    });

    it('uses the account if it is asked for', async () => {
      const account = { email: company.email, password: PASSWORD };
      const client = new sdk.CampaignClient({ baseUrl, apiKey, account });
      const me = client.request('GET', '/api/company/me', { credential: 'account_token' });
      expect(await me).toMatchObject({ company_id: company.companyId });
    });

    it('sends no credential if there shall be none', async () => {
      proxy.plan();
      const client = new sdk.CampaignClient({ baseUrl, apiKey });
      await client.request('GET', '/health/live', { credential: null });
      expect(proxy.requests[0]!.headers).not.toHaveProperty('x-api-key');
    });

    it('refuses a body that the method cannot have', async () => {
      const client = new sdk.CampaignClient({ baseUrl, apiKey });
      for (const method of ['GET', 'head']) {
        await expect(client.request(method, '/svc/new', { body: {} })).rejects.toMatchObject({
          name: 'TypeError',
          message: `${method.toUpperCase()} takes no body`,
        });
      }
      expect(proxy.requests).toEqual([]);
    });

    it('sends its credential to no other host', async () => {
      const client = new sdk.CampaignClient({ baseUrl, apiKey });
      for (const path of ['@example.com/', '.example.com', 'https://example.com/']) {
        await expect(client.request('GET', path)).rejects.toMatchObject({ name: 'TypeError' });
      }
      expect(proxy.requests).toEqual([]);
    });
  });

  it.each([
    'http://ann:hidden@example.com',
    'http://hidden@example.com',
    'http://:hidden@example.com',
    'http://ann:hidden@example.com:99999',
    'http://example.com/?token=hidden',
    'http://example.com/#hidden',
    'ftp://ann:hidden@example.com',
    'hidden',
  ])('refuse the base URL %s without printing it', (wrong) => {
    const refusal = (() => {
      try {
        return new sdk.CampaignClient({ baseUrl: wrong, apiKey });
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toMatchObject({ name: 'TypeError' });
    expect((refusal as Error).message).toMatch(/^baseUrl must /);
    expect(inspect(refusal)).not.toContain('hidden');
  });

  describe('without a credential', () => {
    it.each([
      [{}, 'The client needs a credential: apiKey or account or accessToken'],
      [{ apiKey: undefined }, 'apiKey is empty: is the environment variable set?'],
      [{ apiKey: '' }, 'apiKey is empty: is the environment variable set?'],
      [{ apiKey: 'csk_x', accessToken: undefined }, 'accessToken is empty: is the environment'],
      [{ account: { email: 'a@example.com', password: '' } }, 'account is empty: is the environ'],
    ])('fail when the client is made with %j', (options, message) => {
      expect(() => new sdk.CampaignClient({ baseUrl: 'https://example.com', ...options })).toThrow(
        message,
      );
    });

    it('fail when the client of a platform is made', () => {
      expect(() => new sdk.PlatformClient({ baseUrl, platformKey: undefined })).toThrow(
        'platformKey is empty: is the environment variable set?',
      );
      expect(() => new sdk.PlatformClient({ baseUrl })).toThrow(
        'The client needs a credential: platformKey',
      );
    });

    it('fail before the request if a method needs another', async () => {
      const account = { email: company.email, password: PASSWORD };
      const client = new sdk.CampaignClient({ baseUrl, account });
      await expect(client.campaigns.list()).rejects.toThrow(
        new TypeError('listCampaigns needs a client with apiKey'),
      );
      expect(proxy.requests).toEqual([]);
    });
  });

  it('fail before the request if an identifier would lead to another path', async () => {
    const client = new sdk.CampaignClient({ baseUrl, apiKey });
    const platform = new sdk.PlatformClient({ baseUrl, platformKey: 'cpk_x' });
    const calls = [
      ...['', '.', '..', undefined as never].map((id) => () => client.campaigns.history(id)),
      () => client.campaigns.start(''),
      () => client.responses.list(''),
      () => platform.begin('post_1', ''),
      () => platform.list(''),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({
        name: 'TypeError',
        message: expect.stringMatching(/^(post|respondent)_id must not be "\.{0,2}"$/),
      });
    }
    expect(proxy.requests).toEqual([]);
  });

  it('warn about nothing if one signal stops many calls', async () => {
    const warnings: Error[] = [];
    const keep = (warning: Error) => void warnings.push(warning);
    process.on('warning', keep);
    const client = new sdk.CampaignClient({ baseUrl, apiKey });
    const controller = new AbortController();
    proxy.plan(...Array.from({ length: 30 }, () => 'hang' as const));
    const calls = Array.from({ length: 30 }, () => client.campaigns.list({}, controller));
    const outcomes = Promise.allSettled(calls);
    await eventually(() => expect(proxy.requests).toHaveLength(30));
    controller.abort();
    const reasons = (await outcomes).map((each) => each.status === 'rejected' && each.reason);
    expect(reasons).toEqual(reasons.map(() => expect.any(sdk.AbortedError)));
    process.off('warning', keep);
    expect(warnings).toEqual([]);
  });

  it('keep the headers and the body of a response that is not a success', async () => {
    const client = new sdk.CampaignClient({ baseUrl, apiKey, maxRetries: 0 });
    proxy.plan({ ...BAD_GATEWAY, headers: { 'content-type': 'text/html', via: 'edge-7' } });
    const proxied: any = await client.campaigns.list().catch((error: unknown) => error);
    expect([proxied.headers.get('via'), proxied.body]).toEqual(['edge-7', BAD_GATEWAY.body]);
    const refused: any = await client.campaigns.get('post_1').catch((error: unknown) => error);
    expect(JSON.parse(refused.body)).toMatchObject({ error: { code: refused.code } });
    expect(refused.headers.get('x-request-id')).toBe(refused.requestId);
  });
});
