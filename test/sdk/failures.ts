import { registerCompany } from '../support/client';
import { BAD_GATEWAY, Fault, FaultyProxy, refusal } from '../support/faulty-proxy';
import { freePort } from '../support/ports';
import { installedSdk, Sdk } from '../support/sdk';
import { service, startService } from '../support/service';

const SURVEY = { title: 't', description: 'd', category: 'c', tagline: 't', reward_amount: 100 };

describe('the SDK, when requests fail,', () => {
  let sdk: Sdk;
  let proxy: FaultyProxy;
  let baseUrl: string;
  let apiKey: string;
  let client: InstanceType<Sdk['CampaignClient']>;

  beforeAll(async () => {
    ({ sdk } = await installedSdk());
    proxy = new FaultyProxy(service.client.url);
    baseUrl = await proxy.listen();
    apiKey = (await registerCompany(service.client)).api.headers['x-api-key']!;
    client = new sdk.CampaignClient({ baseUrl, apiKey });
  }, 180_000);

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => proxy.close());

  /** Returns the error that a call throws. */
  async function thrown(
    call: PromiseLike<unknown>,
  ): Promise<InstanceType<Sdk['CampaignServiceError']>> {
    const error = await Promise.resolve(call).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(sdk.CampaignServiceError);
    return error as InstanceType<Sdk['CampaignServiceError']>;
  }

  /** Returns how many campaigns have this title. */
  async function countOf(title: string): Promise<number> {
    let count = 0;
    for await (const campaign of client.campaigns.list()) {
      count += Number(campaign.title === title);
    }
    return count;
  }

  const faults: [string, Fault][] = [
    ['the connection is cut before the service receives the request', 'cut before the service'],
    ['the connection is cut before the response', 'cut after the service'],
    ['the connection is cut inside the response', 'cut inside the response'],
    ['a gateway responds 502', BAD_GATEWAY],
    ['a gateway responds 504', { status: 504 }],
    ['the service responds 503', refusal(503, 'service_unavailable', { 'retry-after': '1' })],
    ['the service responds 429', refusal(429, 'rate_limited', { 'retry-after': '1' })],
    ['the service responds 408', refusal(408, 'request_timeout')],
    ['an earlier attempt is still in progress', refusal(409, 'idempotency_in_progress')],
  ];

  it.each(faults)('creates a campaign once and returns it if %s', async (title, fault) => {
    proxy.plan(fault);
    const { post_id } = await client.surveys.create({ ...SURVEY, title });
    expect(proxy.requests).toHaveLength(2);
    expect(proxy.keys()).toEqual([expect.stringMatching(/./)]);
    proxy.plan();
    expect((await client.campaigns.get(post_id)).title).toBe(title);
    expect(await countOf(title)).toBe(1);
  });

  it('survives a series of failures under one idempotency key', async () => {
    proxy.plan('cut after the service', BAD_GATEWAY, 'cut inside the response', 'hang');
    const options = { maxRetries: 4, timeoutMs: 1_000 };
    const title = 'one after another';
    const created = await client.surveys.create({ ...SURVEY, title }, options).withResponse();
    expect([created.data.title, created.idempotentReplay]).toEqual([title, true]);
    expect(proxy.requests).toHaveLength(5);
    expect(proxy.keys()).toHaveLength(1);
    expect(await countOf(title)).toBe(1);
  });

  it('writes once per call if many connections are cut', async () => {
    const kinds: Fault[] = [
      'cut before the service',
      'cut after the service',
      'cut inside the response',
    ];
    proxy.plan(...Array.from({ length: 30 }, (_, n) => (n % 4 === 3 ? undefined : kinds[n % 4])));
    const title = 'many cuts';
    const created = await Promise.all(
      Array.from({ length: 20 }, () =>
        client.surveys.create({ ...SURVEY, title }, { maxRetries: 10 }),
      ),
    );
    expect(new Set(created.map(({ post_id }) => post_id)).size).toBe(20);
    expect(await countOf(title)).toBe(20);
  });

  it('retries a read', async () => {
    const { post_id } = await client.surveys.create(SURVEY);
    proxy.plan('cut inside the response');
    expect((await client.campaigns.get(post_id)).post_id).toBe(post_id);
  });

  it('waits for the seconds in Retry-After', async () => {
    proxy.plan(refusal(429, 'rate_limited', { 'retry-after': '2' }));
    await client.campaigns.list();
    const [first, second] = proxy.requests.map(({ at }) => at);
    expect(second! - first!).toBeGreaterThanOrEqual(1_990);
  });

  it('reads a date in Retry-After', async () => {
    const date = new Date(Date.now() + 30_000).toUTCString();
    proxy.plan(refusal(503, 'service_unavailable', { 'retry-after': date }));
    const error = await thrown(client.campaigns.list({}, { maxRetries: 0 }));
    expect(error.retryAfterSeconds).toBeGreaterThan(25);
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(30);
  });

  it('throws at once if Retry-After is more than a minute', async () => {
    proxy.plan(refusal(429, 'rate_limited', { 'retry-after': '61' }));
    const error = await thrown(client.campaigns.list());
    expect(error).toBeInstanceOf(sdk.RateLimitError);
    expect(error).toMatchObject({ code: 'rate_limited', status: 429, retryAfterSeconds: 61 });
    expect(proxy.requests).toHaveLength(1);
  });

  it.each([
    ['least', 0, [250, 500, 1000]],
    ['most', 1, [500, 1000, 2000]],
  ])('backs off longer each time, with the %s jitter', async (_name, random, expected) => {
    jest.spyOn(Math, 'random').mockReturnValue(random);
    const timers = jest.spyOn(globalThis, 'setTimeout');
    proxy.plan(BAD_GATEWAY, BAD_GATEWAY, BAD_GATEWAY);
    await client.campaigns.list({}, { maxRetries: 3 });
    const delays = timers.mock.calls.map(([, delay]) => delay);
    expect(delays).toEqual(expect.arrayContaining(expected));
    const times = proxy.requests.map(({ at }) => at);
    const gaps = times.slice(1).map((at, index) => at - times[index]!);
    gaps.forEach((gap, index) => expect(gap).toBeGreaterThanOrEqual(expected[index]! - 5));
  });

  it('gives up after maxRetries', async () => {
    proxy.plan(BAD_GATEWAY, BAD_GATEWAY, BAD_GATEWAY);
    const error = await thrown(client.campaigns.list());
    expect(error).toBeInstanceOf(sdk.ServerError);
    expect(error).toMatchObject({
      code: 'unexpected_response',
      status: 502,
      message: 'The response is not from the Campaign Service: status 502, text/html',
      requestId: proxy.requests[2]!.headers['x-request-id'],
    });
    expect(proxy.requests).toHaveLength(3);
  });

  it.each<[string, Fault, number | undefined, string]>([
    ['an HTML page', { ...BAD_GATEWAY, status: 200 }, 200, 'ServerError'],
    ['an empty body', { status: 200 }, 200, 'ServerError'],
    ['JSON of another service', { status: 500, body: '{"error":"boom"}' }, 500, 'ServerError'],
    ['null', { status: 500, body: 'null' }, 500, 'ServerError'],
    ['a page that was not found', { ...BAD_GATEWAY, status: 404 }, 404, 'NotFoundError'],
  ])('throws without a retry at %s', async (_name, fault, status, name) => {
    proxy.plan(fault);
    const error = await thrown(client.surveys.create(SURVEY));
    expect(error).toMatchObject({ name, status, code: 'unexpected_response' });
    expect(proxy.requests).toHaveLength(1);
  });

  it('does not follow a redirect with its credential', async () => {
    const other = new FaultyProxy('http://127.0.0.1:9');
    const elsewhere = await other.listen();
    proxy.plan({ status: 307, headers: { location: `${elsewhere}/svc/campaign/list` } });
    const error = await thrown(client.campaigns.list());
    expect(error).toMatchObject({ name: 'ServerError', status: 307, code: 'unexpected_response' });
    expect(other.requests).toEqual([]);
    other.close();
  });

  it('does not retry an internal error', async () => {
    proxy.plan(refusal(500, 'internal_error'));
    const error = await thrown(client.surveys.create(SURVEY));
    expect(error).toMatchObject({ name: 'ServerError', code: 'internal_error', status: 500 });
    expect(proxy.requests).toHaveLength(1);
  });

  it('throws a ConnectionError with the idempotency key if nothing listens', async () => {
    const gone = new sdk.CampaignClient({
      baseUrl: `http://127.0.0.1:${await freePort()}`,
      apiKey,
      maxRetries: 1,
    });
    const error = await thrown(gone.surveys.create(SURVEY));
    expect(error).toBeInstanceOf(sdk.ConnectionError);
    expect(error).toMatchObject({
      name: 'ConnectionError',
      code: 'connection_failed',
      status: undefined,
      requestId: expect.stringMatching(/^\w{32}$/),
      idempotencyKey: expect.stringMatching(/^\w{32}$/),
      message: expect.stringContaining('ECONNREFUSED'),
      cause: expect.any(Object),
    });
  });

  it('writes once if the caller repeats a lost write with the key of the error', async () => {
    proxy.plan('cut after the service');
    const title = 'sent again';
    const { idempotencyKey } = await thrown(
      client.surveys.create({ ...SURVEY, title }, { maxRetries: 0 }),
    );
    const again = client.surveys.create({ ...SURVEY, title }, { idempotencyKey });
    expect((await again.withResponse()).idempotentReplay).toBe(true);
    expect(await countOf(title)).toBe(1);
  });

  it('throws a TimeoutError if no response arrives in time', async () => {
    proxy.plan('hang', 'hang');
    const before = performance.now();
    const error = await thrown(client.campaigns.list({}, { timeoutMs: 300, maxRetries: 1 }));
    expect(error).toBeInstanceOf(sdk.TimeoutError);
    expect(error).toBeInstanceOf(sdk.ConnectionError);
    expect(error).toMatchObject({ code: 'timeout', message: 'No response within 300 ms' });
    expect(performance.now() - before).toBeGreaterThanOrEqual(600);
    expect(proxy.requests).toHaveLength(2);
  });

  it('times out a fetch that ignores its signal', async () => {
    const fetch = () => new Promise<never>(() => undefined);
    const deaf = new sdk.CampaignClient({ baseUrl, apiKey, fetch });
    const error = await thrown(deaf.campaigns.list({}, { timeoutMs: 50, maxRetries: 0 }));
    expect(error.code).toBe('timeout');
  });

  it('throws a TypeError without a retry for an invalid header value', async () => {
    proxy.plan();
    const wrong = new sdk.CampaignClient({ baseUrl, apiKey: 'ключ' });
    await expect(wrong.campaigns.list()).rejects.toMatchObject({ name: 'TypeError' });
    expect(proxy.requests).toEqual([]);
  });

  describe('with a signal', () => {
    it('sends nothing if it is aborted already', async () => {
      proxy.plan();
      const reason = new Error('too late');
      const error = await thrown(
        client.surveys.create(SURVEY, { signal: AbortSignal.abort(reason) }),
      );
      expect(error).toBeInstanceOf(sdk.AbortedError);
      expect(error).toMatchObject({ code: 'aborted', status: undefined, cause: reason });
      expect(proxy.requests).toEqual([]);
    });

    it('stops waiting for a response', async () => {
      proxy.plan('hang');
      const controller = new AbortController();
      const call = client.campaigns.list({}, { signal: controller.signal });
      setTimeout(() => controller.abort(), 100);
      expect(await thrown(call)).toMatchObject({ code: 'aborted', name: 'AbortedError' });
      expect(proxy.requests).toHaveLength(1);
    });

    it('stops waiting before a retry', async () => {
      proxy.plan(refusal(429, 'rate_limited', { 'retry-after': '50' }));
      const controller = new AbortController();
      const call = client.campaigns.list({}, { signal: controller.signal });
      setTimeout(() => controller.abort(), 200);
      const before = performance.now();
      expect(await thrown(call)).toMatchObject({ code: 'aborted' });
      expect(performance.now() - before).toBeLessThan(10_000);
      expect(proxy.requests).toHaveLength(1);
    });

    it('removes its listeners from the signal', async () => {
      proxy.plan(BAD_GATEWAY);
      const { signal } = new AbortController();
      const added = jest.spyOn(signal, 'addEventListener');
      const removed = jest.spyOn(signal, 'removeEventListener');
      await client.campaigns.list({}, { signal });
      expect(added).toHaveBeenCalled();
      const gone = removed.mock.calls.map(([, listener]) => listener);
      expect(added.mock.calls.filter(([, listener]) => !gone.includes(listener))).toEqual([]);
    });
  });

  describe('with an error response of the service', () => {
    it('throws a ValidationError with every invalid field', async () => {
      const wrong = { ...SURVEY, title: '', reward_amount: -1 };
      const error = await thrown(client.surveys.create(wrong));
      expect(error).toBeInstanceOf(sdk.ValidationError);
      expect(error).toMatchObject({ code: 'validation_failed', status: 400 });
      expect(error.details.map(({ field }) => field).toSorted()).toEqual([
        'reward_amount',
        'title',
      ]);
    });

    it('throws an AuthenticationError without a valid key', async () => {
      const nobody = new sdk.CampaignClient({ baseUrl, apiKey: 'csk_x' });
      const error = await thrown(nobody.campaigns.list());
      expect(error).toBeInstanceOf(sdk.AuthenticationError);
      expect(error).toMatchObject({ code: 'api_key_invalid', status: 401 });
    });

    it("throws a PermissionError at another company's campaign", async () => {
      const { api } = await registerCompany(service.client);
      const other = new sdk.CampaignClient({ baseUrl, apiKey: api.headers['x-api-key'] });
      const { post_id } = await other.surveys.create(SURVEY);
      const error = await thrown(client.campaigns.start(post_id));
      expect(error).toBeInstanceOf(sdk.PermissionError);
      expect(error).toMatchObject({ code: 'campaign_not_owned', status: 403 });
    });

    it('throws a NotFoundError for an unknown campaign, with a code to check', async () => {
      const error = await thrown(client.campaigns.start('post_00000000000000000000000000'));
      expect(error).toBeInstanceOf(sdk.NotFoundError);
      expect(sdk.isCode(error, 'campaign_not_owned', 'campaign_not_found')).toBe(true);
      expect(sdk.isCode(error, 'campaign_not_owned')).toBe(false);
      expect(sdk.isErrorOf(error, 'toggleLive')).toBe(true);
      const { start, stop, archive } = Object.getPrototypeOf(client.campaigns);
      expect(client.campaigns).toHaveProperty('start', start);
      expect(sdk.isErrorOf(error, start)).toBe(true);
      expect(sdk.isErrorOf(error, stop)).toBe(true);
      expect(sdk.isErrorOf(error, archive)).toBe(false);
      expect(sdk.isErrorOf(error, 'createSurvey')).toBe(false);
      expect(sdk.isCode(new Error('campaign_not_found'), 'campaign_not_found')).toBe(false);
    });

    it('throws a ConflictError if rewards conflict with the campaign', async () => {
      const { post_id } = await client.surveys.create(SURVEY);
      const { cohort_rewards } = await client.cohortRewards.preview({ reward_amount: 50 });
      const error = await thrown(client.cohortRewards.update(post_id, cohort_rewards));
      expect(error).toBeInstanceOf(sdk.ConflictError);
      expect(error).toMatchObject({ code: 'cohort_reward_mismatch', status: 422 });
    });

    it('throws a RateLimitError with the figures of each limit, which successes have too', async () => {
      const service = await startService({
        variables: { RATE_LIMIT_ENABLED: 'true', RATE_LIMIT_LOGINS: '1' },
      });
      const account = { email: 'limited@example.com', password: 'a long enough password' };
      const options = { baseUrl: service.client.url, account, maxRetries: 0 };
      const limited = new sdk.CampaignClient(options);
      await limited.company.register({ name: 'A Company', ...account });
      const { rateLimits } = await limited.company.login(account).withResponse();
      const logins = { name: 'logins', quota: 1, windowSeconds: 60, remaining: 0 };
      expect(rateLimits).toContainEqual({ ...logins, resetSeconds: expect.any(Number) });
      expect(rateLimits.every(({ quota, resetSeconds }) => quota > 0 && resetSeconds > 0)).toBe(
        true,
      );
      const error = await thrown(limited.company.login(account));
      expect(error).toBeInstanceOf(sdk.RateLimitError);
      expect(error.rateLimits).toContainEqual({ ...logins, resetSeconds: error.retryAfterSeconds });
      await service.close();
    });

    it('keeps the request id if the response is lost', async () => {
      proxy.plan('cut after the service');
      const error = await thrown(client.campaigns.list({}, { maxRetries: 0 }));
      expect(error.requestId).toBe(proxy.requests[0]!.headers['x-request-id']);
    });
  });

  it('returns the same result to two concurrent calls with one key', async () => {
    const title = 'two at once';
    const options = { idempotencyKey: 'two-at-once', maxRetries: 5 };
    const [one, other] = await Promise.all([
      client.surveys.create({ ...SURVEY, title }, options),
      client.surveys.create({ ...SURVEY, title }, options),
    ]);
    expect(one).toEqual(other);
    expect(await countOf(title)).toBe(1);
  });

  it('leaves no unhandled rejection if the caller handles withResponse()', async () => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    await expect(client.campaigns.get('post_1').withResponse()).rejects.toBeDefined();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});
