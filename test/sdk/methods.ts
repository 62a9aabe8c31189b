import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { registerCompany, PASSWORD, TestCompany } from '../support/client';
import { eventually } from '../support/eventually';
import { FaultyProxy } from '../support/faulty-proxy';
import { installedSdk, Sdk, SDK_ROOT } from '../support/sdk';
import { generatePlatformKey } from '../support/platforms';
import { service } from '../support/service';
import { requestedApproval } from '../support/approvals';
import { settleOne, storedCompany } from '../support/settlements';

const SURVEY = {
  title: 'Coffee habits',
  description: 'How people drink their coffee.',
  category: 'food',
  tagline: 'Tell us about your cup',
  reward_amount: 100,
};
const ANSWERS = [
  { question: 1, value: 'One' },
  { question: 2, value: 'Java' },
];
const IMAGES = ['a', 'b', 'c'].map((name) => ({ url: `https://example.com/${name}.png` }));

/** A URL to which nothing is ever sent, because its address is not public. */
const NOWHERE = 'https://127.0.0.1/webhooks';

describe('methods of the SDK', () => {
  let sdk: Sdk;
  let proxy: FaultyProxy;
  let baseUrl: string;
  let company: TestCompany;
  let client: InstanceType<Sdk['CampaignClient']>;
  let platform: InstanceType<Sdk['PlatformClient']>;

  beforeAll(async () => {
    ({ sdk } = await installedSdk());
    proxy = new FaultyProxy(service.client.url);
    baseUrl = await proxy.listen();
    const { secret: platformKey } = await generatePlatformKey(service.dataSource);
    platform = new sdk.PlatformClient({ baseUrl, platformKey });
  }, 180_000);

  beforeEach(async () => {
    company = await registerCompany(service.client);
    client = new sdk.CampaignClient({
      baseUrl,
      apiKey: company.api.headers['x-api-key'],
      account: { email: company.email, password: PASSWORD },
    });
  });

  afterAll(() => proxy.close());

  it('cover every operation of the document except the health checks', async () => {
    proxy.plan();
    const account = { email: `methods-${company.email}`, password: PASSWORD };
    const registered = await client.company.register({ name: 'A Company', ...account });
    expect(registered).toMatchObject({ email: account.email, token_type: 'Bearer' });
    expect(await client.company.login(account)).toMatchObject({ token_type: 'Bearer' });
    expect((await client.company.me()).company_id).toBe(company.companyId);

    const key = await client.keys.generate({ name: 'a key', scopes: ['campaigns:read'] });
    const spending_limit = { amount: 500, per: 'month' } as const;
    const limited = await client.keys.limit(key.key_id, { spending_limit });
    expect(limited.spending_limit).toEqual(spending_limit);
    expect(await client.keys.spending(key.key_id)).toMatchObject({ committed: 0, left: 500 });
    const approval = await requestedApproval(company.account);
    expect((await client.approvals.list()).items).toMatchObject([{ approval_id: approval }]);
    expect(await client.approvals.get(approval)).toMatchObject({ state: 'pending' });
    const { request } = await client.approvals.getRequest(approval);
    expect(request).toMatchObject({ is_live: true });
    const { state } = await client.approvals.refuse(approval, { reason: 'Not this month' });
    expect(state).toBe('refused');
    const another = await requestedApproval(company.account);
    expect((await client.approvals.approve(another)).state).toBe('approved');
    const rotated = await client.keys.rotate(key.key_id, { overlap_seconds: 60 });
    expect(rotated.name).toBe('a key');
    expect((await client.keys.revoke(rotated.key_id)).key_id).toBe(rotated.key_id);
    expect((await client.keys.list()).items).toHaveLength(5);
    expect((await client.keys.history(rotated.key_id)).items).toHaveLength(2);

    const { post_id, is_live } = await client.surveys.create(SURVEY);
    expect(is_live).toBe(false);
    const set = await client.questions.setForSurvey(post_id, [
      { type: 'single_choice', question: 'How many?', options: ['One', 'More'] },
      { type: 'text', question: 'Which?' },
    ]);
    expect(set.total_questions).toBe(2);
    expect((await client.questions.get(post_id)).questions).toHaveLength(2);
    expect((await client.questions.history(post_id)).items).toHaveLength(1);
    const shown = await client.questions.createPreviewLink(post_id, { language: 'de' });
    expect(shown.url).toContain('/preview/cpl_');
    const { items: shownLinks } = await client.questions.listPreviewLinks({ post_id });
    expect(shownLinks).toEqual([await client.questions.getPreviewLink(post_id, shown.link_id)]);
    const revoked = await client.questions.revokePreviewLink(shown.link_id);
    expect(revoked.revoked_at).not.toBeNull();
    const updated = await client.campaigns.update(post_id, {
      reward_amount: 99.99,
      review_days: 1,
      maximum_dispute_share: 1,
    });
    expect(updated.cohort_rewards?.cohort_3_reward).toBe(59.99);
    const preview = await client.cohortRewards.preview({ reward_amount: 99.99 });
    expect(preview.cohort_rewards).toEqual(updated.cohort_rewards);
    const rewards = { ...preview.cohort_rewards, cohort_1_reward: 4 };
    expect((await client.cohortRewards.update(post_id, rewards)).cohort_rewards).toEqual(rewards);
    expect((await client.campaigns.start(post_id)).is_live).toBe(true);
    expect((await client.campaigns.get(post_id)).is_live).toBe(true);
    expect((await client.campaigns.stop(post_id)).is_live).toBe(false);
    expect((await client.campaigns.history(post_id)).items).toHaveLength(6);

    expect((await client.campaigns.launchCheck(post_id)).ready).toBe(true);
    const forecast = await client.campaigns.forecast({ post_id, runs: 100, respondents: 5 });
    expect(forecast.cost_histogram).toHaveLength(20);
    const simulation = client.campaigns.simulate(post_id, { respondents: 1, seed: 1 });
    await expect(simulation).rejects.toMatchObject({ code: 'test_key_required' });
    const copy = await client.campaigns.duplicate(post_id, { title: 'Second wave' });
    expect(copy).toMatchObject({ title: 'Second wave', status: 'draft' });
    expect((await client.campaigns.archive(copy.post_id)).status).toBe('archived');
    expect((await client.campaigns.list({ archived: true })).items).toHaveLength(1);
    expect((await client.campaigns.unarchive(copy.post_id)).status).toBe('draft');
    expect((await client.campaigns.archive(copy.post_id)).status).toBe('archived');

    const advertisement = await client.advertisements.create({
      ...SURVEY,
      video_url: 'https://example.com/spot.mp4',
      has_feedback: true,
    });
    const feedback = await client.questions.setForAdvertisement(advertisement.post_id, [
      { type: 'descriptive', question: 'What did you think?' },
    ]);
    expect(feedback.question_type).toBe('ad');

    const image = { ...SURVEY, question: 'Which one?' };
    const pairs = await client.imageSurveys.roundRobin({ ...image, images: IMAGES });
    expect(pairs.total_pairs).toBe(3);
    const binary = await client.imageSurveys.binary({ ...image, images: IMAGES.slice(1) });
    expect(binary.type).toBe('survey');
    const slider = await client.imageSurveys.slider({ ...image, images: IMAGES });
    expect(slider.type).toBe('survey');

    const document = { external_ref: 'coffee', type: 'survey', ...SURVEY } as const;
    expect((await client.campaigns.apply(document)).result).toBe('created');
    expect((await client.campaigns.apply(document)).result).toBe('unchanged');
    expect((await client.campaigns.list({ type: 'survey' })).items).toHaveLength(7);

    const { items: events } = await client.events.list({ wait_seconds: 5, limit: 1 });
    expect(events).toMatchObject([{ seq: 1, type: 'api_key.generated' }]);
    expect(events).toEqual([await client.events.get(events[0]!.event_id)]);

    const { webhook_id, secret } = await client.webhooks.create({ url: NOWHERE });
    expect(secret).toMatch(/^whsec_/);
    const { items: webhooks } = await client.webhooks.list();
    expect(webhooks).toMatchObject([{ webhook_id, url: NOWHERE }]);
    expect(webhooks).toEqual([await client.webhooks.get(webhook_id)]);
    const changed = await client.webhooks.update(webhook_id, { description: 'Orders' });
    expect(changed.description).toBe('Orders');
    expect((await client.webhooks.rotateSecret(webhook_id)).secret).not.toBe(secret);
    expect((await client.webhooks.test(webhook_id)).webhook_id).toBe(webhook_id);
    expect((await client.webhooks.deliveries(webhook_id)).next_cursor).toBeNull();
    const replay = await client.webhooks.replay(webhook_id, { event_id: events[0]!.event_id });
    expect(replay.deliveries).toBe(1);
    expect((await client.webhooks.delete(webhook_id)).webhook_id).toBe(webhook_id);

    const { guardrail_id } = await client.guardrails.create({
      post_id,
      name: 'Too dear',
      when: { all: [{ metric: 'spent', op: 'gt', value: 9 }] },
      then: 'notify',
    });
    const { items: guardrails } = await client.guardrails.list({ post_id });
    expect(guardrails).toMatchObject([{ guardrail_id }]);
    expect(guardrails).toEqual([await client.guardrails.get(guardrail_id)]);
    const renamed = await client.guardrails.update(guardrail_id, { name: 'Much too dear' });
    expect(renamed.name).toBe('Much too dear');
    expect((await client.guardrails.backtest({ guardrail_id })).items).toMatchObject([{ post_id }]);
    expect((await client.guardrails.arm(guardrail_id)).fired).toBeNull();
    expect((await client.guardrails.delete(guardrail_id)).guardrail_id).toBe(guardrail_id);

    await client.campaigns.start(post_id);
    // Newest first; other tests have live campaigns too.
    await eventually(async () =>
      expect((await platform.list('user-1')).items[0]).toMatchObject({ post_id }),
    );
    const attributes = [{ name: 'age', type: 'number' as const }];
    const quotas = [{ name: 'adults', when: { age: [{ from: 18 }] }, limit: 5 }];
    const stored = await client.targeting.set(post_id, {
      attributes,
      quotas,
      exclude: { campaigns: 'all' },
      at_most_per_hour: 10,
    });
    expect(await client.targeting.get(post_id)).toEqual(stored);
    const listed = await platform.listFor('user-1', { age: 30 }, { limit: 1 });
    expect(listed.items).toHaveLength(1);
    const begun = await platform.begin(post_id, 'user-1', { attributes: { age: 30 } });
    expect((await client.targeting.quotas(post_id)).quotas).toMatchObject([
      { name: 'adults', taken: 1 },
    ]);
    expect(begun.content.questions).toHaveLength(2);
    const submitted = await platform.submit(begun, {
      attention_score: 8.5,
      answers: ANSWERS,
    });
    expect(submitted).toMatchObject({ cohort: 5, reward: 99.99 });
    const { receipt } = await platform.participation(submitted.participation_id);
    expect(receipt).toBe(submitted.receipt);
    const { earnings, items: begunBefore } = await platform.respondent('user-1', { limit: 1 });
    expect(earnings).toMatchObject({
      amounts: [{ currency: 'USD', earned: 99.99 }],
      participations: 1,
      is_complete: true,
    });
    expect(begunBefore).toMatchObject([{ post_id, status: 'submitted' }]);
    const given = await platform.begin(post_id, 'user-2');
    expect((await platform.abandon(given)).status).toBe('abandoned');
    expect((await platform.receiptKeys()).keys).toHaveLength(1);
    const { items: responses } = await client.responses.list(post_id, { cohort: 5 });
    expect(responses).toMatchObject([{ reward: 99.99, answers: [{ value: 'One' }, {}] }]);
    expect(responses).toEqual([await client.responses.get(post_id, submitted.participation_id)]);
    const exported = JSON.parse(await client.responses.export(post_id, { cohorts: [1] }).text());
    expect(exported).toMatchObject({ count: 0, covers: { from: 1 } });
    const results = await client.results.get(post_id, {
      version: 1,
      cohorts: [4, 5],
      weights: [0, 0, 0, 0.5, 1],
    });
    expect(results).toMatchObject({ post_id, version: 1, cohorts_counted: [4, 5] });
    const crossed = await client.results.crosstab(post_id, { rows: 'q1', columns: 'cohort' });
    expect(crossed).toMatchObject({ post_id });
    const waves = await client.results.waves(post_id, { compare: post_id });
    expect(waves.questions.length).toBeGreaterThan(0);
    const { items: platforms } = await client.results.platforms(post_id);
    expect(platforms).toMatchObject([{ responses: 1 }]);
    const link = await client.results.createLink(post_id, { cohorts: [5, 4] });
    expect(link).toMatchObject({ post_id, cohorts: [4, 5], url: expect.any(String) });
    const { items: links } = await client.results.listLinks({ post_id });
    expect(links).toMatchObject([{ link_id: link.link_id, revoked_at: null }]);
    expect(links).toEqual([await client.results.getLink(post_id, link.link_id)]);
    expect((await client.results.revokeLink(link.link_id)).revoked_at).not.toBeNull();
    const { participation_id } = submitted;
    const bonus = { amount: 5, bonus_ref: 'best' };
    expect(await client.responses.payBonus(participation_id, bonus)).toMatchObject(bonus);
    const dispute = await client.responses.dispute(participation_id, { reason: 'Too fast' });
    expect((await client.responses.listDisputes({ state: 'open' })).items).toEqual([dispute]);
    expect((await platform.disputes()).items).toEqual([dispute]);
    const decided = await platform.decideDispute(submitted, { is_accepted: false });
    expect(decided.state).toBe('declined');
    expect((await platform.reverse(submitted, { reason: 'A mistake' })).status).toBe('reversed');
    const kinds = (await client.ledger.list()).items.map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['bonus', 'hold', 'hold', 'release', 'reverse', 'settle']);
    const table = await client.ledger.export({ post_id, kind: 'reverse' }).text();
    expect(table.split('\r\n')).toEqual([
      'created_at,post_id,participation_id,kind,debit,credit,currency,amount,released',
      expect.stringMatching(/^[^,]+Z,post_\w+,part_\w+,reverse,respondents,company,USD,104.99,0$/),
      '',
    ]);
    expect(await client.ledger.balance()).toMatchObject({ is_prepaid: false, funded: 0 });
    expect(await client.ledger.reconcile()).toEqual({
      checked: 2,
      currency: 'USD',
      differences: [],
    });
    const again = await platform.begin(post_id, 'user-3', { attributes: { age: 30 } });
    await platform.submit(again, { attention_score: 8.5, answers: ANSWERS });
    const closed = await settleOne(service.dataSource, storedCompany(company.companyId));
    const { items: settlements } = await platform.settlements({ state: 'closed', limit: 1 });
    expect(settlements).toMatchObject([{ settlement_id: closed, payments: 4 }]);
    const { settlement, items: lines } = await platform.settlement(closed);
    expect([settlement, lines]).toEqual([settlements[0], [expect.objectContaining({ post_id })]]);
    const stated = await platform.verifySettlement(closed);
    expect(stated).toMatchObject({ settlement_id: closed, payments: 4, mode: 'live' });
    const own = await client.settlements.get(closed);
    expect((await client.settlements.list()).items).toEqual([own.settlement]);
    expect(own.settlement).toMatchObject(settlement);
    expect((await platform.eraseRespondent('user-1')).participations).toBe(1);

    const { paths } = JSON.parse(readFileSync(join(__dirname, '../../openapi.json'), 'utf8'));
    const documented = Object.entries<object>(paths)
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`))
      .filter((operation) => !operation.includes('/health/'));
    const called = proxy.requests.map(({ line }) =>
      line
        .replace(/\?.*/, '')
        .replace(/post_\w{26}/, '{post_id}')
        .replace(/key_\w{26}/, '{key_id}')
        .replace(/link_\w{26}/, '{link_id}')
        .replace(/evt_\w{26}/, '{event_id}')
        .replace(/grd_\w{26}/, '{guardrail_id}')
        .replace(/whk_\w{26}/, '{webhook_id}')
        .replace(/part_\w{26}/, '{participation_id}')
        .replace(/stl_\w{26}/, '{settlement_id}')
        .replace(/apr_\w{26}/, '{approval_id}')
        .replace(/^\w+/, (method) => method.toLowerCase()),
    );
    expect([...new Set(called)].toSorted()).toEqual(documented.toSorted());
  });

  it('return the data, and the response with withResponse()', async () => {
    const created = client.surveys.create(SURVEY);
    expect(Object.keys(await created).toSorted()).toEqual(
      [
        ...['id', 'is_live', 'post_id', 'title', 'type'],
        ...['mode', 'status', 'status_reasons', 'stop_reason'],
      ].toSorted(),
    );
    const { data, response, ...about } = await created.withResponse();
    expect(data).toEqual(await created);
    expect(about).toEqual({
      message: expect.stringMatching(/./),
      requestId: response.headers.get('x-request-id'),
      etag: '"1"',
      idempotentReplay: false,
      rateLimits: [],
    });
    expect([response.status, response.bodyUsed]).toEqual([200, true]);
  });

  it('send a given idempotency key, and report a replay', async () => {
    proxy.plan();
    const idempotencyKey = `sdk-${company.companyId}`;
    const first = await client.surveys.create(SURVEY, { idempotencyKey });
    const again = await client.surveys.create(SURVEY, { idempotencyKey }).withResponse();
    expect([again.data, again.idempotentReplay]).toEqual([first, true]);
    expect(proxy.keys()).toEqual([idempotencyKey]);
  });

  it('send a new idempotency key with every write, and none with a read', async () => {
    proxy.plan();
    const { post_id } = await client.surveys.create(SURVEY);
    await client.campaigns.start(post_id);
    await client.campaigns.get(post_id);
    expect(proxy.keys()).toEqual([
      expect.stringMatching(/^\w{32}$/),
      expect.stringMatching(/^\w{32}$/),
      undefined,
    ]);
  });

  it('refuse to change another version than the one in ifMatch', async () => {
    const { post_id } = await client.surveys.create(SURVEY);
    const { etag } = await client.campaigns.get(post_id).withResponse();
    await client.campaigns.update(post_id, { title: 'First' }, { ifMatch: etag });
    const late = client.campaigns.update(post_id, { title: 'Second' }, { ifMatch: etag });
    await expect(late).rejects.toMatchObject({ code: 'version_conflict', status: 412 });
    await expect(late).rejects.toBeInstanceOf(sdk.ConflictError);
    expect((await client.campaigns.get(post_id)).title).toBe('First');
  });

  it('encode identifiers in paths', async () => {
    proxy.plan();
    await expect(client.campaigns.get('../../health/live?')).rejects.toMatchObject({ status: 404 });
    expect(proxy.requests.map(({ line }) => line)).toEqual([
      'GET /svc/campaign/..%2F..%2Fhealth%2Flive%3F',
    ]);
  });

  it('accept a base URL with a path and a slash at its end', async () => {
    const lines: string[] = [];
    const behindPath = new sdk.CampaignClient({
      baseUrl: 'https://example.com/campaigns//',
      apiKey: 'csk_x',
      fetch: (url) => {
        lines.push(url);
        return Promise.resolve(Response.json({ success: true, message: 'Done.', data: {} }));
      },
    });
    await behindPath.campaigns.get('post_1');
    expect(lines).toEqual(['https://example.com/campaigns/svc/campaign/post_1']);
  });

  it.each(['', 'example.com', 'ftp://example.com', 'file:///etc/passwd'])(
    'refuse the base URL %j',
    (wrong) => {
      expect(() => new sdk.CampaignClient({ baseUrl: wrong, apiKey: 'csk_x' })).toThrow('URL');
    },
  );

  it.each([{ timeoutMs: 0 }, { timeoutMs: NaN }, { maxRetries: -1 }, { maxRetries: NaN }])(
    'refuse the options %j',
    async (options) => {
      proxy.plan();
      await expect(client.campaigns.list({}, options)).rejects.toThrow(RangeError);
      expect(proxy.requests).toEqual([]);
    },
  );

  it('keep secrets out of a printed client', () => {
    const printed = inspect([client, platform], { depth: 9, showHidden: true });
    expect(printed).toContain('surveys');
    expect(printed).toContain('PlatformClient');
    expect(printed).not.toContain(PASSWORD);
    expect(printed).not.toMatch(/c[sp]k_/);
  });

  it('are all in the table of the README', () => {
    const readme = readFileSync(join(SDK_ROOT, 'README.md'), 'utf8');
    const rows = [
      ...readme.matchAll(/^\| `(\w+)` +\| (.*?) *\| (?:API key|Account|Platform|None)/gm),
    ];
    const documented = rows.flatMap(([, resource, methods]) =>
      [...methods!.matchAll(/`(\w+)`/g)].map(([, method]) => `${resource}.${method}`),
    );
    const methodsOf = (object: object) => [
      ...Object.getOwnPropertyNames(Object.getPrototypeOf(object)),
      ...Object.keys(object),
    ];
    const resources = [...Object.entries(client), ['PlatformClient', platform] as const];
    const existing = resources.flatMap(([resource, object]) =>
      methodsOf(object)
        .filter((name) => !['constructor', 'transport', 'request', 'withOptions'].includes(name))
        .map((method) => `${resource}.${method}`),
    );
    expect(documented.toSorted()).toEqual(existing.toSorted());
  });
});
