import { storedEnvironment } from '../../src/platform/caller/environment.rules';
import { createSurvey, ladder, survey } from '../support/builders';
import { Client, registerCompany } from '../support/client';
import { begun, expectReconciled, liveSurvey, submit } from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import { generateKey, TestKey } from '../support/keys';
import { service } from '../support/service';
import { committedBy, limitedKey, refusalOf, toggle } from '../support/spending';
import { tamper } from '../support/tampering';

/** A campaign that costs 30 at most, and one of its responses 10. */
const THIRTY = { reward_amount: 10, max_responses: 3 };

describe('the spending limit of an API key', () => {
  const company = companyForEach();
  const platform = platformForAll();
  let key: TestKey;

  beforeEach(async () => {
    key = await limitedKey(company.account, 100);
  });

  const committed = (of = key) => committedBy(company.account, of.key_id);
  const update = (api: Client, post_id: string, fields: object) =>
    api.patch('/svc/campaign/update', { post_id, ...fields });

  it('counts what a campaign that is started can cost at most', async () => {
    await liveSurvey(key, THIRTY);
    await liveSurvey(key, { reward_amount: 10, max_responses: 100, budget: 45.5 });
    expect(await committed()).toBe(75.5);
    const { post_id } = await createSurvey(key.api, THIRTY);
    expect(refusalOf(await toggle(key.api, post_id, true))).toEqual({
      status: 422,
      code: 'spending_limit_exceeded',
      limit: 100,
      per: 'total',
      left: 24.5,
      required: 30,
      resets_at: null,
    });
    expect((await key.api.get(`/svc/campaign/${post_id}`)).data.is_live).toBe(false);
    expect(await committed()).toBe(75.5);
    expect((await update(key.api, post_id, { budget: 24.5 })).status).toBe(200);
    expect((await toggle(key.api, post_id, true)).status).toBe(200);
    expect(await committed()).toBe(100);
  });

  it('refuses a campaign whose cost nothing limits', async () => {
    const { post_id } = await createSurvey(key.api);
    expect((await toggle(key.api, post_id, true)).body.error?.code).toBe('unbounded_cost');
    const live = await liveSurvey(key, THIRTY);
    expect((await update(key.api, live, { max_responses: null })).body.error?.code).toBe(
      'unbounded_cost',
    );
    expect(await committed()).toBe(30);
  });

  it('counts the difference that a change of a live campaign makes', async () => {
    const post_id = await liveSurvey(key, THIRTY);
    const change = async (fields: object, expected: number) => {
      expect((await update(key.api, post_id, fields)).status).toBe(200);
      expect([fields, await committed()]).toEqual([fields, expected]);
    };
    await change({ reward_amount: 20 }, 60);
    await change({ max_responses: 4 }, 80);
    await change({ budget: 50 }, 50);
    await change({ budget: 70.25 }, 70.25);
    await change({ budget: null }, 80);
    await change({ title: 'Another title' }, 80);
    await change({ reward_amount: 5 }, 20);
    const rewards = { post_id, ...ladder(25, 1, 1, 1, 5) };
    expect((await key.api.patch('/svc/campaign/cohort-rewards', rewards)).status).toBe(200);
    expect(await committed()).toBe(100);
    const refused = await update(key.api, post_id, { max_responses: 5 });
    expect(refusalOf(refused)).toMatchObject({ left: 0, required: 25 });
    expect(await committed()).toBe(100);
  });

  it('gets back what a stop frees, and then what those who had begun do not cost', async () => {
    const post_id = await liveSurvey(key, THIRTY);
    const first = await begun(platform, post_id, 'first');
    const second = await begun(platform, post_id, 'second');
    expect((await toggle(key.api, post_id, false)).status).toBe(200);
    expect(await committed()).toBe(20);
    expect((await submit(platform, first, 1)).data.reward).toBe(3);
    expect(await committed()).toBe(13);
    await platform.post('/svc/fielding/abandon', second);
    expect(await committed()).toBe(13);
    const { participation_id } = second;
    expect(
      (await platform.post('/svc/fielding/abandon', { post_id, participation_id })).status,
    ).toBe(200);
    expect(await committed()).toBe(3);
    expect((await toggle(key.api, post_id, true)).status).toBe(200);
    expect(await committed()).toBe(23);
  });

  it('gets back what a campaign does not cost that its last response completes', async () => {
    const post_id = await liveSurvey(key, { reward_amount: 10, max_responses: 2 });
    for (const [respondent, score] of [
      ['first', 9],
      ['second', 1],
    ] as const) {
      expect(await committed()).toBe(20);
      await submit(platform, await begun(platform, post_id, respondent), score);
    }
    expect((await key.api.get(`/svc/campaign/${post_id}`)).data.status).toBe('completed');
    expect(await committed()).toBe(13);
  });

  it('gets back what a reversal takes back from a stopped campaign', async () => {
    const post_id = await liveSurvey(key, THIRTY);
    const place = await begun(platform, post_id, 'first');
    await submit(platform, place, 10);
    await toggle(key.api, post_id, false);
    expect(await committed()).toBe(10);
    const { participation_id } = place;
    const reversal = { post_id, participation_id, reason: 'Too fast' };
    expect((await platform.post('/svc/fielding/reverse', reversal)).status).toBe(200);
    expect(await committed()).toBe(0);
  });

  it('counts a start that is to come, when it is set', async () => {
    const starts_at = '2099-01-01T00:00:00Z';
    const { post_id } = await createSurvey(key.api, { ...THIRTY, starts_at });
    expect(await committed()).toBe(30);
    await update(key.api, post_id, { max_responses: 5 });
    expect(await committed()).toBe(50);
    await update(key.api, post_id, { starts_at: null });
    expect(await committed()).toBe(0);
    const refused = await update(key.api, post_id, { starts_at, reward_amount: 30 });
    expect(refusalOf(refused)).toMatchObject({ left: 100, required: 150 });
    await update(key.api, post_id, { starts_at });
    expect(await committed()).toBe(50);
    await key.api.post('/svc/campaign/archive', { post_id });
    expect(await committed()).toBe(0);
  });

  it('counts a campaign that is created live, with what screen-outs can cost', async () => {
    const { post_id } = await createSurvey(key.api, {
      ...THIRTY,
      starts_at: '2020-01-01T00:00:00Z',
    });
    expect(await committed()).toBe(30);
    const targeting = (maximum_screen_outs?: number) => ({
      post_id,
      screening_questions: [
        { type: 'single_choice', question: 'Coffee?', key: 'coffee', options: ['yes', 'no'] },
      ],
      attributes: [],
      qualify: { all: [{ question: 'coffee', op: 'is', value: 'yes' }] },
      screen_out_reward: 0.5,
      maximum_screen_outs,
    });
    const target = (fields: object) => key.api.post('/svc/campaign/targeting', fields);
    expect((await target(targeting(20))).body.error).toBeUndefined();
    expect(await committed()).toBe(40);
    expect(refusalOf(await target(targeting(200)))).toMatchObject({ left: 60, required: 90 });
    expect((await target(targeting())).body.error?.code).toBe('unbounded_cost');
    expect((await target(targeting(4))).status).toBe(200);
    expect(await committed()).toBe(32);
  });

  it('holds for campaign documents, whole or not at all, and for dry runs', async () => {
    const document = (fields: object) =>
      survey({
        type: 'survey',
        format: 'questionnaire',
        external_ref: 'wave-1',
        is_live: true,
        ...fields,
      });
    const apply = (fields: object) => key.api.put('/svc/campaign/apply', document(fields));
    expect((await apply({ ...THIRTY, dry_run: true })).status).toBe(200);
    expect(await committed()).toBe(0);
    expect(
      refusalOf(await apply({ reward_amount: 50, max_responses: 3, dry_run: true })),
    ).toMatchObject({
      left: 100,
      required: 150,
    });
    expect((await apply({ reward_amount: 50, max_responses: 3 })).status).toBe(422);
    expect((await key.api.get('/svc/campaign/list')).data.items).toEqual([]);
    expect((await apply(THIRTY)).data.result).toBe('created');
    expect((await apply({ ...THIRTY, max_responses: 5 })).data.result).toBe('updated');
    expect(await committed()).toBe(50);
    expect((await apply({ ...THIRTY, max_responses: 11 })).status).toBe(422);
    expect((await apply({ ...THIRTY, is_live: false })).status).toBe(200);
    expect(await committed()).toBe(0);
  });

  it('charges a change to the key that makes it, and gives back to the latest first', async () => {
    const other = await limitedKey(company.account, 40);
    const post_id = await liveSurvey(key, THIRTY);
    const enlarge = (api: Client, max_responses: number) => update(api, post_id, { max_responses });
    expect((await enlarge(other.api, 6)).status).toBe(200);
    expect([await committed(), await committed(other)]).toEqual([30, 30]);
    expect(refusalOf(await enlarge(other.api, 8))).toMatchObject({ left: 10, required: 20 });
    expect((await enlarge(company.api, 8)).status).toBe(200);
    expect([await committed(), await committed(other)]).toEqual([30, 30]);
    expect((await enlarge(key.api, 5)).status).toBe(200);
    expect([await committed(), await committed(other)]).toEqual([30, 20]);
    expect((await enlarge(key.api, 2)).status).toBe(200);
    expect([await committed(), await committed(other)]).toEqual([20, 0]);
  });

  it('does not count what was started before by a key without a limit', async () => {
    const post_id = await liveSurvey(company, { reward_amount: 100, max_responses: 3 });
    const unbounded = await liveSurvey(company, { reward_amount: 100 });
    expect((await update(key.api, post_id, { max_responses: 4 })).status).toBe(200);
    expect(await committed()).toBe(100);
    expect((await update(key.api, unbounded, { max_responses: 50 })).status).toBe(200);
    expect(await committed()).toBe(100);
    expect((await update(key.api, post_id, { max_responses: 2 })).status).toBe(200);
    expect(await committed()).toBe(0);
  });

  it('stays with what is committed through rotations, changes and revocation', async () => {
    await liveSurvey(key, THIRTY);
    const { data } = await company.account.post('/svc/api-key/rotate', {
      key_id: key.key_id,
      overlap_seconds: 60,
    });
    expect(data.spending_limit).toEqual({ amount: 100, per: 'total' });
    const next = { ...data, api: service.client.withKey(data.api_key) } as TestKey;
    await liveSurvey(next, THIRTY);
    expect([await committed(), await committed(next)]).toEqual([60, 60]);
    const limit = async (spending_limit: unknown) =>
      company.account.patch('/svc/api-key/limits', { key_id: next.key_id, spending_limit });
    expect((await limit({ amount: 50, per: 'total' })).data.spending_limit.amount).toBe(50);
    const spending = await company.account.get(`/svc/api-key/${key.key_id}/spending`);
    expect(spending.data).toEqual({
      key_id: key.key_id,
      currency: 'USD',
      spending_limit: { amount: 50, per: 'total' },
      committed: 60,
      left: 0,
      resets_at: null,
    });
    const { post_id } = await createSurvey(key.api, THIRTY);
    expect(refusalOf(await toggle(key.api, post_id, true))).toMatchObject({ left: 0, limit: 50 });
    await limit(null);
    expect(await committed(next)).toBeNull();
    expect((await toggle(next.api, post_id, true)).status).toBe(200);
    await limit({ amount: 100, per: 'month' });
    expect(await committed(next)).toBe(90);
    await company.account.post('/svc/api-key/revoke', { key_id: next.key_id });
    expect(await committed(next)).toBe(90);
    expect((await toggle(company.api, post_id, false)).status).toBe(200);
    expect(await committed(next)).toBe(60);
  });

  it('begins again with its period, at midnight UTC', async () => {
    const daily = await limitedKey(company.account, 50, 'day');
    const post_id = await liveSurvey(daily, THIRTY);
    const refused = await createSurvey(daily.api, THIRTY);
    const { error } = (await toggle(daily.api, refused.post_id, true)).body;
    expect(error).toMatchObject({ per: 'day', left: 20 });
    const midnight = new Date(error?.resets_at ?? '');
    expect(midnight.toISOString()).toMatch(/T00:00:00.000Z$/);
    expect(midnight.getTime() - Date.now()).toBeLessThanOrEqual(86_400_000);
    await service.dataSource.query(
      `UPDATE campaign_charge SET day = day - 1 WHERE spender = stored_id($1)`,
      [daily.key_id],
    );
    await service.dataSource.query(
      `UPDATE key_spending SET period = $2 WHERE spender = stored_id($1)`,
      [daily.key_id, new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)],
    );
    expect(await committed(daily)).toBe(0);
    expect((await toggle(daily.api, refused.post_id, true)).status).toBe(200);
    expect(await committed(daily)).toBe(30);
    // What is given back belongs to the day on which it was committed.
    expect((await toggle(daily.api, post_id, false)).status).toBe(200);
    expect(await committed(daily)).toBe(30);
    expect((await toggle(daily.api, post_id, true)).status).toBe(422);
  });

  it('has the decimals of the currency', async () => {
    const { account } = await registerCompany(service.client, { currency: 'JPY' });
    const spending_limit = { amount: 10.5, per: 'day' };
    const { key_id } = (await account.post('/svc/api-key/generate')).data;
    for (const refused of [
      await account.post('/svc/api-key/generate', { spending_limit }),
      await account.patch('/svc/api-key/limits', { key_id, spending_limit }),
    ]) {
      expect([refused.status, refused.body.error?.details]).toEqual([
        400,
        [expect.objectContaining({ field: 'spending_limit.amount', code: 'too_precise' })],
      ]);
    }
  });

  it('refuses a launch once, and not again with the same Idempotency-Key when it may', async () => {
    const { post_id } = await createSurvey(key.api, { reward_amount: 100, max_responses: 2 });
    const once = key.api.with({ 'idempotency-key': 'launch' });
    expect((await toggle(once, post_id, true)).status).toBe(422);
    const spending_limit = { amount: 200, per: 'total' };
    await company.account.patch('/svc/api-key/limits', { key_id: key.key_id, spending_limit });
    expect((await toggle(once, post_id, true)).status).toBe(200);
    await toggle(key.api, post_id, false);
    expect((await toggle(once, post_id, true)).headers.get('idempotency-replayed')).toBe('true');
    expect(await committed()).toBe(0);
  });

  it('is an event of the key, and part of its history', async () => {
    const spending_limit = { amount: 50, per: 'day' };
    await company.account.patch('/svc/api-key/limits', { key_id: key.key_id, spending_limit });
    const { items } = (await company.account.get(`/svc/api-key/${key.key_id}/history`)).data;
    expect(items.map(({ changes }: any) => changes.spending_limit)).toEqual([
      { old: { amount: 100, per: 'total' }, new: spending_limit },
      { old: null, new: { amount: 100, per: 'total' } },
    ]);
    const { data } = await company.account.get('/svc/api-key/list');
    expect(data.items[0]).toMatchObject({ key_id: key.key_id, spending_limit });
  });

  it('keeps test data apart', async () => {
    const test = await generateKey(company.account, service.client, {
      mode: 'test',
      spending_limit: { amount: 40, per: 'month' },
    });
    await liveSurvey(test, THIRTY);
    expect([await committed(), await committed(test)]).toEqual([0, 30]);
    const { post_id } = await createSurvey(test.api, THIRTY);
    expect(refusalOf(await toggle(test.api, post_id, true))).toMatchObject({ left: 10 });
  });

  it('is compared with what campaigns were charged', async () => {
    await liveSurvey(key, THIRTY);
    await expectReconciled(key.api);
    await tamper(service.dataSource, (session) =>
      session.query('UPDATE key_spending SET committed = committed - 1 WHERE company_id = $1', [
        storedEnvironment(company.companyId),
      ]),
    );
    expect((await key.api.get('/svc/ledger/reconcile')).data.differences).toEqual([
      {
        post_id: null,
        participation_id: null,
        quota: null,
        field: 'committed',
        expected: 30,
        found: 29,
      },
    ]);
  });

  it('costs other companies no row', async () => {
    await company.account.post('/svc/api-key/revoke', { key_id: key.key_id });
    const tables = ['key_limit', 'key_spending', 'campaign_charge'];
    const count = async () => {
      const counts = tables.map((table) => `(SELECT count(*)::integer FROM ${table})`).join(' + ');
      const [{ sum }] = await service.dataSource.query(`SELECT ${counts} AS sum`);
      return sum as number;
    };
    const before = await count();
    const post_id = await liveSurvey(company, THIRTY);
    await update(company.api, post_id, { max_responses: 5 });
    await toggle(company.api, post_id, false);
    expect(await count()).toBe(before);
  });
});
