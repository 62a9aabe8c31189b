import { createSurvey, survey } from '../support/builders';
import { Client, registerCompany } from '../support/client';
import { eventually } from '../support/eventually';
import { begun, liveSurvey, submit } from '../support/fielding';
import { companyForAll } from '../support/fixtures';
import { createGuardrail, respond, spent } from '../support/guardrails';
import { platformClient } from '../support/platforms';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { beginAs, MEN, quota, targetedSurvey, targeting, WOMEN } from '../support/targeting';

const SHARES = { cohort_1: 0.1, cohort_2: 0.2, cohort_3: 0.3, cohort_4: 0.25, cohort_5: 0.15 };

/** Everything that would otherwise come from the past. */
const KNOWN = { attention: { shares: SHARES }, completion_rate: 0.8 };

const mapRewards = (rewardOf: (cohort: number) => number) =>
  Object.fromEntries([1, 2, 3, 4, 5].map((each) => [`cohort_${each}_reward`, rewardOf(each)]));

const EQUAL = mapRewards(() => 5);

const all = (value: number) => ({ mean: value, p5: value, p50: value, p95: value });

describe('a forecast', () => {
  const company = companyForAll();
  let api: Client;

  beforeAll(() => {
    ({ api } = company);
  });

  const send = (body: object, client = api) => client.post('/svc/campaign/forecast', body);

  async function forecast(body: object, client = api): Promise<any> {
    const answer = await send(body, client);
    expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    return answer.body.data;
  }

  const document = (fields: Record<string, unknown>) => ({
    external_ref: `forecast-${Math.random()}`,
    type: 'survey',
    ...survey(fields),
  });

  it('says when a guardrail completes the campaign, and what that costs', async () => {
    const guardrail = (value: number, fields = {}) => ({
      name: `Known to ${value}`,
      when: {
        all: [{ metric: 'interval_width', question: 'q1', option: 'Yes', op: 'lte', value }],
      },
      then: 'complete',
      ...fields,
    });
    const campaign = document({
      reward_amount: 5,
      cohort_rewards: EQUAL,
      max_responses: 1_000,
      questions: [{ type: 'single_choice', question: 'Again?', options: ['Yes', 'No'] }],
      guardrails: [guardrail(0.2)],
    });
    const request = { campaign, ...KNOWN, seed: 7 };
    const unknown = await forecast(request);
    const { responses, cost } = unknown.known_enough;
    expect(unknown.ended_by.known_enough).toBe(1);
    expect([unknown.responses, unknown.cost]).toEqual([responses, cost]);
    // About 224 answers, and at most 20 of those who are answering then.
    expect(responses.p5).toBeGreaterThan(225);
    expect(responses.p95).toBeLessThan(245);
    expect(cost.p50).toBe(5 * responses.p50);
    const expected_answers = [{ question: 'q1', option: 'Yes', share: 0.05 }];
    const known = await forecast({ ...request, expected_answers });
    expect(known.known_enough.responses.p95).toBeLessThan(150);
    const narrow = { ...campaign, guardrails: [guardrail(0.09)] };
    const both = await forecast({ ...request, campaign: narrow });
    expect(both.ended_by.known_enough + both.ended_by.max_responses).toBeCloseTo(1, 3);
    const never = await forecast({
      ...request,
      campaign: { ...campaign, guardrails: [guardrail(0.02)] },
    });
    expect(never).toMatchObject({ known_enough: null, ended_by: { max_responses: 1 } });
    // Without another limit, it ends when enough is known.
    const unlimited = { ...campaign, max_responses: undefined };
    expect((await forecast({ ...request, campaign: unlimited })).ended_by.known_enough).toBe(1);
    const refused = [
      [{ question: 'q1', option: 'No', share: 0.5 }, 'question'],
      [{ question: 'q1', option: 'Yes' }, undefined],
      [{ question: 'q1', mean: 3, spread: 1 }, 'question'],
    ] as const;
    for (const [wrong, field] of refused) {
      const at = field === undefined ? 'expected_answers[0]' : `expected_answers[0].${field}`;
      expectInvalid(await send({ ...request, expected_answers: [wrong] }), { [at]: 'not_allowed' });
    }
  });

  it('of equal rewards has no variance, and of a budget of n rewards ends at n', async () => {
    const campaign = document({ reward_amount: 5, cohort_rewards: EQUAL });
    const byPlaces = await forecast({ campaign: { ...campaign, max_responses: 100 }, ...KNOWN });
    expect(byPlaces).toMatchObject({
      post_id: null,
      cost: all(500),
      responses: all(100),
      cost_per_response: all(5),
      stranded: null,
      ended_by: { max_responses: 1, budget: 0, quotas: 0, respondents: 0 },
    });
    const byBudget = await forecast({ campaign: { ...campaign, budget: 35 }, ...KNOWN });
    expect(byBudget).toMatchObject({
      cost: all(35),
      responses: all(7),
      stranded: all(0),
      ended_by: { max_responses: 0, budget: 1, respondents: 0 },
    });
  });

  it('of a seed is these very numbers, on every machine', async () => {
    const campaign = document({ max_responses: 200, budget: 12_000 });
    const request = { campaign, seed: 2026, runs: 500, attention: { mean: 6.5, spread: 2 } };
    const { data } = (await send({ ...request, completion_rate: 0.75 })).body;
    const { cost_histogram, assumptions, ...rest } = data;
    const { warnings: _, blockers: _blockers, maximum_cost: _cost, ...numbers } = rest;
    expect(numbers).toMatchInlineSnapshot(`
      {
        "cohort_shares": {
          "cohort_1": 0.0183,
          "cohort_2": 0.1112,
          "cohort_3": 0.2486,
          "cohort_4": 0.3522,
          "cohort_5": 0.2697,
        },
        "cost": {
          "mean": 11940.45,
          "p5": 11903,
          "p50": 11935,
          "p95": 11986,
        },
        "cost_per_response": {
          "mean": 74.61,
          "p5": 71.84,
          "p50": 74.56,
          "p95": 77.31,
        },
        "currency": "USD",
        "ended_by": {
          "budget": 1,
          "known_enough": 0,
          "max_responses": 0,
          "quotas": 0,
          "respondents": 0,
        },
        "held_in_vain": {
          "mean": 9488.95,
          "p5": 7997,
          "p50": 9491,
          "p95": 11008,
        },
        "known_enough": null,
        "post_id": null,
        "respondents": {
          "mean": 214.29,
          "p5": 199,
          "p50": 214,
          "p95": 230,
        },
        "responses": {
          "mean": 160.13,
          "p5": 154,
          "p50": 160,
          "p95": 166,
        },
        "runs": 500,
        "seed": 2026,
        "stranded": {
          "mean": 59.55,
          "p5": 14,
          "p50": 62,
          "p95": 97,
        },
        "targeting": null,
      }
    `);
    expect(cost_histogram.map(({ from, runs }: any) => `${from}: ${runs}`)).toMatchInlineSnapshot(`
      [
        "11901: 30",
        "11905.96: 52",
        "11910.92: 30",
        "11915.88: 13",
        "11920.84: 21",
        "11925.8: 69",
        "11930.76: 35",
        "11935.72: 9",
        "11940.68: 23",
        "11945.64: 45",
        "11950.6: 35",
        "11955.56: 15",
        "11960.52: 14",
        "11965.48: 39",
        "11970.44: 20",
        "11975.4: 11",
        "11980.36: 6",
        "11985.32: 18",
        "11990.28: 10",
        "11995.24: 5",
      ]
    `);
    expect(assumptions).toMatchInlineSnapshot(`
      {
        "answered": 0,
        "budget": 12000,
        "cohort_rewards": {
          "cohort_1_reward": 3,
          "cohort_2_reward": 40,
          "cohort_3_reward": 60,
          "cohort_4_reward": 80,
          "cohort_5_reward": 100,
        },
        "cohort_shares": {
          "cohort_1": 0.0177,
          "cohort_2": 0.1113,
          "cohort_3": 0.2494,
          "cohort_4": 0.3532,
          "cohort_5": 0.2684,
        },
        "cohort_shares_from": "request",
        "completion_rate": 0.75,
        "completion_rate_from": "request",
        "concurrent": 20,
        "max_responses": 200,
        "past_responses": 0,
        "respondents": 500,
        "spent": 0,
      }
    `);
  });

  it('has a seed of its own, with which the same request returns the same numbers', async () => {
    const { post_id } = await createSurvey(api, { max_responses: 50 });
    const first = await forecast({ post_id });
    expect(await forecast({ post_id })).toEqual(first);
    expect(await forecast({ post_id, seed: first.seed })).toEqual(first);
    const other = await forecast({ post_id, seed: first.seed + 1 });
    expect(other.cost).not.toEqual(first.cost);
    expect(await forecast({ post_id, concurrent: 3 })).not.toMatchObject({ seed: first.seed });
  });

  it('stores nothing, whether the document would create, change or leave a campaign', async () => {
    const stored = document({ max_responses: 10 });
    const applied = await api.put('/svc/campaign/apply', stored);
    const { post_id } = applied.body.data;
    const before = await api.get('/svc/campaign/list');
    const changed = await forecast({ campaign: { ...stored, max_responses: 20 }, ...KNOWN });
    expect(changed).toMatchObject({ post_id, responses: all(20) });
    expect((await forecast({ campaign: stored, ...KNOWN })).responses).toEqual(all(10));
    await forecast({ campaign: document({ max_responses: 30, is_live: true }), ...KNOWN });
    expect((await api.get('/svc/campaign/list')).body.data).toEqual(before.body.data);
    expect((await api.get(`/svc/campaign/${post_id}/history`)).body.data.items).toHaveLength(1);
  });

  it('refuses a document as applying it does', async () => {
    const incomplete = { external_ref: 'incomplete', type: 'survey', max_responses: 5 };
    expectError(
      await send({ campaign: incomplete }),
      422,
      'document_incomplete',
      expect.anything(),
    );
    const rewards = { ...EQUAL, cohort_5_reward: 6 };
    const campaign = document({ reward_amount: 5, cohort_rewards: rewards });
    expectError(await send({ campaign }), 422, 'cohort_reward_mismatch', expect.anything());
  });

  it('counts what the campaign has paid and accepted already', async () => {
    const platform = await platformClient(service);
    const post_id = await liveSurvey(company, { max_responses: 3, budget: 250 });
    await submit(platform, await begun(platform, post_id, 'ann'), 5);
    await begun(platform, post_id, 'bob');
    const { cost, responses, assumptions } = await forecast({
      post_id,
      attention: {
        shares: { ...SHARES, cohort_1: 0, cohort_2: 0, cohort_3: 0, cohort_4: 0, cohort_5: 1 },
      },
      completion_rate: 1,
    });
    // 60 are paid. What is left pays one 100.
    expect(assumptions).toMatchObject({ answered: 1, spent: 60, max_responses: 3, budget: 250 });
    expect([cost, responses]).toEqual([all(160), all(2)]);
  });

  it('says which quota ends the campaign, when each is filled, and whom the rules refuse', async () => {
    const attributes = [
      {
        name: 'gender',
        shares: [
          { value: 'female', share: 0.5 },
          { value: 'male', share: 0.5 },
        ],
      },
      {
        name: 'age',
        shares: [
          { from: 10, to: 17, share: 0.2 },
          { from: 18, to: 60, share: 0.8 },
        ],
      },
    ];
    const rules = targeting({
      screening: { all: [{ attribute: 'age', op: 'at_least', value: 18, name: 'adults' }] },
      quotas: [quota('women', WOMEN, 10), quota('men', MEN, 5)],
      other: 'refuse',
    });
    const given = { attention: { shares: SHARES }, completion_rate: 1, attributes, concurrent: 1 };
    const campaign = document({ targeting: rules });
    const { targeting: found, ...rest } = await forecast({ campaign, ...given });
    expect(rest).toMatchObject({
      post_id: null,
      responses: all(15),
      respondents: all(15),
      ended_by: { max_responses: 0, budget: 0, quotas: 1, respondents: 0 },
    });
    const [women, men] = found.quotas;
    expect(women).toMatchObject({ name: 'women', limit: 10, submitted: 10, filled: 1 });
    expect(men).toMatchObject({ name: 'men', limit: 5, submitted: 5, filled: 1 });
    expect(women.ends_campaign + men.ends_campaign).toBeCloseTo(1);
    // It takes 10 / 0.4 on average until 10 adult women have come.
    expect(Math.abs(women.filled_after.p50 - 24.5)).toBeLessThanOrEqual(1.5);
    expect(Math.abs(men.filled_after.p50 - 12)).toBeLessThanOrEqual(1.5);
    // That 5 of the first 14 are men, and so women are the last.
    expect(Math.abs(women.ends_campaign - 0.91)).toBeLessThan(0.05);
    const [adults, other] = found.screened_out;
    expect([adults.rule, other]).toEqual(['adults', { rule: 'other', refused: 0 }]);
    expect(Math.abs(adults.refused / found.came.mean - 0.2)).toBeLessThan(0.025);
    const turnedAway = women.turned_away + men.turned_away;
    expect(found.came.mean).toBeCloseTo(15 + adults.refused + turnedAway, 1);

    const post_id = await targetedSurvey(
      { api },
      { ...rules, other: 'admit' },
      { max_responses: 9 },
    );
    const platform = await platformClient(service);
    const known = { gender: 'female', age: 20 };
    await submit(platform, (await beginAs(platform, post_id, 'Ada', known)).data, 9);
    const later = await forecast({ post_id, ...given });
    expect(later).toMatchObject({ responses: all(9), ended_by: { max_responses: 1, quotas: 0 } });
    expect(later.targeting.quotas[0].submitted).toBeGreaterThan(1);
    const sum = later.targeting.quotas[0].submitted + later.targeting.quotas[1].submitted;
    expect(sum).toBeCloseTo(9, 1);
    expectInvalid(
      await send({ post_id, ...KNOWN, attributes: [{ ...attributes[0], name: 'x' }] }),
      {
        'attributes[0].name': 'not_allowed',
      },
    );
    const { post_id: open } = await createSurvey(api, { max_responses: 3 });
    expect((await forecast({ post_id: open, ...KNOWN })).targeting).toBeNull();
  });

  it('warns of what the launch check warns of', async () => {
    const { post_id } = await createSurvey(api, { max_responses: 10, budget: 500 });
    const check = await api.get(`/svc/campaign/${post_id}/launch-check`);
    const { warnings } = await forecast({ post_id, ...KNOWN });
    expect(warnings.length).toBeGreaterThan(0);
    expect(warnings).toEqual(check.body.data.warnings);
  });

  it('says what prevents the start of a campaign, and what it can cost at most', async () => {
    const { post_id } = await createSurvey(api, { max_responses: 10, reward_amount: 50 });
    expect(await forecast({ post_id, ...KNOWN })).toMatchObject({
      blockers: [],
      maximum_cost: 500,
    });
    const ended = document({ max_responses: 20, ends_at: '2020-01-01T00:00:00Z' });
    const { data } = (await send({ campaign: ended, ...KNOWN })).body;
    expect(data.blockers).toEqual([{ code: 'ends_at_passed', message: expect.any(String) }]);
    expect(data.maximum_cost).toBe(20 * data.assumptions.cohort_rewards.cohort_5_reward);
  });

  it('warns of open participations whose places can be taken again at higher rewards', async () => {
    const platform = await platformClient(service);
    const limits = { max_responses: 4, budget: 400, reward_amount: 50 };
    const post_id = await liveSurvey({ api }, limits);
    for (const respondent of ['a', 'b']) {
      await begun(platform, post_id, respondent);
    }
    const code = 'budget_below_maximum_cost';
    const warns = async () =>
      (await forecast({ post_id, ...KNOWN })).warnings.some((each: any) => each.code === code);
    await api.patch('/svc/campaign/update', { post_id, reward_amount: 100 });
    expect(await warns()).toBe(false);
    await api.patch('/svc/campaign/update', { post_id, reward_amount: 101 });
    expect(await warns()).toBe(true);
  });

  it('warns of a guardrail that has fired, as the launch check does', async () => {
    const other = await registerCompany(service.client);
    const post_id = await liveSurvey(other, { max_responses: 10 });
    await createGuardrail(other.api, { post_id, when: { all: [spent(1)] } });
    await respond(await platformClient(service), post_id, [10]);
    const code = 'guardrail_not_armed';
    await eventually(async () => {
      const { body } = await other.api.get(`/svc/campaign/${post_id}/launch-check`);
      expect(body.data.warnings).toContainEqual(expect.objectContaining({ code }));
    });
    const { warnings } = await forecast({ post_id, ...KNOWN }, other.api);
    expect(warnings).toContainEqual(expect.objectContaining({ code }));
  });

  it('rests on a stated guess as long as there are fewer than 200 responses', async () => {
    const { post_id } = await createSurvey(api, { max_responses: 10 });
    const guess = {
      completion_rate: 0.8,
      completion_rate_from: 'prior',
      cohort_shares: {
        cohort_1: 0.05,
        cohort_2: 0.15,
        cohort_3: 0.3,
        cohort_4: 0.3,
        cohort_5: 0.2,
      },
      cohort_shares_from: 'prior',
    };
    const { assumptions } = await forecast({ post_id });
    expect(assumptions).toMatchObject({ ...guess, concurrent: 20 });
    const asked = await forecast({ post_id, attention: { history: true } });
    expect(asked.assumptions).toMatchObject(guess);
    const given = await forecast({ post_id, attention: { shares: SHARES } });
    expect(given.assumptions).toMatchObject({
      completion_rate_from: 'prior',
      cohort_shares: SHARES,
      cohort_shares_from: 'request',
    });
  });

  it('needs respondents if nothing ends the campaign, and refuses too much work', async () => {
    const { post_id } = await createSurvey(api);
    expectError(await send({ post_id, ...KNOWN }), 422, 'respondents_required');
    expect(await forecast({ post_id, ...KNOWN, respondents: 100 })).toMatchObject({
      respondents: all(100),
      ended_by: { max_responses: 0, budget: 0, respondents: 1 },
    });
    expectInvalid(await send({ post_id, runs: 10_000, respondents: 2_001 }), { runs: 'too_large' });
  });

  it('is exact to the cent, or refused if amounts could be too large for a JSON number', async () => {
    const reward_amount = 999_999_999;
    const campaign = document({ reward_amount, cohort_rewards: mapRewards(() => reward_amount) });
    const request = { campaign, ...KNOWN, completion_rate: 1, runs: 100 };
    const { cost, held_in_vain } = await forecast({ ...request, respondents: 70_000 });
    expect([cost, held_in_vain]).toEqual([all(69_999_999_930_000), all(0)]);
    const { post_id } = await createSurvey(api, { reward_amount });
    const update = { post_id, reward_amount: 999_999_999.99 };
    expect((await api.patch('/svc/campaign/update', update)).status).toBe(200);
    const rewards = mapRewards(() => 999_999_999.99);
    await api.patch('/svc/campaign/cohort-rewards', { post_id, ...rewards });
    const stored = { ...request, campaign: undefined, post_id };
    const { cost: odd } = await forecast({ ...stored, respondents: 69_999 });
    expect(odd).toEqual(all(69_998_999_999_300.01));
    const tooLarge = await send({ ...stored, respondents: 70_001 });
    expectInvalid(tooLarge, { respondents: 'too_large' });
    expect(tooLarge.body.message).toContain('at most 70000');
  });

  it('refuses contradictions', async () => {
    const { post_id } = await createSurvey(api, { max_responses: 10 });
    expectInvalid(await send({}), { '': 'not_allowed' });
    expectInvalid(await send({ post_id, campaign: document({}) }), { '': 'not_allowed' });
    for (const [attention, wrong] of [
      [{}, { attention: 'not_allowed' }],
      [{ shares: SHARES, history: true }, { attention: 'not_allowed' }],
      [{ history: false }, { 'attention.history': 'not_allowed' }],
      [{ mean: 5 }, { 'attention.spread': 'required' }],
      [{ spread: 1 }, { 'attention.mean': 'required' }],
      [{ mean: 9, spread: 3 }, { 'attention.spread': 'too_large' }],
      [{ shares: { ...SHARES, cohort_1: 0.2 } }, { 'attention.shares': 'sum_not_one' }],
    ] as const) {
      expectInvalid(await send({ post_id, attention }), wrong);
    }
    expectInvalid(await send({ post_id, completion_rate: 0, runs: 99, concurrent: 0, seed: -1 }), {
      completion_rate: 'too_small',
      runs: 'too_small',
      concurrent: 'too_small',
      seed: 'too_small',
    });
  });

  it('is replayed with its Idempotency-Key, although the campaign has changed', async () => {
    const { post_id } = await createSurvey(api, { max_responses: 10 });
    const keyed = api.with({ 'idempotency-key': 'forecast' });
    const first = await forecast({ post_id, ...KNOWN }, keyed);
    await api.patch('/svc/campaign/update', { post_id, max_responses: 20 });
    const again = await send({ post_id, ...KNOWN }, keyed);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body.data).toEqual(first);
    expect((await forecast({ post_id, ...KNOWN })).responses).toEqual(all(20));
  });

  it('is never the outcome of another request whose turn it waits for', async () => {
    const keyed = await createSurvey(api, { max_responses: 10 });
    const other = await createSurvey(api, { max_responses: 20 });
    const answers = await Promise.all([
      send({ post_id: keyed.post_id, ...KNOWN }, api.with({ 'idempotency-key': 'first-of-many' })),
      ...Array.from({ length: 8 }, () => send({ post_id: other.post_id, ...KNOWN })),
    ]);
    expect(answers.map(({ body }) => body.data?.post_id)).toEqual([
      keyed.post_id,
      ...Array<string>(8).fill(other.post_id),
    ]);
    expect(answers.map(({ headers }) => headers.get('idempotency-replayed'))).not.toContain('true');
  });

  it('answers other requests while it computes', async () => {
    const { post_id } = await createSurvey(api);
    const order: string[] = [];
    const long = forecast({ post_id, ...KNOWN, runs: 2_000, respondents: 2_000 }).then(() => {
      order.push('forecast');
    });
    for (let served = 0; served < 3; served += 1) {
      await api.get('/health/live');
      order.push('other');
    }
    await long;
    expect(order).toEqual(['other', 'other', 'other', 'forecast']);
  });
});
