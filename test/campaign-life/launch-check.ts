import {
  createAdvertisement,
  createImageSurvey,
  createSurvey,
  ladder,
  question,
} from '../support/builders';
import { begun, liveSurvey, submit } from '../support/fielding';
import { companyForAll } from '../support/fixtures';
import { inHours } from '../support/life';
import { platformClient } from '../support/platforms';
import { quota, setTargeting } from '../support/targeting';
import { service } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

describe('GET /svc/campaign/{post_id}/launch-check', () => {
  const company = companyForAll();

  async function check(postId: string) {
    const { status, body } = await company.api.get(`/svc/campaign/${postId}/launch-check`);
    expect([status, body.message]).toEqual([200, 'Campaign checked.']);
    const { blockers, warnings, ...rest } = body.data;
    const codes = (found: { code: string; message: string }[]) => found.map(({ code }) => code);
    return { ...rest, blockers: codes(blockers), warnings: codes(warnings) };
  }

  /** Expects the start to be refused exactly if the check says so. */
  async function expectStart(post_id: string, ready: boolean): Promise<void> {
    const { status } = await company.api.patch('/svc/campaign/toggle-live', {
      post_id,
      is_live: true,
    });
    expect(status).toBe(ready ? 200 : 422);
  }

  it('warns of a survey without questions and limits, and never stands in the way', async () => {
    const { post_id } = await createSurvey(company.api);
    expect(await check(post_id)).toEqual({
      ready: true,
      blockers: [],
      warnings: ['no_questions', 'unlimited_cost'],
      currency: 'USD',
      maximum_cost: null,
      guardrails: [],
      paths: null,
    });
    await company.api.post('/svc/survey/questions', { post_id, questions: [question()] });
    expect((await check(post_id)).warnings).toEqual(['unlimited_cost']);
    await expectStart(post_id, true);
  });

  it.each([
    [{ max_responses: 20 }, [], 2000],
    [{ budget: 1500.5 }, [], 1500.5],
    [{ max_responses: 20, budget: 1500 }, ['budget_below_maximum_cost'], 1500],
    [{ max_responses: 20, budget: 5000 }, [], 2000],
    [{ budget: 99 }, ['budget_below_reward'], 99],
    [{ max_responses: 10_000_000 }, [], 1_000_000_000],
  ])('computes the maximum cost of %j', async (limits, warnings, maximum_cost) => {
    const { post_id } = await createImageSurvey(company.api, 'binary', limits);
    expect(await check(post_id)).toEqual({
      ready: true,
      blockers: [],
      warnings,
      currency: 'USD',
      maximum_cost,
      guardrails: [],
      paths: null,
    });
  });

  it('adds what earlier rewards have cost, and hold, to what the rest can cost', async () => {
    const platform = await platformClient(service);
    const post_id = await liveSurvey(company, { max_responses: 10, budget: 1000 });
    for (const respondent of ['a', 'b', 'c']) {
      await submit(platform, await begun(platform, post_id, respondent), 10);
    }
    const held = await begun(platform, post_id, 'd');
    await company.api.patch('/svc/campaign/update', { post_id, reward_amount: 10 });
    expect(await check(post_id)).toMatchObject({ maximum_cost: 300 + 100 + 6 * 10 });
    await submit(platform, held, 0);
    const paid = held.cohort_rewards.cohort_1_reward!;
    expect(await check(post_id)).toMatchObject({ maximum_cost: 300 + paid + 6 * 10 });
    await company.api.patch('/svc/campaign/update', {
      post_id,
      max_responses: 20,
      reward_amount: 45,
    });
    expect((await check(post_id)).warnings).toContain('budget_below_maximum_cost');
  });

  it('takes open participations for the largest reward if they hold less', async () => {
    const platform = await platformClient(service);
    const post_id = await liveSurvey(company, {
      max_responses: 10,
      reward_amount: 5,
    });
    const change = async (fields: object) => {
      await company.api.patch('/svc/campaign/update', { post_id, ...fields });
      return check(post_id);
    };
    for (const respondent of ['a', 'b', 'c', 'd', 'e']) {
      await begun(platform, post_id, respondent);
    }
    expect(await check(post_id)).toMatchObject({ maximum_cost: 10 * 5 });
    // All five can expire, and ten others earn 100 each.
    expect(await change({ reward_amount: 100 })).toMatchObject({ maximum_cost: 10 * 100 });
    // Cohort 1 earns 3 even then.
    expect(await change({ reward_amount: 2 })).toMatchObject({ maximum_cost: 5 * 5 + 5 * 3 });
    expect(await change({ reward_amount: 50 })).toMatchObject({ maximum_cost: 10 * 50 });
    expect(await change({ budget: 499 })).toMatchObject({
      maximum_cost: 499,
      warnings: expect.arrayContaining(['budget_below_maximum_cost']),
    });
    expect((await change({ budget: 500 })).warnings).not.toContain('budget_below_maximum_cost');
  });

  it('takes each open participation for what it holds, or for the largest reward', async () => {
    const platform = await platformClient(service);
    const post_id = await liveSurvey(company, { max_responses: 2, budget: 149 });
    const change = (fields: object) =>
      company.api.patch('/svc/campaign/update', { post_id, ...fields });
    const first = await begun(platform, post_id, 'a');
    await change({ reward_amount: 10 });
    const { participation_id } = await begun(platform, post_id, 'b');
    await change({ reward_amount: 50 });
    expect(await check(post_id)).toMatchObject({
      maximum_cost: 149,
      warnings: expect.arrayContaining(['budget_below_maximum_cost']),
    });
    await change({ budget: null });
    expect(await check(post_id)).toMatchObject({ maximum_cost: 150 });
    await platform.post('/svc/fielding/abandon', { post_id, participation_id });
    const last = await begun(platform, post_id, 'c');
    for (const begin of [first, last]) {
      await submit(platform, begin, 10);
    }
    const { body } = await company.api.get(`/svc/campaign/${post_id}`);
    expect(body.data.progress.spent).toBe(150);
  });

  it('adds what is spent to the cent, however much it is', async () => {
    const { id, post_id } = await createImageSurvey(company.api, 'binary', {
      max_responses: 10_000_000,
    });
    await company.api.patch('/svc/campaign/update', { post_id, reward_amount: 999_999_999.99 });
    await service.dataSource.query(
      `UPDATE campaign_progress SET taken = 9999998, answered = 9999998, spent = 9007199254740993.01
       WHERE company_id = $1 AND campaign_id = $2`,
      [storedEnvironment(company.companyId), id],
    );
    const { url, headers } = company.api;
    const response = await fetch(`${url}/svc/campaign/${post_id}/launch-check`, { headers });
    expect(await response.text()).toContain('"maximum_cost":9007201254740992.99,');
  });

  it('writes every digit of a maximum cost that no double holds', async () => {
    const { post_id } = await createImageSurvey(company.api, 'binary', {
      title: 'A title with "maximum_cost":"5" in it',
      max_responses: 9_999_999,
    });
    await company.api.patch('/svc/campaign/update', { post_id, reward_amount: 999_999_999.99 });
    const { url, headers } = company.api;
    const response = await fetch(`${url}/svc/campaign/${post_id}/launch-check`, { headers });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.text()).toContain('"maximum_cost":9999998999900000.01,');
  });

  it('pays the largest of the five rewards, and warns of it', async () => {
    const { post_id } = await createImageSurvey(company.api, 'binary', { max_responses: 10 });
    await company.api.patch('/svc/campaign/cohort-rewards', {
      post_id,
      ...ladder(3, 40, 250.5, 80, 100),
    });
    expect(await check(post_id)).toMatchObject({
      maximum_cost: 2505,
      warnings: expect.arrayContaining(['lower_cohort_paid_more']),
    });
  });

  it('asks for feedback questions only where there can be some', async () => {
    const silent = await createAdvertisement(company.api, { budget: 500 });
    expect((await check(silent.post_id)).warnings).toEqual([]);
    const asking = await createAdvertisement(company.api, { budget: 500, has_feedback: true });
    expect((await check(asking.post_id)).warnings).toEqual(['no_questions']);
  });

  const age = (from: number, to: number, limit: number) =>
    quota(`${from} to ${to}`, { age: [{ from, to }] }, limit);

  it.each<[Record<string, unknown>, string[][]]>([
    [{ quotas: [age(0, 9, 10), age(10, 19, 10)], other: 'refuse' }, []],
    [{ quotas: [age(0, 9, 9), age(10, 19, 10)], other: 'admit' }, []],
    [
      { quotas: [age(0, 9, 9), age(10, 19, 10)], other: 'refuse' },
      [['quotas_below_max_responses', 'quotas']],
    ],
    [
      { quotas: [age(0, 9, 10), age(10, 19, 21)] },
      [['quota_above_max_responses', 'quotas[1].limit']],
    ],
    [
      { quotas: [age(0, 9, 10), age(9, 19, 10), age(22, 29, 10)] },
      [
        ['ranges_overlap', 'quotas[1].when.age[0]'],
        ['range_gap', 'quotas[2].when.age[0]'],
      ],
    ],
  ])('warns of what may not be meant in %j, with its path', async (rules, expected) => {
    const { post_id } = await createImageSurvey(company.api, 'binary', { max_responses: 20 });
    expect((await setTargeting(company.api, post_id, rules)).status).toBe(200);
    const { warnings } = (await company.api.get(`/svc/campaign/${post_id}/launch-check`)).data;
    expect(warnings.map(({ code, field }: any) => [code, field])).toEqual(expected);
  });

  it('warns that a start now does not wait', async () => {
    const { post_id } = await createImageSurvey(company.api, 'binary', {
      budget: 500,
      starts_at: inHours(1),
    });
    expect((await check(post_id)).warnings).toEqual(['starts_before_starts_at']);
    await expectStart(post_id, true);
  });

  it('names everything that prevents a start', async () => {
    const { post_id } = await createImageSurvey(company.api, 'binary', {
      ends_at: inHours(-1),
      max_responses: 1,
    });
    expect(await check(post_id)).toMatchObject({ ready: false, blockers: ['ends_at_passed'] });
    await expectStart(post_id, false);
    await company.api.post('/svc/campaign/archive', { post_id });
    expect(await check(post_id)).toMatchObject({ ready: false, blockers: ['archived'] });
    await expectStart(post_id, false);
  });
});
