import { Big } from 'big.js';
import { CohortRewards } from './cohort-rewards.columns';

/** Minimum reward of the lowest cohort, and its default (section 2.3). */
export const COHORT_1_MINIMUM = 3;

/** Formats an amount of money as it is stored: an exact decimal with two places. */
export function toDecimal(amount: number): string {
  return new Big(amount).toFixed(2);
}

/**
 * The default cohort rewards for a campaign (section 2.3): 100, 80, 60 and 40 percent of the
 * reward for cohorts 5 to 2, rounded half up to two places, and a fixed 3 for cohort 1.
 *
 * @param rewardAmount an exact decimal with at most two places, such as `"99.99"`
 */
export function defaultCohortRewards(rewardAmount: string): CohortRewards {
  const share = (fraction: string) =>
    new Big(rewardAmount).times(fraction).round(2, Big.roundHalfUp).toFixed(2);
  return {
    cohort1Reward: toDecimal(COHORT_1_MINIMUM),
    cohort2Reward: share('0.4'),
    cohort3Reward: share('0.6'),
    cohort4Reward: share('0.8'),
    cohort5Reward: share('1'),
  };
}
