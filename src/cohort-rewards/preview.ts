import { Big } from 'big.js';
import type { Problem } from '../http/fields/field';
import type { CohortRewards } from './cohort-rewards.entity';

/** The share of respondents that is expected in each cohort; five numbers that sum to 1. */
export type CohortShares = readonly [number, number, number, number, number];

/** Something about a reward that its client may not have meant. */
export interface RewardWarning {
  code: 'lower_cohort_paid_more';
  message: string;
}

function lowestFirst(rewards: CohortRewards): readonly Big[] {
  return [
    rewards.cohort1Reward,
    rewards.cohort2Reward,
    rewards.cohort3Reward,
    rewards.cohort4Reward,
    rewards.cohort5Reward,
  ].map((reward) => new Big(reward));
}

/** What is wrong with shares, each of which is right in itself. */
export function checkShares(shares: CohortShares): Problem[] {
  const sum = shares.reduce((total, share) => total.plus(share), new Big(0));
  return sum.eq(1)
    ? []
    : [{ code: 'sum_not_one', message: `must sum to 1, but sum to ${sum.toFixed()}` }];
}

/**
 * What a response is expected to cost, as an exact decimal rounded half up to two places.
 */
export function expectedCost(rewards: CohortRewards, shares: CohortShares): string {
  return lowestFirst(rewards)
    .reduce((total, reward, cohort) => total.plus(reward.times(shares[cohort] ?? 0)), new Big(0))
    .toFixed(2, Big.roundHalfUp);
}

/** A warning for each cohort that would be paid less than one below it. */
export function warnOfRewards(rewards: CohortRewards): RewardWarning[] {
  const amounts = lowestFirst(rewards);
  return amounts.flatMap((higher, index) => {
    const lowerIndex = amounts.findIndex((lower, below) => below < index && lower.gt(higher));
    const lower = amounts[lowerIndex];
    return lower === undefined
      ? []
      : [
          {
            code: 'lower_cohort_paid_more' as const,
            message: `Cohort ${lowerIndex + 1} would be paid ${lower.toFixed()}, more than cohort ${index + 1} with ${higher.toFixed()}.`,
          },
        ];
  });
}
