import {
  countOutcomes,
  drawOutcome,
  outcomeLimits,
  Shares,
} from '../../src/insight/forecast/attention.rules';
import { runCampaign } from '../../src/insight/forecast/model.rules';
import { streamsOf } from '../../src/platform/statistics/random.rules';
import { createSurvey } from '../support/builders';
import { Client, registerCompany } from '../support/client';
import { begin, Begun, expectReconciled, start, submit } from '../support/fielding';
import { generateKey } from '../support/keys';
import { campaignStatus } from '../support/life';
import { service } from '../support/service';

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
