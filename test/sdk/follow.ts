import { registerCompany, TestCompany } from '../support/client';
import { createSurvey } from '../support/builders';
import { eventually } from '../support/eventually';
import { BAD_GATEWAY, FaultyProxy, refusal } from '../support/faulty-proxy';
import { installedSdk, Sdk } from '../support/sdk';
import { service } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

/** A page of the feed without events. */
const EMPTY = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    success: true,
    message: 'Events listed.',
    data: { items: [], covers: { from: 1, to: 0 }, last_seq: 0, has_more: false },
  }),
};

describe('a reader of events of the SDK', () => {
  let sdk: Sdk;
  let proxy: FaultyProxy;
  let baseUrl: string;
  let company: TestCompany;
  let client: InstanceType<Sdk['CampaignClient']>;
  let warnings: string[];

  beforeAll(async () => {
    ({ sdk } = await installedSdk());
    proxy = new FaultyProxy(service.client.url);
    baseUrl = await proxy.listen();
  }, 180_000);

  beforeEach(async () => {
    company = await registerCompany(service.client);
    warnings = [];
    const ignore = () => undefined;
    client = new sdk.CampaignClient({
      baseUrl,
      apiKey: company.api.headers['x-api-key'],
      logger: { debug: ignore, info: ignore, error: ignore, warn: (line) => warnings.push(line) },
    });
    proxy.plan();
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => proxy.close());

  /** Keeps positions, and begins at one. */
  function store(position?: number) {
    const saved: number[] = [];
    return { saved, load: () => saved.at(-1) ?? position, save: (seq: number) => saved.push(seq) };
  }

  /** Returns the first events of a reader, which it then aborts. */
  async function first(
    count: number,
    options: Parameters<typeof client.events.follow>[0] = {},
  ): Promise<string[]> {
    const controller = new AbortController();
    const seen: string[] = [];
    for await (const { type } of client.events.follow({ ...options, signal: controller.signal })) {
      if (seen.push(type) === count) {
        controller.abort();
      }
    }
    return seen;
  }

  it('returns all events, waits for new ones, and ends when its signal is aborted', async () => {
    await createSurvey(company.api);
    const reading = first(3);
    await eventually(() => expect(proxy.requests.length).toBeGreaterThan(1));
    await createSurvey(company.api);
    expect(await reading).toEqual(['api_key.generated', 'campaign.created', 'campaign.created']);
  });

  it('continues where it stopped', async () => {
    await createSurvey(company.api);
    const cursor = store();
    expect(await first(1, { cursor })).toEqual(['api_key.generated']);
    expect(cursor.saved).toEqual([1]);
    expect(await first(1, { cursor })).toEqual(['campaign.created']);
    expect(cursor.saved).toEqual([1, 2]);
  });

  it('returns an event again whose handler failed, but not those before it', async () => {
    await createSurvey(company.api);
    const cursor = store();
    const failing = async () => {
      for await (const { seq } of client.events.follow({ cursor })) {
        if (seq === 2) {
          throw new Error('no connection to our database');
        }
      }
    };
    await expect(failing()).rejects.toThrow('no connection to our database');
    expect(cursor.saved).toEqual([1]);
  });

  it('saves the position behind events that its types leave out', async () => {
    const cursor = store();
    const controller = new AbortController();
    const { signal } = controller;
    proxy.plan({ ...EMPTY, body: EMPTY.body.replace('"to":0', '"to":4') });
    const next = client.events.follow({ types: ['campaign.started'], cursor, signal }).next();
    await eventually(() => expect(cursor.saved).toEqual([4]));
    controller.abort();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(cursor.saved).toEqual([4]);
    expect(proxy.requests[0]!.line).toContain('types=campaign.started');
  });

  it('waits through cut connections, gateways, restarts and 500s without end', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const timers = jest.spyOn(globalThis, 'setTimeout');
    proxy.plan(
      'cut before the service',
      BAD_GATEWAY,
      refusal(503, 'service_unavailable', { 'retry-after': '1' }),
      refusal(500, 'internal_error'),
    );
    expect(await first(1)).toEqual(['api_key.generated']);
    const delays = timers.mock.calls.map(([, delay]) => delay);
    expect(delays).toEqual(expect.arrayContaining([250, 500, 1_000, 2_000]));
    expect(warnings).toHaveLength(4);
    expect(warnings[1]).toBe(
      'campaign-service: reading events failed: 502 unexpected_response (The response is not ' +
        'from the Campaign Service: status 502, text/html); retry in 500 ms',
    );
  }, 60_000);

  // Timers with more than 2^31 ms fire at once.
  it.each(['600', '3000000'])(
    'ends a wait of %s seconds when its signal is aborted',
    async (wait) => {
      proxy.plan(refusal(503, 'service_unavailable', { 'retry-after': wait }));
      const controller = new AbortController();
      const next = client.events.follow({ signal: controller.signal }).next();
      await eventually(() => expect(warnings).toHaveLength(1));
      controller.abort();
      expect(await next).toEqual({ done: true, value: undefined });
      expect(proxy.requests).toHaveLength(1);
    },
  );

  it('throws what no retry can help', async () => {
    const revoked = client.withOptions({ apiKey: 'csk_x' });
    await expect(revoked.events.follow().next()).rejects.toBeInstanceOf(sdk.AuthenticationError);
    await expect(client.events.follow({ after: 99 }).next()).rejects.toMatchObject({
      code: 'feed_position_unknown',
    });
    proxy.plan({ ...BAD_GATEWAY, status: 200 });
    await expect(client.events.follow().next()).rejects.toMatchObject({
      code: 'unexpected_response',
    });
    expect(warnings).toEqual([]);
  });

  it('throws which event is the first one left, if those after its position are archived', async () => {
    const { dataSource } = service;
    await eventually(async () => expect(await first(1)).toEqual(['api_key.generated']));
    await dataSource.query('UPDATE event_sequence SET first_seq = 2 WHERE company_id = $1', [
      storedEnvironment(company.companyId),
    ]);
    const error = await client.events
      .follow()
      .next()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(sdk.FeedPositionExpiredError);
    expect(error).toMatchObject({ status: 410, code: 'feed_position_expired', firstSeq: 2 });
    expect(warnings).toEqual([]);
  });

  it('throws what its store throws', async () => {
    const load = () => Promise.reject(new Error('no such table'));
    const cursor = { load, save: () => undefined };
    await expect(client.events.follow({ cursor }).next()).rejects.toThrow('no such table');
  });

  it('reads the events of one campaign', async () => {
    await createSurvey(company.api);
    const { post_id: postId } = await createSurvey(company.api);
    await company.api.patch('/svc/campaign/update', { post_id: postId, title: 'New' });
    expect(await first(2, { postId })).toEqual(['campaign.created', 'campaign.updated']);
  });

  it('pauses for a second if the service does not wait', async () => {
    const controller = new AbortController();
    proxy.plan(EMPTY, EMPTY, EMPTY);
    const sent: number[] = [];
    const observed = client.withOptions({ onRequest: () => sent.push(performance.now()) });
    // The pause counts from before the request is sent.
    const begin = performance.now();
    const next = observed.events.follow({ signal: controller.signal }).next();
    await eventually(() => expect(sent.length).toBeGreaterThanOrEqual(3));
    controller.abort();
    await next;
    const [, second, third] = sent;
    expect(second! - begin).toBeGreaterThanOrEqual(990);
    expect(third! - begin).toBeGreaterThanOrEqual(1_990);
  });
});
