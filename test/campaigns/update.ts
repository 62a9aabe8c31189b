import { createSurvey, ladder } from '../support/builders';
import { companyForAll } from '../support/fixtures';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { storedCampaign, storedRewards } from '../support/stored';
import { DRAFT, LEFT_OUT } from '../support/life';

/** The response to an update of a builder's survey that changes nothing. */
const UNCHANGED = {
  ...LEFT_OUT,
  type: 'survey',
  title: 'Coffee habits',
  description: 'How people drink their coffee.',
  content_url: 'https://example.com/old',
  category: 'food',
  tagline: 'Tell us about your cup',
  reward_amount: 100,
  ...DRAFT,
  currency: 'USD',
};

describe('PATCH /svc/campaign/update (section 4.4)', () => {
  const company = companyForAll();
  let post_id: string;

  beforeEach(async () => {
    ({ post_id } = await createSurvey(company.api, { content_url: UNCHANGED.content_url }));
  });

  const update = (fields: unknown) =>
    company.api.patch('/svc/campaign/update', { post_id, ...(fields as object) });
  const stored = () => storedCampaign(service.dataSource, post_id);

  it.each([
    ['title', 'Tea habits'],
    ['description', 'How people drink their tea.'],
    ['content_url', 'http://example.org/new'],
    ['content_url', null],
    ['category', 'drinks'],
    ['tagline', 'Tell us about your pot'],
  ])('changes only %s and returns no cohort_rewards', async (field, value) => {
    const before = await stored();
    const { status, body } = await update({ [field]: value });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: 'Campaign updated.',
      data: { post_id, ...UNCHANGED, [field]: value },
    });
    expect(await stored()).toEqual({
      ...before,
      [field]: value,
      version: before.version + 1,
      updated_at: expect.any(Date),
    });
  });

  it('changes reward_amount with the cohort rewards and returns them (section 2.3)', async () => {
    const before = await stored();
    const { data } = await update({ reward_amount: 50 });
    expect(data).toEqual({
      post_id,
      ...UNCHANGED,
      reward_amount: 50,
      cohort_rewards: ladder(3, 20, 30, 40, 50),
    });
    expect(await stored()).toEqual({
      ...before,
      reward_amount: '50.00',
      cohort_rewards: ['3.00', '20.00', '30.00', '40.00', '50.00'],
      largest_reward: '50.00',
      version: before.version + 1,
      updated_at: expect.any(Date),
    });
  });

  it('changes several fields at once', async () => {
    const fields = { title: ' New ', category: 'x', content_url: null, reward_amount: 10 };
    const { body } = await update(fields);
    expect(body.data).toEqual({
      post_id,
      ...UNCHANGED,
      ...fields,
      title: 'New',
      cohort_rewards: ladder(3, 4, 6, 8, 10),
    });
  });

  it('recalculates the cohort rewards even if reward_amount stays the same', async () => {
    const rewards = ladder(7, 3, 2, 1, 100);
    await company.api.patch('/svc/campaign/cohort-rewards', { post_id, ...rewards });
    expect((await update({ title: 'Kept' })).body.data.cohort_rewards).toBeUndefined();
    expect(await storedRewards(service.dataSource, post_id)).toEqual([
      '100.00',
      '100.00',
      '1.00',
      '2.00',
      '3.00',
      '7.00',
    ]);
    const { body } = await update({ reward_amount: 100 });
    expect(body.data.cohort_rewards).toEqual(ladder(3, 40, 60, 80, 100));
    expect(await storedRewards(service.dataSource, post_id)).toEqual([
      '100.00',
      '100.00',
      '80.00',
      '60.00',
      '40.00',
      '3.00',
    ]);
  });

  it.each([
    ['33.33', 33.33, 13.33, 20, 26.66],
    ['0.01', 0.01, 0, 0.01, 0.01],
    ['999999999.99', 999999999.99, 400000000, 599999999.99, 799999999.99],
    ['1000000000', 1000000000, 400000000, 600000000, 800000000],
  ])(
    'rounds the cohort rewards of %s half up to two places',
    async (literal, reward, two, three, four) => {
      const { body } = await company.api.patch(
        '/svc/campaign/update',
        `{"post_id":"${post_id}","reward_amount":${literal}}`,
      );
      expect(body.data.reward_amount).toBe(reward);
      expect(body.data.cohort_rewards).toEqual(ladder(3, two, three, four, reward));
      expect(await storedRewards(service.dataSource, post_id)).toEqual(
        [reward, reward, four, three, two, 3].map((amount) => amount.toFixed(2)),
      );
    },
  );

  it('refuses an update without any field besides post_id (section 7)', async () => {
    const before = await stored();
    expectError(await update({}), 400, 'nothing_to_update');
    expect(await stored()).toEqual(before);
  });

  it.each([
    ['0', 'too_small'],
    ['0.009', 'too_small'],
    ['1000000000.01', 'too_large'],
    ['1.005', 'too_precise'],
    ['100.00000000000000000001', 'too_precise'],
    ['"50"', 'invalid_type'],
    ['null', 'null_not_allowed'],
  ])(
    'refuses the reward_amount %s, which must be positive (sections 7 and 8)',
    async (literal, code) => {
      const before = await stored();
      const answer = await company.api.patch(
        '/svc/campaign/update',
        `{"post_id":"${post_id}","title":"Lost","reward_amount":${literal}}`,
      );
      expectInvalid(answer, { reward_amount: code });
      expect(await stored()).toEqual(before);
    },
  );

  it.each<[string, string, unknown]>([
    ['title', 'empty', ' '],
    ['title', 'null_not_allowed', null],
    ['content_url', 'invalid_url', 'example.com'],
    ['titel', 'unknown_field', 'Misspelt'],
    ['is_live', 'unknown_field', true],
    ['type', 'unknown_field', 'advertisement'],
    ['id', 'unknown_field', 1],
    ['cohort_rewards', 'unknown_field', {}],
  ])('refuses %s as %s, and the rest of the update with it', async (field, code, value) => {
    const before = await stored();
    expectInvalid(await update({ [field]: value, reward_amount: 77 }), { [field]: code });
    expect(await stored()).toEqual(before);
  });

  it('reports every wrong field at once, a missing post_id included', async () => {
    const fields = { title: '', reward_amount: 0, unknown: 1 };
    expectInvalid(await company.api.patch('/svc/campaign/update', fields), {
      post_id: 'required',
      title: 'empty',
      reward_amount: 'too_small',
      unknown: 'unknown_field',
    });
  });
});
