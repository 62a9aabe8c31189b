import {
  countOutcomes,
  drawOutcome,
  Outcome,
  outcomeLimits,
  Shares,
} from '../../src/insight/forecast/attention.rules';
import { Groups } from '../../src/insight/forecast/crowd.rules';
import { runCampaign } from '../../src/insight/forecast/model.rules';
import { populationOf } from '../../src/insight/forecast/population.rules';
import { runTargeted } from '../../src/insight/forecast/targeted-run.rules';
import { answering } from '../../src/insight/simulation/answers.rules';
import { drawScore } from '../../src/insight/simulation/respondent.rules';
import { screenAnswers } from '../../src/campaigns/targeting/screening-questions.rules';
import { streamsOf } from '../../src/platform/statistics/random.rules';
import { createSurvey } from '../support/builders';
import { Client, registerCompany } from '../support/client';
import { begin, Begun, expectReconciled, start, submit } from '../support/fielding';
import { generateKey } from '../support/keys';
import { campaignStatus } from '../support/life';
import { service } from '../support/service';
import { countsOf, MEN, quota, targetedSurvey, WOMEN } from '../support/targeting';

const SHARES: Shares = [0.1, 0.2, 0.3, 0.25, 0.15];

interface Case {
  reward_amount: number;
  rewards?: readonly number[];
  max_responses?: number;
  budget?: number;
  respondents: number;
  concurrent: number;
}

const CASES: readonly Case[] = [
  { reward_amount: 100, max_responses: 12, respondents: 40, concurrent: 5 },
  { reward_amount: 100, budget: 777, respondents: 60, concurrent: 4 },
  { reward_amount: 100, budget: 900, max_responses: 14, respondents: 60, concurrent: 20 },
  { reward_amount: 100, budget: 5_000, max_responses: 100, respondents: 15, concurrent: 3 },
  // The largest reward is not that of cohort 5, and one is 0.
  { reward_amount: 7, rewards: [3, 0, 9.5, 4.25, 7], budget: 70, respondents: 60, concurrent: 6 },
  { reward_amount: 100, budget: 99, respondents: 5, concurrent: 2 },
];

const ENDINGS: Readonly<Record<string, string>> = {
  max_responses_reached: 'max_responses',
  budget_spent: 'budget',
  budget_below_reward: 'budget',
};

/** A question that some do not qualify by, who are paid. */
const ASKING = {
  screening_questions: [
    { type: 'single_choice', question: 'How many cups?', options: ['None', 'One', 'More'] },
  ],
  qualify: { any: [{ question: 'q1', op: 'is_not', value: 'One' }] },
  screen_out_reward: 2.5,
};

describe('the model of a forecast, compared with the service,', () => {
  let api: Client;

  beforeAll(async () => {
    const company = await registerCompany(service.client);
    ({ api } = await generateKey(company.account, service.client, { mode: 'test' }));
  });

  it.each(CASES)('has the same responses, spending and end: %o', async (given) => {
    const { reward_amount, rewards = [3, 40, 60, 80, 100], concurrent, respondents } = given;
    const { max_responses, budget } = given;
    const { post_id } = await createSurvey(api, { reward_amount, max_responses, budget });
    const ladder = Object.fromEntries(
      rewards.map((reward, index) => [`cohort_${index + 1}_reward`, reward]),
    );
    await api.patch('/svc/campaign/cohort-rewards', { post_id, ...ladder });
    await start(api, post_id);
    const draws = streamsOf(2026).next().value;
    const limits = outcomeLimits(0.75, SHARES);
    const copy = draws.clone();
    const outcomes = Array.from({ length: respondents }, () => drawOutcome(draws, limits));
    const begun = await takePart(post_id, outcomes, concurrent);

    const terms = {
      rewards: rewards.map((reward) => reward * 100),
      places: max_responses ?? Infinity,
      money: budget === undefined ? Infinity : budget * 100,
    };
    const run = runCampaign(
      terms,
      {
        number: respondents,
        next: drawOutcome.bind(null, copy, limits),
        count: countOutcomes.bind(null, copy, limits),
      },
      concurrent,
    );
    const submitted = run.outcomes.slice(1);
    const paid = submitted.reduce((sum, count, cohort) => sum + count * terms.rewards[cohort]!, 0);
    const [progress = { answered: 0, held: '0', spent: '0' }] = await service.dataSource.query(
      `SELECT answered, held, spent FROM campaign_progress
       WHERE campaign_id = (SELECT id FROM campaign WHERE post_id = $1)`,
      [post_id],
    );
    expect({
      begun,
      ...progress,
      spent: Number(progress.spent),
      held: Number(progress.held),
    }).toEqual({
      begun: run.begun,
      answered: submitted.reduce((sum, count) => sum + count),
      held: 0,
      spent: paid / 100,
    });
    const { status_reasons } = await campaignStatus(api, post_id);
    expect(ENDINGS[status_reasons[0] ?? ''] ?? 'respondents').toBe(run.endedBy);
    await expectReconciled(api);
  });

  it.each([
    [{ other: 'refuse' }, {}, 'quotas'],
    [{ other: 'admit' }, { max_responses: 12 }, 'max_responses'],
    [{ other: 'admit' }, { budget: 900 }, 'budget'],
    [{ other: 'refuse', ...ASKING }, {}, 'quotas'],
    [{ other: 'admit', ...ASKING, maximum_screen_outs: 9 }, { budget: 900 }, 'budget'],
  ])(
    'does the same to simulated respondents with attributes: %o, %o',
    async (rules, limits, end) => {
      const screening = { all: [{ attribute: 'age', op: 'at_least', value: 18, name: 'adults' }] };
      const quotas = [
        quota('women', WOMEN, 5),
        quota('men', MEN, 7),
        quota('old', { age: [{ from: 40 }] }, 4),
      ];
      const stated = [{ name: 'age', shares: [{ from: 10, to: 60, share: 1 }] }];
      const post_id = await targetedSurvey({ api }, { screening, quotas, ...rules }, limits);
      const { data: targeting } = await api.get(`/svc/campaign/${post_id}/targeting`);
      const attributesOf = populationOf(targeting, stated);
      const streams = streamsOf(11);
      streams.next();
      const groups = new Groups(targeting);
      const asked = { format: 'questionnaire', questions: targeting.screening_questions } as const;
      // The preferences of all respondents are the first stream.
      const answers = answering({ ...asked, imageSurvey: null }, streamsOf(11).next().value);
      const people = Array.from({ length: 400 }, () => {
        const draws = streams.next().value;
        const attributes = attributesOf(draws);
        const score = drawScore(0.75, SHARES, draws);
        const qualifies = screenAnswers(targeting, answers(draws)).refusedBy === null;
        return { group: groups.placeOf({ attributes, qualifies }), score };
      });
      let came = 0;
      const run = runTargeted(
        {
          rewards: [300, 4_000, 6_000, 8_000, 10_000],
          places: 'max_responses' in limits ? 12 : Infinity,
          money: 'budget' in limits ? 90_000 : Infinity,
        },
        {
          groups: groups.found,
          shares: [],
          sample: new Uint16Array(),
          rules: groups.rules,
          left: quotas.map(({ limit }) => limit),
          screenOuts: {
            reward: 100 * (targeting.screen_out_reward ?? 0),
            left: targeting.maximum_screen_outs ?? Infinity,
          },
        },
        {
          number: people.length,
          group: () => people[came++]!.group,
          outcome: () => {
            const { score } = people[came - 1]!;
            return (score === undefined ? 0 : Math.min(5, Math.floor(score / 2) + 1)) as Outcome;
          },
        },
        1,
      );
      const shares = Object.fromEntries(
        SHARES.map((share, index) => [`cohort_${index + 1}`, share]),
      );
      const { data } = await api.post('/svc/campaign/simulate', {
        post_id,
        seed: 11,
        respondents: run.came,
        abandon_rate: 0.25,
        attention: { shares },
        attributes: stated,
      });
      const refused = (code: string, names: readonly string[], counts: readonly number[]) =>
        names.map((rule, index) => ({ code, rule, refused: counts[index]! }));
      const byRule = [
        ...refused('screened_out', groups.rules, run.screenedOut),
        ...refused(
          'quota_full',
          quotas.map(({ name }) => name),
          run.turnedAway,
        ),
      ].filter((each) => each.refused > 0);
      const order = (list: any[]) => list.map((each) => JSON.stringify(each)).toSorted();
      const key = ({ code, rule, refused: count }: any) => ({ code, rule, refused: count });
      expect(order(data.refused_by.map(key))).toEqual(order(byRule));
      expect([run.endedBy, data.begun, data.abandoned]).toEqual([end, run.begun, run.outcomes[0]]);
      const found = Object.values(await countsOf(api, post_id)).map(([, submitted]) => submitted);
      expect(found).toEqual(run.submitted);
      const { progress } = (await api.get(`/svc/campaign/${post_id}`)).data;
      expect([progress.screened_out, progress.screen_out_spent]).toEqual([
        run.screenOuts,
        run.screenOutCost! / 100,
      ]);
      expect(data.spent).toBe(progress.spent);
      await expectReconciled(api);
    },
  );

  /**
   * Lets respondents take part as the model says: whoever finds no place comes again when the first
   * of those who answer has finished.
   *
   * @returns how many began
   */
  async function takePart(
    post_id: string,
    outcomes: readonly number[],
    concurrent: number,
  ): Promise<number> {
    const answering: [Begun, number][] = [];
    const finish = async () => {
      const [participation, outcome] = answering.shift()!;
      const { participation_id } = participation;
      const { status } =
        outcome === 0
          ? await api.post('/svc/fielding/abandon', { post_id, participation_id })
          : await submit(api, participation, 2 * outcome - 1);
      expect(status).toBe(200);
    };
    let begun = 0;
    for (const outcome of outcomes) {
      if (answering.length === concurrent) {
        await finish();
      }
      let answer = await begin(api, post_id, `respondent ${begun}`);
      while (answer.status !== 200 && answering.length > 0) {
        expect(answer.body.error!.code).toBe('fully_held');
        await finish();
        answer = await begin(api, post_id, `respondent ${begun}`);
      }
      if (answer.status !== 200) {
        expect(['campaign_completed', 'fully_held']).toContain(answer.body.error!.code);
        break;
      }
      answering.push([answer.body.data, outcome]);
      begun += 1;
    }
    while (answering.length > 0) {
      await finish();
    }
    return begun;
  }
});
