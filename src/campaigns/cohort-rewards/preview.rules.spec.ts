import * as fc from 'fast-check';
import { defaultCohortRewards } from '../campaign/cohort-ladder.rules';
import { checkShares, CohortShares, expectedCost, warnOfRewards } from './preview.rules';

const MILLION = 1_000_000;

/** Five whole numbers of millionths that sum to a million. */
const parts = fc
  .array(fc.integer({ min: 0, max: MILLION }), { minLength: 4, maxLength: 4 })
  .map((cuts) => [0, ...cuts.sort((a, b) => a - b), MILLION])
  .map((marks) => marks.slice(1).map((mark, index) => mark - marks[index]!));

const toShares = (millionths: number[]) =>
  millionths.map((part) => part / MILLION) as unknown as CohortShares;

const cents = fc.integer({ min: 1, max: 100_000_000_000 });

const toAmount = (amount: number | bigint) => {
  const digits = String(amount).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

const rewardsOf = (amount: number) => defaultCohortRewards(toAmount(amount), 'EUR');

describe('the expected cost per response', () => {
  it('is the exact mean of the rewards, rounded half up to cents', () => {
    fc.assert(
      fc.property(cents, parts, (amount, millionths) => {
        const rewards = rewardsOf(amount);
        const total = rewards
          .map((reward, index) => BigInt(reward.replace('.', '')) * BigInt(millionths[index]!))
          .reduce((sum, part) => sum + part);
        const rounded = (total + BigInt(MILLION / 2)) / BigInt(MILLION);
        expect(expectedCost(rewards, toShares(millionths), 'EUR')).toBe(toAmount(rounded));
      }),
    );
  });

  it('is the reward of the only cohort that is expected', () => {
    expect(expectedCost(rewardsOf(10_000), [0, 0, 1, 0, 0], 'EUR')).toBe('60.00');
  });
});

describe('the validation of cohort shares', () => {
  it('accepts any values that sum to exactly 1', () => {
    fc.assert(
      fc.property(parts, (millionths) => expect(checkShares(toShares(millionths))).toEqual([])),
    );
    expect(checkShares([0.1, 0.2, 0.3, 0.3, 0.1])).toEqual([]);
  });

  it('refuses values whose sum is off by a millionth', () => {
    expect(checkShares([0.2, 0.2, 0.2, 0.2, 0.200001])).toEqual([
      { code: 'sum_not_one', message: 'must sum to 1, but sum to 1.000001' },
    ]);
    expect(checkShares([0.2, 0.2, 0.2, 0.2, 0.199999])).toMatchObject([{ code: 'sum_not_one' }]);
  });
});

describe('the warning about rewards (section 2.3)', () => {
  it('is absent for a reward of 7.5 or more, where cohort 2 gets at least the fixed 3 of cohort 1', () => {
    fc.assert(
      fc.property(fc.integer({ min: 750, max: 100_000_000_000 }), (amount) =>
        expect(warnOfRewards(rewardsOf(amount))).toEqual([]),
      ),
    );
  });

  it('names every cohort that is paid less than a lower one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 748 }), (amount) => {
        const rewards = rewardsOf(amount);
        const underpaid = rewards.filter((reward) => Number(reward) < 3);
        expect(underpaid.length).toBeGreaterThan(0);
        expect(warnOfRewards(rewards)).toHaveLength(underpaid.length);
      }),
    );
  });

  it('compares the rewards as they are paid: 40% of 7.49 is 3.00', () => {
    expect(warnOfRewards(rewardsOf(749))).toEqual([]);
    expect(warnOfRewards(rewardsOf(748))).toEqual([
      {
        code: 'lower_cohort_paid_more',
        message: 'Cohort 1 would be paid 3, more than cohort 2 with 2.99.',
      },
    ]);
  });
});
