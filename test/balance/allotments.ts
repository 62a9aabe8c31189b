import { AllotmentsService } from '../../src/campaigns/balance/allotments.service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';
import { balanceOf, fund, operate, prepay } from '../support/balance';
import { createSurvey } from '../support/builders';
import { eventually } from '../support/eventually';
import { feedPage } from '../support/feed';
import { begin, begun, expectReconciled, liveSurvey, start, submit } from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import { expectError } from '../support/refusals';
import { service } from '../support/service';
import { tamper } from '../support/tampering';

describe('a company that pays in advance', () => {
  const company = companyForEach();
  const platform = platformForAll();

  const toggle = (post_id: string, is_live: boolean) =>
    company.api.patch('/svc/campaign/toggle-live', { post_id, is_live });
  const balance = () => balanceOf(company.api);
  const reasonsOf = async (postId: string): Promise<string[]> =>
    (await company.api.get(`/svc/campaign/${postId}`)).data.status_reasons;
  const untilBalance = (parts: object) =>
    eventually(async () => {
      expect(await balance()).toMatchObject(parts);
    });

  it('cannot start a campaign without the money for one response', async () => {
    await prepay(company, 99.99);
    const { post_id } = await createSurvey(company.api);
    expect((await company.api.get(`/svc/campaign/${post_id}/launch-check`)).data).toMatchObject({
      blockers: [{ code: 'balance_low' }],
    });
    expectError(await toggle(post_id, true), 422, 'balance_low');
    expect((await company.api.get(`/svc/campaign/${post_id}`)).data.is_live).toBe(false);
    await fund(company, 0.01);
    await start(company.api, post_id);
    expect(await balance()).toMatchObject({ available: 0, allotted: 100, funded: 100 });
  });

  it('pays respondents with the allotment of their campaign', async () => {
    await prepay(company, 1_000);
    const postId = await liveSurvey(company, { max_responses: 5 });
    expect(await balance()).toMatchObject({ available: 500, allotted: 500 });
    const part = await begun(platform, postId, 'ann');
    expect(await balance()).toMatchObject({ allotted: 400, held: 100 });
    await submit(platform, part, 7);
    expect(await balance()).toMatchObject({ available: 500, allotted: 420, held: 0, paid: 80 });
    const reversal = { post_id: postId, participation_id: part.participation_id, reason: 'Bot' };
    await platform.post('/svc/fielding/reverse', reversal);
    expect(await balance()).toMatchObject({ allotted: 500, paid: 0 });
    await toggle(postId, false);
    await untilBalance({ available: 1_000, allotted: 0 });
    await expectReconciled(company.api);
  });

  it('is refused further respondents, and goes on by itself once it is funded', async () => {
    await prepay(company, 100);
    const postId = await liveSurvey(company, { cohort_rewards: undefined });
    const ann = await begun(platform, postId, 'ann');
    expectError(await begin(platform, postId, 'bob'), 422, 'balance_low');
    expect(await reasonsOf(postId)).toEqual(['balance_low']);
    const listed = await company.api.get('/svc/campaign/list');
    expect(listed.data.items[0].status_reasons).toEqual(['balance_low']);
    // Who has begun is paid from what is held.
    expect((await submit(platform, ann, 9)).status).toBe(200);
    expectError(await begin(platform, postId, 'bob'), 422, 'balance_low');
    await fund(company, 500);
    await eventually(async () => {
      expect((await begin(platform, postId, 'bob')).status).toBe(200);
    });
    expect(await reasonsOf(postId)).toEqual([]);
    await expectReconciled(company.api);
  });

  it('is asked for again when a respondent who was refused begins with the same key', async () => {
    await prepay(company, 100);
    const postId = await liveSurvey(company);
    await begun(platform, postId, 'ann');
    const again = platform.with({ 'idempotency-key': `balance-${postId}` });
    expectError(await begin(again, postId, 'bob'), 422, 'balance_low');
    await fund(company, 100);
    await eventually(async () => {
      expect((await begin(again, postId, 'bob')).status).toBe(200);
    });
  });

  it('tops an allotment up while respondents begin', async () => {
    await prepay(company, 25_000);
    const postId = await liveSurvey(company);
    expect(await balance()).toMatchObject({ available: 15_000, allotted: 10_000 });
    for (let n = 0; n < 60; n += 1) {
      await begun(platform, postId, `respondent ${n}`);
    }
    await eventually(async () => {
      const { available, allotted, held } = await balance();
      expect(held).toBe(6_000);
      expect(allotted).toBeGreaterThanOrEqual(5_000);
      expect(available).toBeLessThan(15_000);
    });
  });

  it('lets a campaign go on with what another one has too much of', async () => {
    await prepay(company, 1_000);
    const rich = await liveSurvey(company, { max_responses: 9 });
    const poor = await liveSurvey(company);
    await begun(platform, poor, 'ann');
    await eventually(async () => {
      expect((await begin(platform, poor, 'bob')).status).toBe(200);
    });
    expect((await begin(platform, rich, 'ann')).status).toBe(200);
    const { held, allotted, available } = await balance();
    expect([held, held + allotted + available]).toEqual([300, 1_000]);
  });

  it('gets back what respondents leave to a stopped campaign', async () => {
    await prepay(company, 300);
    const postId = await liveSurvey(company);
    const { participation_id } = await begun(platform, postId, 'ann');
    await toggle(postId, false);
    await untilBalance({ available: 200, held: 100 });
    await platform.post('/svc/fielding/abandon', { post_id: postId, participation_id });
    await untilBalance({ available: 300, held: 0, allotted: 0 });
  });

  it('gives a campaign what a raised limit and a larger reward need', async () => {
    await prepay(company, 5_000);
    const postId = await liveSurvey(company, { max_responses: 2 });
    expect(await balance()).toMatchObject({ allotted: 200 });
    const update = (fields: object) =>
      company.api.patch('/svc/campaign/update', { post_id: postId, ...fields });
    expect((await update({ max_responses: 4 })).status).toBe(200);
    await untilBalance({ allotted: 400 });
    expect((await update({ reward_amount: 150 })).status).toBe(200);
    await untilBalance({ allotted: 600 });
    expect((await update({ max_responses: 1 })).status).toBe(200);
    await untilBalance({ allotted: 150, available: 4_850 });
  });

  it('starts a campaign at its time whether or not there is money', async () => {
    await prepay(company, 10);
    const { post_id } = await createSurvey(company.api, {
      starts_at: new Date(Date.now() + 150).toISOString(),
    });
    await eventually(async () => {
      const { data } = await company.api.get(`/svc/campaign/${post_id}`);
      expect([data.is_live, data.status_reasons]).toEqual([true, ['balance_low']]);
    });
    expectError(await begin(platform, post_id, 'ann'), 422, 'balance_low');
    await fund(company, 90);
    await eventually(async () => {
      expect((await begin(platform, post_id, 'ann')).status).toBe(200);
    });
  });

  it('says once that its balance is low, and again after it was not', async () => {
    const events = async () => (await feedPage(company.api, { types: 'balance.low' })).items;
    await prepay(company, 1_000);
    const postId = await liveSurvey(company, { max_responses: 10 });
    await untilBalance({ is_low: false });
    await company.api.patch('/svc/campaign/update', { post_id: postId, max_responses: 12 });
    await untilBalance({ is_low: true });
    await begun(platform, postId, 'ann');
    await fund(company, 100);
    await eventually(async () => {
      expect(await events()).toMatchObject([
        {
          subject: company.companyId,
          actor: { type: 'service' },
          changes: { still_to_come: { old: null, new: 1_200 } },
        },
      ]);
    });
    await fund(company, 100);
    await untilBalance({ is_low: false });
    expect(await events()).toHaveLength(1);
    await company.api.patch('/svc/campaign/update', { post_id: postId, max_responses: 13 });
    await untilBalance({ is_low: true });
    expect(await events()).toHaveLength(2);
  });

  it('expects of a campaign with 200 responses what as many more would cost', async () => {
    await prepay(company, 60_000);
    const postId = await liveSurvey(company, { max_responses: 1_000 });
    await untilBalance({ is_low: true });
    const respond = (cohort_1: number, cohort_5: number) =>
      tamper(service.dataSource, (session) =>
        session.query(
          `INSERT INTO tally AS t (company_id, campaign_id, version, kind, item, key,
             cohort_1, cohort_2, cohort_3, cohort_4, cohort_5)
           SELECT c.company_id, c.id, 0, 'submitted', '', '', $2, 0, 0, 0, $3
           FROM campaign AS c WHERE c.post_id = $1
           ON CONFLICT (company_id, campaign_id, version, cell, kind, item, key)
           DO UPDATE SET cohort_1 = $2, cohort_5 = $3`,
          [postId, cohort_1, cohort_5],
        ),
      );
    const expected = async () => {
      const { dataSource } = service;
      const [{ company_id, id }] = await dataSource.query(
        'SELECT company_id, id FROM campaign WHERE post_id = $1',
        [postId],
      );
      const [{ amount }] = await dataSource.query('SELECT still_to_come($1, $2)::float AS amount', [
        company_id,
        id,
      ]);
      return amount as number;
    };
    await respond(99, 100);
    expect(await expected()).toBe(100_000);
    // 1,000 more of whom half get 3 and half 100: 51,500 on average, and 1.645 standard deviations
    // of sqrt(1,000 × 48.5² × (1 + 1,000 / 200)) more.
    await respond(100, 100);
    expect(await expected()).toBe(57_679.38);
    await fund(company, 1);
    await untilBalance({ is_low: false });
    await fund(company, 2_400, 'refund');
    await untilBalance({ is_low: true });
    await eventually(async () => {
      const { items } = await feedPage(company.api, { types: 'balance.low' });
      expect(items.at(-1)!.changes).toMatchObject({ still_to_come: { new: 57_679.38 } });
    });
  });

  it('needs an allotment for a campaign without limits', async () => {
    await prepay(company, 9_999.99);
    const postId = await liveSurvey(company);
    await untilBalance({ is_low: true });
    await fund(company, 10_000);
    await fund(company, 0.01);
    await untilBalance({ is_low: false });
    await toggle(postId, false);
    await untilBalance({ available: 20_000, is_low: false });
  });

  it('takes over what live campaigns have held and paid before, and gives it up again', async () => {
    const postId = await liveSurvey(company, { max_responses: 10 });
    const ann = await begun(platform, postId, 'ann');
    const bob = await begun(platform, postId, 'bob');
    await submit(platform, ann, 9);
    await prepay(company, 300);
    expect(await balance()).toMatchObject({
      is_prepaid: true,
      available: 100,
      allotted: 200,
      held: 100,
      paid: 100,
      funded: 500,
      postpaid: 200,
    });
    await submit(platform, bob, 9);
    await operate(['postpaid', '--company', company.companyId]);
    expect(await balance()).toMatchObject({
      is_prepaid: false,
      available: 300,
      allotted: 0,
      held: 0,
      paid: 0,
      postpaid: 0,
      funded: 300,
    });
    for (const name of ['cleo', 'dan', 'eve', 'finn']) {
      await begun(platform, postId, name);
    }
    await expectReconciled(company.api);
  });

  it('has a balance of its own for test data', async () => {
    const { data } = await company.account.post('/svc/api-key/generate', { mode: 'test' });
    const test = company.api.withKey(data.api_key);
    const environment = company.companyId.replace('co_', 'test_');
    await prepay({ companyId: environment }, 50);
    expect(await balanceOf(test)).toMatchObject({ is_prepaid: true, available: 50 });
    expect(await balance()).toMatchObject({ is_prepaid: false, available: 0 });
    const { items } = await feedPage(test, { types: 'balance.funded' });
    expect(items).toMatchObject([{ mode: 'test', subject: company.companyId }]);
    const { post_id } = await createSurvey(test);
    expectError(
      await test.patch('/svc/campaign/toggle-live', { post_id, is_live: true }),
      422,
      'balance_low',
    );
  });

  it('shows a reconciliation when the balance and its parts disagree', async () => {
    await prepay(company, 300);
    await liveSurvey(company);
    const change = (statement: string) =>
      tamper(service.dataSource, (session) =>
        session.query(statement, [storedEnvironment(company.companyId)]),
      );
    const differences = async () =>
      (await company.api.get('/svc/ledger/reconcile')).data.differences;
    await expectReconciled(company.api);
    await change('UPDATE balance SET available = available + 1 WHERE company_id = $1');
    const expected = { post_id: null, participation_id: null, quota: null };
    expect(await differences()).toEqual([
      { ...expected, field: 'balance', expected: 300, found: 301 },
    ]);
    await change('UPDATE balance SET funded = funded + 1 WHERE company_id = $1');
    expect(await differences()).toEqual([
      { ...expected, field: 'funded', expected: 300, found: 301 },
    ]);
    await change('DELETE FROM funding WHERE company_id = $1');
    expect(await differences()).toHaveLength(1);
  });

  it('is found by the look of a process that was not woken', async () => {
    await prepay(company, 100);
    const postId = await liveSurvey(company);
    await begun(platform, postId, 'ann');
    await fund(company, 100);
    await service.app.get(AllotmentsService, { strict: false }).look();
    await eventually(async () => {
      expect(await reasonsOf(postId)).toEqual([]);
    });
  });
});
