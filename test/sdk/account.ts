import { PASSWORD, registerCompany, TestCompany } from '../support/client';
import { FaultyProxy, refusal } from '../support/faulty-proxy';
import { generatePlatformKey } from '../support/platforms';
import { installedSdk, Sdk } from '../support/sdk';
import { service } from '../support/service';

const LOG_IN = 'POST /api/company/login';

describe('the SDK, with an account,', () => {
  let sdk: Sdk;
  let proxy: FaultyProxy;
  let baseUrl: string;
  let company: TestCompany;
  let account: { email: string; password: string };

  beforeAll(async () => {
    ({ sdk } = await installedSdk());
    proxy = new FaultyProxy(service.client.url);
    baseUrl = await proxy.listen();
    company = await registerCompany(service.client);
    account = { email: company.email, password: PASSWORD };
  }, 180_000);

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => proxy.close());

  const logIns = () => proxy.requests.filter(({ line }) => line === LOG_IN).length;

  it('logs in once for concurrent calls, and generates keys that work', async () => {
    proxy.plan();
    const owner = new sdk.CampaignClient({ baseUrl, account });
    const keys = await Promise.all([
      owner.keys.generate({ name: 'one' }),
      owner.keys.generate({ name: 'two' }),
    ]);
    expect((await owner.company.me()).email).toBe(company.email);
    expect(logIns()).toBe(1);
    for (const { api_key: apiKey } of keys) {
      const client = new sdk.CampaignClient({ baseUrl, apiKey });
      expect((await client.campaigns.list()).items).toEqual([]);
    }
    expect(logIns()).toBe(1);
  });

  it('logs in again before its token expires', async () => {
    proxy.plan();
    const owner = new sdk.CampaignClient({ baseUrl, account });
    await owner.company.me();
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now');
    clock.mockReturnValue(now + 0.89 * 3_600_000);
    await owner.company.me();
    expect(logIns()).toBe(1);
    clock.mockReturnValue(now + 0.91 * 3_600_000);
    await owner.company.me();
    expect(logIns()).toBe(2);
  });

  it('logs in again once if the service rejects its token', async () => {
    const owner = new sdk.CampaignClient({ baseUrl, account });
    await owner.company.me();
    proxy.plan(refusal(401, 'token_invalid'));
    expect((await owner.company.me()).email).toBe(company.email);
    expect(proxy.requests.map(({ line }) => line)).toEqual([
      'GET /api/company/me',
      LOG_IN,
      'GET /api/company/me',
    ]);
    proxy.plan(refusal(401, 'token_invalid'), undefined, refusal(401, 'token_invalid'));
    await expect(owner.company.me()).rejects.toBeInstanceOf(sdk.AuthenticationError);
    expect(proxy.requests).toHaveLength(3);
  });

  it('writes once if its token is rejected between attempts', async () => {
    const owner = new sdk.CampaignClient({ baseUrl, account });
    await owner.company.me();
    const before = (await owner.keys.list()).items.length;
    proxy.plan('cut after the service', refusal(401, 'token_invalid'));
    await owner.keys.generate({ name: 'once' });
    const keys = proxy.requests.filter(({ line }) => line.includes('generate'));
    expect(new Set(keys.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect((await owner.keys.list()).items).toHaveLength(before + 1);
  });

  it('retries a login whose connection is cut', async () => {
    proxy.plan('cut after the service');
    const owner = new sdk.CampaignClient({ baseUrl, account });
    expect((await owner.company.me()).email).toBe(company.email);
    expect(logIns()).toBe(2);
  });

  it('throws the error of a failed login, and logs in again at the next call', async () => {
    const wrong = new sdk.CampaignClient({
      baseUrl,
      account: { ...account, password: 'not the password' },
    });
    proxy.plan();
    for (const attempts of [1, 2]) {
      await expect(wrong.company.me()).rejects.toMatchObject({
        name: 'AuthenticationError',
        code: 'invalid_credentials',
        operation: 'logIn',
      });
      expect(proxy.requests).toHaveLength(attempts);
    }
  });

  it('stops waiting for a login if the call is aborted, while other calls go on', async () => {
    proxy.plan('hang');
    const owner = new sdk.CampaignClient({ baseUrl, account, timeoutMs: 1_000 });
    const controller = new AbortController();
    const canceled = owner.company.me(controller);
    const other = owner.company.me();
    setTimeout(() => controller.abort(), 100);
    await expect(canceled).rejects.toBeInstanceOf(sdk.AbortedError);
    expect((await other).email).toBe(company.email);
  });

  it('sends a fixed token and does not retry when it is rejected', async () => {
    const { access_token: accessToken } = await new sdk.CampaignClient({
      baseUrl,
      account,
    }).company.login(account);
    const owner = new sdk.CampaignClient({ baseUrl, accessToken });
    expect((await owner.company.me()).email).toBe(company.email);
    proxy.plan();
    const late = new sdk.CampaignClient({ baseUrl, accessToken: 'not a token' });
    await expect(late.company.me()).rejects.toMatchObject({ code: 'token_invalid' });
    expect(proxy.requests).toHaveLength(1);
  });

  it('calls a token function again once if its token is rejected', async () => {
    const { access_token } = await new sdk.CampaignClient({ baseUrl, account }).company.login(
      account,
    );
    const accessToken = jest.fn(() => 'not a token').mockReturnValueOnce('expired');
    accessToken.mockReturnValueOnce(access_token);
    const owner = new sdk.CampaignClient({ baseUrl, accessToken });
    expect((await owner.company.me()).email).toBe(company.email);
    expect(accessToken).toHaveBeenCalledTimes(2);
  });

  it('rethrows the error of a token function', async () => {
    const failure = new Error('no session');
    const owner = new sdk.CampaignClient({ baseUrl, accessToken: () => Promise.reject(failure) });
    await expect(owner.company.me()).rejects.toBe(failure);
  });

  it('sends each credential only to the operations that need it', async () => {
    proxy.plan();
    const client = new sdk.CampaignClient({
      baseUrl,
      apiKey: company.api.headers['x-api-key'],
      account,
    });
    await client.company.login(account);
    await client.company.me();
    await client.campaigns.list();
    const sent = proxy.requests.map(({ headers }) =>
      ['authorization', 'x-api-key'].filter((name) => headers[name] !== undefined),
    );
    expect(sent).toEqual([[], [], ['authorization'], ['x-api-key']]);
  });

  it('sends a platform key to the operations of platforms, and not to public ones', async () => {
    proxy.plan();
    const { secret: platformKey } = await generatePlatformKey(service.dataSource);
    const platform = new sdk.PlatformClient({ baseUrl, platformKey });
    await platform.receiptKeys();
    await platform.list('user-1');
    const sent = proxy.requests.map(({ headers }) => headers['x-api-key']);
    expect(sent).toEqual([undefined, platformKey]);
  });
});
