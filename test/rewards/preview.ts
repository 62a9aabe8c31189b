import { createSurvey, ladder } from '../support/builders';
import { storedRows } from '../support/documents';
import { companyForAll } from '../support/fixtures';

const EVEN = { cohort_1: 0.2, cohort_2: 0.2, cohort_3: 0.2, cohort_4: 0.2, cohort_5: 0.2 };

describe('POST /svc/campaign/cohort-rewards/preview', () => {
  const company = companyForAll();

  const preview = (body: unknown) => company.api.post('/svc/campaign/cohort-rewards/preview', body);

  it('returns the rewards, no cost without shares and no warnings', async () => {
    const { data } = await preview({ reward_amount: 99.99 });
    expect(data).toEqual({
      currency: 'USD',
      cohort_rewards: ladder(3, 40, 59.99, 79.99, 99.99),
      expected_cost_per_response: null,
      warnings: [],
    });
  });

  it.each([1, 7, 33, 1_000_000_000])(
    'computes for a reward of %i what a creation stores (section 2.3)',
    async (reward_amount) => {
      const { post_id } = await createSurvey(company.api, { reward_amount });
      const { body: campaign } = await company.api.get(`/svc/campaign/${post_id}`);
      const { body } = await preview({ reward_amount });
      expect(body.data.cohort_rewards).toEqual(campaign.data.cohort_rewards);
    },
  );

  it('returns the expected cost per response with the given shares', async () => {
    const { body } = await preview({
      reward_amount: 100,
      cohort_shares: {
        cohort_1: 0.1,
        cohort_2: 0.2,
        cohort_3: 0.3,
        cohort_4: 0.25,
        cohort_5: 0.15,
      },
    });
    expect(body.data.expected_cost_per_response).toBe(61.3);
  });

  it('rounds half a cent up', async () => {
    const { body } = await preview({
      reward_amount: 100.01,
      cohort_shares: { cohort_1: 0.5, cohort_2: 0, cohort_3: 0, cohort_4: 0, cohort_5: 0.5 },
    });
    expect(body.data.expected_cost_per_response).toBe(51.51);
  });

  it('warns where a lower cohort would be paid more than a higher one', async () => {
    const { body } = await preview({ reward_amount: 5 });
    expect(body.data.warnings).toEqual([
      {
        code: 'lower_cohort_paid_more',
        message: 'Cohort 1 would be paid 3, more than cohort 2 with 2.',
      },
    ]);
    expect((await preview({ reward_amount: 2 })).body.data.warnings).toHaveLength(4);
    expect((await preview({ reward_amount: 7.5 })).body.data.warnings).toEqual([]);
  });

  it.each([
    ['shares that sum to more', { ...EVEN, cohort_1: 0.200001 }, 'cohort_shares sum_not_one'],
    ['shares that sum to less', { ...EVEN, cohort_1: 0.1 }, 'cohort_shares sum_not_one'],
    ['a negative share', { ...EVEN, cohort_1: -0.2 }, 'cohort_shares.cohort_1 too_small'],
    ['a share above 1', { ...EVEN, cohort_3: 1.1 }, 'cohort_shares.cohort_3 too_large'],
    ['a missing share', { ...EVEN, cohort_5: undefined }, 'cohort_shares.cohort_5 required'],
    [
      'a share of more than six decimal places',
      { ...EVEN, cohort_2: 0.2000001 },
      'cohort_shares.cohort_2 too_precise',
    ],
    ['a share that is text', { ...EVEN, cohort_4: '0.2' }, 'cohort_shares.cohort_4 invalid_type'],
    ['a sixth share', { ...EVEN, cohort_6: 0 }, 'cohort_shares.cohort_6 unknown_field'],
    ['a list of shares', [0.2, 0.2, 0.2, 0.2, 0.2], 'cohort_shares invalid_type'],
  ])('refuses %s', async (_, cohort_shares, detail) => {
    const { status, body } = await preview({ reward_amount: 100, cohort_shares });
    expect(status).toBe(400);
    expect(body.error!.details.map(({ field, code }) => `${field} ${code}`)).toEqual([detail]);
  });

  it.each([0, -1, 1_000_000_000.01, 1.234, '5', null, undefined])(
    'refuses a reward_amount of %p',
    async (reward_amount) => {
      const { status, body } = await preview({ reward_amount });
      expect([status, body.error!.details[0]!.field]).toEqual([400, 'reward_amount']);
    },
  );

  it('stores nothing', async () => {
    const before = await storedRows(company);
    await preview({ reward_amount: 100, cohort_shares: EVEN });
    expect(await storedRows(company)).toEqual(before);
  });
});
