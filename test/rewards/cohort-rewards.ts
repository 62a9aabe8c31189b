import { createSurvey, ladder } from '../support/builders';
import { companyForAll } from '../support/fixtures';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { storedCampaign, storedRewards } from '../support/stored';

const REWARDS = ladder(5, 35, 55.5, 75, 100);
const COHORTS = Object.keys(REWARDS);

describe('PATCH /svc/campaign/cohort-rewards (section 4.5)', () => {
  const company = companyForAll();
  let post_id: string;

  beforeEach(async () => {
    ({ post_id } = await createSurvey(company.api));
  });

  const setRewards = (changes: object = {}) =>
    company.api.patch('/svc/campaign/cohort-rewards', { post_id, ...REWARDS, ...changes });
  const stored = () => storedCampaign(service.dataSource, post_id);
  const rewards = () => storedRewards(service.dataSource, post_id);

  it('returns exactly post_id, title, type, currency and the five values as stored', async () => {
    const { status, body } = await setRewards();
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: 'Cohort rewards updated.',
      data: {
        post_id,
        title: 'Coffee habits',
        type: 'survey',
        currency: 'USD',
        cohort_rewards: REWARDS,
      },
    });
  });

  it('changes the five rewards and nothing else', async () => {
    const before = await stored();
    await setRewards();
    expect(await stored()).toEqual({
      ...before,
      cohort_rewards: ['5.00', '35.00', '55.50', '75.00', '100.00'],
      version: before.version + 1,
      updated_at: expect.any(Date),
    });
  });

  it('refuses a cohort 1 reward below 3 (sections 7 and 8)', async () => {
    expect((await setRewards({ cohort_1_reward: 3 })).status).toBe(200);
    const before = await stored();
    for (const below of [2.99, 2, 0, -3]) {
      expectInvalid(await setRewards({ cohort_1_reward: below }), { cohort_1_reward: 'too_small' });
    }
    expect(await stored()).toEqual(before);
  });

  it.each([99.99, 100.01, 0, 1_000_000_000])(
    'refuses a cohort 5 reward of %d, which is not reward_amount (sections 7 and 8)',
    async (amount) => {
      const before = await stored();
      expectError(await setRewards({ cohort_5_reward: amount }), 422, 'cohort_reward_mismatch', [
        {
          field: 'cohort_5_reward',
          code: 'differs_from_reward_amount',
          message: "cohort_5_reward must equal the campaign's reward_amount.",
        },
      ]);
      expect(await stored()).toEqual(before);
    },
  );

  it('compares cohort 5 with the reward_amount of the latest update', async () => {
    await company.api.patch('/svc/campaign/update', { post_id, reward_amount: 80.5 });
    expectError(await setRewards(), 422, 'cohort_reward_mismatch', expect.any(Array));
    expect((await setRewards({ cohort_5_reward: 80.5 })).status).toBe(200);
  });

  it.each(['cohort_2_reward', 'cohort_3_reward', 'cohort_4_reward'])(
    'accepts 0 for %s and nothing negative',
    async (field) => {
      expect((await setRewards({ [field]: 0 })).status).toBe(200);
      for (const amount of [-0.01, -1, -1e12]) {
        expectInvalid(await setRewards({ [field]: amount }), { [field]: 'too_small' });
      }
    },
  );

  it('requires no order among the cohorts', async () => {
    const unordered = { cohort_1_reward: 900, cohort_2_reward: 0, cohort_3_reward: 500.25 };
    const { body } = await setRewards(unordered);
    expect(body.data.cohort_rewards).toEqual({ ...REWARDS, ...unordered });
  });

  it.each([
    [33.33, ['33.33', '0.10', '0.20', '0.30', '3.00']],
    [0.1, ['0.10', '0.01', '0.07', '0.29', '3.10']],
    [99_999_999.99, ['99999999.99', '33.33', '4.35', '1.10', '99999999.99']],
    [1_000_000_000, ['1000000000.00', '999999999.99', '0.57', '1.15', '1000000000.00']],
  ])('stores and returns decimals exactly (reward %d)', async (reward, texts) => {
    await company.api.patch('/svc/campaign/update', { post_id, reward_amount: reward });
    const [five, four, three, two, one] = texts;
    const sent = ladder(Number(one), Number(two), Number(three), Number(four), Number(five));
    const { data } = await setRewards(sent);
    expect(data.cohort_rewards).toEqual(sent);
    expect(await rewards()).toEqual([texts[0], ...texts]);
  });

  it('requires all six fields, reported at once (section 7)', async () => {
    const answer = await company.api.patch('/svc/campaign/cohort-rewards', {});
    const fields = ['post_id', ...COHORTS];
    expectInvalid(answer, Object.fromEntries(fields.map((field) => [field, 'required'])));
  });

  it.each(COHORTS)('refuses a %s that is not an exact amount of money', async (field) => {
    const before = await stored();
    for (const [literal, code] of [
      ['null', 'null_not_allowed'],
      ['"100"', 'invalid_type'],
      ['3.001', 'too_precise'],
      ['1000000000.01', 'too_large'],
    ] as const) {
      const text = JSON.stringify({ post_id, ...REWARDS, [field]: '?' }).replace('"?"', literal);
      const answer = await company.api.patch('/svc/campaign/cohort-rewards', text);
      expectInvalid(answer, { [field]: code });
    }
    expect(await stored()).toEqual(before);
  });
});
