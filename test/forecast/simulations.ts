import { createImageSurvey, createSurvey, question } from '../support/builders';
import { Client, registerCompany } from '../support/client';
import { eventually } from '../support/eventually';
import { expectReconciled, liveQuestionnaire, start } from '../support/fielding';
import { companyForEach } from '../support/fixtures';
import { generateKey } from '../support/keys';
import { expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { countsOf, MEN, quota, targetedSurvey, WOMEN } from '../support/targeting';

const SHARES = { cohort_1: 0.1, cohort_2: 0.2, cohort_3: 0.3, cohort_4: 0.25, cohort_5: 0.15 };

describe('a simulation', () => {
  const company = companyForEach();
  let api: Client;

  beforeEach(async () => {
    ({ api } = await generateKey(company.account, service.client, { mode: 'test' }));
  });

  const send = (body: object, client = api) => client.post('/svc/campaign/simulate', body);

  async function simulate(body: object, client = api): Promise<any> {
    const answer = await send(body, client);
    expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    return answer.body.data;
  }

  function liveCampaign(fields: Record<string, unknown> = {}): Promise<string> {
    const questions = [question(), question({ type: 'descriptive', required: false })];
    return liveQuestionnaire({ api }, questions, fields);
  }

  const responsesTo = async (postId: string): Promise<any[]> =>
    (await api.get(`/svc/campaign/${postId}/responses?limit=100`)).body.data.items;

  /** What was answered and paid, whoever it was. */
  const contentOf = (responses: any[]) =>
    responses
      .map(({ answers, attention_score, reward }) => ({ answers, attention_score, reward }))
      .toReversed();

  it('has responses, payments and counters that agree with its result', async () => {
    const post_id = await liveCampaign();
    const result = await simulate({ post_id, respondents: 30, seed: 1, abandon_rate: 0.3 });
    expect(result).toMatchObject({ post_id, seed: 1, respondents: 30, begun: 30, refused: [] });
    expect(result.submitted + result.abandoned).toBe(30);
    expect(result.abandoned).toBeGreaterThan(0);
    const responses = await responsesTo(post_id);
    expect(responses).toHaveLength(result.submitted);
    expect(responses.reduce((sum, { reward }) => sum + reward, 0)).toBe(result.spent);
    expect(result.status).toBe('live');
    expect(await expectReconciled(api)).toEqual({
      checked: 30,
      currency: 'USD',
      differences: [],
      next_cursor: null,
    });
  });

  it('takes the time that people take, and the careless less of it', async () => {
    const post_id = await liveCampaign({ answer_minutes: 60 });
    await simulate({ post_id, respondents: 60, seed: 4, abandon_rate: 0 });
    const responses = await responsesTo(post_id);
    const secondsOf = ({ begun_at, submitted_at }: any) =>
      (Date.parse(submitted_at) - Date.parse(begun_at)) / 1_000;
    const mean = (some: any[]) =>
      some.reduce((sum, each) => sum + secondsOf(each), 0) / some.length;
    const seconds = responses.map(secondsOf);
    expect(Math.min(...seconds)).toBeGreaterThan(2);
    expect(Math.max(...seconds)).toBeLessThan(60);
    const [careless, careful] = [
      [1, 2],
      [4, 5],
    ].map((cohorts) => mean(responses.filter(({ cohort }) => cohorts.includes(cohort))));
    expect(careful! / careless!).toBeGreaterThan(1.3);
    await expectReconciled(api);
  });

  it('has not spent what was taken back since an earlier call', async () => {
    const post_id = await liveCampaign();
    const request = { post_id, respondents: 4, seed: 3, abandon_rate: 0 };
    const { spent } = await simulate(request);
    const [{ participation_id, reward }] = await responsesTo(post_id);
    const reversal = { post_id, participation_id, reason: 'Too fast' };
    expect((await api.post('/svc/fielding/reverse', reversal)).status).toBe(200);
    expect((await simulate(request)).spent).toBe(spent - reward);
  });

  describe('of a campaign with targeting', () => {
    const rules = {
      screening: { all: [{ attribute: 'age', op: 'at_least', value: 18, name: 'adults' }] },
      quotas: [
        quota('women', WOMEN, 5),
        quota('young men', { ...MEN, age: [{ from: 18, to: 34 }] }, 4),
      ],
      other: 'refuse',
    };
    const attributes = [
      {
        name: 'gender',
        shares: [
          { value: 'female', share: 0.5 },
          { value: 'male', share: 0.4 },
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

    it('screens respondents out and fills quotas, and says which rule refused', async () => {
      const post_id = await targetedSurvey({ api }, rules);
      const request = { post_id, seed: 5, respondents: 60, abandon_rate: 0.2, attributes };
      const result = await simulate(request);
      const { refused, refused_by } = result;
      const counts = await countsOf(api, post_id);
      expect(counts).toEqual({ women: [5, 5, 0], 'young men': [4, 4, 0] });
      expect(result).toMatchObject({ submitted: 9, begun: 9 + result.abandoned });
      const sums = (code: string) =>
        refused_by
          .filter((each: any) => each.code === code)
          .reduce((sum: number, each: any) => sum + each.refused, 0);
      expect(refused).toHaveLength(2);
      for (const { code, count } of refused) {
        expect([code, sums(code)]).toEqual([code, count]);
      }
      expect(refused_by.map(({ rule }: any) => rule).toSorted()).toEqual([
        'adults',
        'other',
        'women',
        'young men',
      ]);
      const { data } = await api.get(`/svc/campaign/${post_id}/quotas`);
      expect(data.quotas).toMatchObject([{ taken: 5 }, { taken: 4 }]);
      // About a fifth are minors; four standard deviations.
      const minors = refused_by.find(({ rule }: any) => rule === 'adults').refused;
      expect(Math.abs(minors - 12)).toBeLessThan(13);
      expect(await simulate({ ...request, attributes: undefined })).not.toEqual(result);
      await expectReconciled(api);
    });

    it('refuses attributes that respondents cannot have', async () => {
      const post_id = await targetedSurvey({ api }, rules);
      const [gender, age] = attributes as [any, any];
      const ask = (...list: unknown[]) =>
        send({ post_id, seed: 1, respondents: 1, attributes: list });
      expectInvalid(await ask({ ...gender, name: 'shoes' }, { ...age, name: 'gender' }), {
        'attributes[0].name': 'not_allowed',
        'attributes[1].shares[0]': 'not_allowed',
        'attributes[1].shares[1]': 'not_allowed',
      });
      const x = { name: 'gender', shares: [{ value: 'x', share: 1 }] };
      expectInvalid(await ask(x), { 'attributes[0].shares[0].value': 'not_allowed' });
      const twice = { ...gender, shares: [...gender.shares, ...gender.shares] };
      expectInvalid(await ask(twice), { 'attributes[0].shares': 'sum_not_one' });
      const both = {
        ...age,
        shares: [
          { from: 2, to: 1, share: 1 },
          { value: 'a', from: 1, share: 0 },
        ],
      };
      expectInvalid(await ask(both), {
        'attributes[0].shares[0].to': 'too_small',
        'attributes[0].shares[1]': 'not_allowed',
      });
    });
  });

  it('has the same respondents for the same seed, and others for another one', async () => {
    const [one, two] = [await liveCampaign(), await liveCampaign()];
    const { post_id: _, ...first } = await simulate({ post_id: one, respondents: 8, seed: 7 });
    const { post_id: __, ...second } = await simulate({ post_id: two, respondents: 8, seed: 7 });
    expect(second).toEqual(first);
    const responses = contentOf(await responsesTo(one));
    expect(contentOf(await responsesTo(two))).toEqual(responses);
    await simulate({ post_id: two, respondents: 8, seed: 8 });
    expect(contentOf(await responsesTo(two)).slice(responses.length)).not.toEqual(responses);
  });

  it('continues an earlier call with the same seed, and doubles nobody', async () => {
    const [whole, parts] = [await liveCampaign(), await liveCampaign()];
    const request = { respondents: 12, seed: 3, abandon_rate: 0.4 };
    const { post_id: _, ...expected } = await simulate({ post_id: whole, ...request });
    await simulate({ post_id: parts, ...request, respondents: 5 });
    const answers = await Promise.all([1, 2].map(() => send({ post_id: parts, ...request })));
    for (const { status, body } of answers) {
      expect([status, body.data]).toEqual([200, { post_id: parts, ...expected }]);
    }
    expect(contentOf(await responsesTo(parts))).toHaveLength(expected.submitted);
    await expectReconciled(api);
  });

  it('is replayed with its Idempotency-Key', async () => {
    const post_id = await liveCampaign();
    const keyed = api.with({ 'idempotency-key': 'simulation' });
    const first = await simulate({ post_id, respondents: 4, seed: 3 }, keyed);
    await api.patch('/svc/campaign/toggle-live', { post_id, is_live: false });
    const again = await send({ post_id, respondents: 4, seed: 3 }, keyed);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body.data).toEqual(first);
  });

  it('ends with the limits of the campaign, and says who came too late', async () => {
    const post_id = await liveCampaign({ max_responses: 5 });
    const request = { post_id, respondents: 9, seed: 2, abandon_rate: 0 };
    const full = await simulate(request);
    expect(full).toMatchObject({ begun: 5, submitted: 5, abandoned: 0, status: 'completed' });
    expect(full.refused).toEqual([{ code: 'campaign_completed', count: 4 }]);
    expect(await simulate(request)).toEqual(full);

    const { post_id: draft } = await createSurvey(api);
    const refused = await simulate({ post_id: draft, respondents: 2, seed: 2 });
    expect(refused).toMatchObject({ begun: 0, spent: 0, status: 'draft' });
    expect(refused.refused).toEqual([{ code: 'campaign_not_live', count: 2 }]);

    const poor = await liveCampaign({ budget: 50 });
    const held = await simulate({ post_id: poor, respondents: 2, seed: 2 });
    expect(held.refused).toEqual([{ code: 'fully_held', count: 2 }]);
  });

  it('says that a respondent of the seed has done something else before', async () => {
    const post_id = await liveCampaign();
    await simulate({ post_id, respondents: 3, seed: 5, abandon_rate: 0 });
    const other = await simulate({ post_id, respondents: 3, seed: 5, abandon_rate: 1 });
    expect(other).toMatchObject({ begun: 3, submitted: 0, abandoned: 0 });
    expect(other.refused).toEqual([{ code: 'participation_closed', count: 3 }]);
  });

  it('answers every format of image survey', async () => {
    for (const format of ['round-robin', 'binary', 'slider'] as const) {
      const { post_id } = await createImageSurvey(api, format);
      await start(api, post_id);
      const result = await simulate({ post_id, respondents: 3, seed: 1, abandon_rate: 0 });
      expect([format, result.submitted]).toEqual([format, 3]);
    }
  });

  it('is as attentive as the request says', async () => {
    const post_id = await liveCampaign();
    const none = { cohort_1: 0, cohort_2: 0, cohort_3: 0, cohort_4: 0, cohort_5: 0 };
    const attention = { shares: { ...none, cohort_2: 1 } };
    await simulate({ post_id, respondents: 5, seed: 1, abandon_rate: 0, attention });
    expect((await responsesTo(post_id)).map(({ cohort }) => cohort)).toEqual([2, 2, 2, 2, 2]);
    const scores = { mean: 9.8, spread: 0.2 };
    await simulate({ post_id, respondents: 5, seed: 2, abandon_rate: 0, attention: scores });
    const cohorts = (await responsesTo(post_id)).slice(0, 5).map(({ cohort }) => cohort);
    expect(cohorts).toEqual([5, 5, 5, 5, 5]);
  });

  it('refuses invalid requests', async () => {
    const post_id = await liveCampaign();
    expectInvalid(
      await send({ post_id, respondents: 1_001, seed: 0.5, abandon_rate: 1.1, attention: {} }),
      {
        respondents: 'too_large',
        seed: 'not_an_integer',
        abandon_rate: 'too_large',
        attention: 'not_allowed',
      },
    );
    const history = { post_id, respondents: 1, seed: 1, attention: { history: true } };
    expectInvalid(await send(history), { 'attention.history': 'unknown_field' });
  });

  it('waits for its turn if the company has two in progress, and leaves others alone', async () => {
    const campaigns = await Promise.all([liveCampaign(), liveCampaign(), liveCampaign()]);
    const other = await registerCompany(service.client);
    const { post_id } = await createSurvey(other.api);
    const [forecast, ...simulations] = await Promise.all([
      other.api.post('/svc/campaign/forecast', { post_id, respondents: 10 }),
      ...campaigns.map((each) => send({ post_id: each, respondents: 25, seed: 1 })),
    ]);
    expect([forecast, ...simulations].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const [first, second, third] = await service.dataSource.query(
      `SELECT min(created_at) AS "from", max(created_at) AS "to" FROM transfer
       WHERE kind = 'hold' AND company_id = (SELECT company_id FROM campaign WHERE post_id = $1)
       GROUP BY campaign_id ORDER BY 1`,
      [campaigns[0]],
    );
    expect(third.from.getTime()).toBeGreaterThanOrEqual(Math.min(first.to, second.to));
  });

  it('ends when its client disconnects, and continues with its Idempotency-Key', async () => {
    const post_id = await liveCampaign();
    const request = { post_id, respondents: 150, seed: 6 };
    const countBegun = async (): Promise<number> => {
      const [{ begun }] = await service.dataSource.query(
        `SELECT count(*)::integer AS begun FROM participation
         WHERE (company_id, campaign_id) = (SELECT company_id, id FROM campaign WHERE post_id = $1)`,
        [post_id],
      );
      return begun;
    };
    const client = new AbortController();
    const keyed = api.with({ 'idempotency-key': 'interrupted' });
    const interrupted = fetch(`${api.url}/svc/campaign/simulate`, {
      method: 'POST',
      headers: { ...keyed.headers, 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal: client.signal,
    });
    await eventually(async () => expect(await countBegun()).toBeGreaterThan(2));
    client.abort();
    await expect(interrupted).rejects.toThrow('aborted');
    const another = await liveCampaign();
    let seed = 0;
    await eventually(async () => {
      const before = await countBegun();
      await simulate({ post_id: another, respondents: 5, seed: (seed += 1) });
      expect(await countBegun()).toBe(before);
    });
    expect(await countBegun()).toBeLessThan(150);

    const continued = await send(request, keyed);
    expect(continued.headers.get('idempotency-replayed')).toBeNull();
    expect(continued.body.data).toMatchObject({ begun: 150, refused: [] });
    expect(await countBegun()).toBe(150);
    const { submitted, abandoned } = continued.body.data;
    expect(submitted + abandoned).toBe(150);
    const [{ answered }] = await service.dataSource.query(
      `SELECT answered FROM campaign_progress
       WHERE (company_id, campaign_id) = (SELECT company_id, id FROM campaign WHERE post_id = $1)`,
      [post_id],
    );
    expect(answered).toBe(submitted);
    const again = await send(request, keyed);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body.data).toEqual(continued.body.data);
    await expectReconciled(api);
  });

  it('gives a forecast its history', async () => {
    const post_id = await liveCampaign();
    const attention = { shares: { ...SHARES, cohort_1: 0, cohort_3: 0.4 } };
    const result = await simulate({
      post_id,
      respondents: 215,
      seed: 1,
      abandon_rate: 0.05,
      attention,
    });
    expect(result.submitted).toBeGreaterThan(200);
    const { body } = await api.post('/svc/campaign/forecast', { post_id, respondents: 10 });
    const { assumptions } = body.data;
    const [row] = await service.dataSource.query(
      `SELECT count(*) FILTER (WHERE cohort = 3)::integer AS third, count(*)::integer AS responses
       FROM participation WHERE substr(company_id::text, 15, 1) = '8' AND campaign_id =
         (SELECT id FROM campaign WHERE post_id = $1) AND state = 'submitted'`,
      [post_id],
    );
    expect(assumptions).toMatchObject({
      past_responses: row.responses,
      cohort_shares_from: 'history',
      completion_rate_from: 'history',
      completion_rate: Number((row.responses / 215).toFixed(4)),
      answered: row.responses,
      spent: result.spent,
    });
    expect(assumptions.cohort_shares).toMatchObject({
      cohort_1: 0,
      cohort_3: Number((row.third / row.responses).toFixed(4)),
    });
  });
});
