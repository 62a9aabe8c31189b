import { Big } from 'big.js';
import { placesOf } from '../../access/company/currency.field';
import type { Problem } from '../../platform/validation/fields/field';
import type { CohortRewards } from '../campaign/cohort-ladder.rules';

/** The expected share of respondents in each cohort; five numbers that sum to 1. */
export type CohortShares = readonly [number, number, number, number, number];

export const WARNING_CODES = ['lower_cohort_paid_more'] as const;

export type WarningCode = (typeof WARNING_CODES)[number];

/** A reward that the client may not have intended. */
export interface RewardWarning {
  code: WarningCode;
  message: string;
}

/** Checks that shares sum to 1; each share is valid in itself. */
export function checkShares(shares: CohortShares): Problem[] {
  const sum = shares.reduce((total, share) => total.plus(share), new Big(0));
  return sum.eq(1)
    ? []
    : [{ code: 'sum_not_one', message: `must sum to 1, but sum to ${sum.toFixed()}` }];
}

/**
 * Returns the expected cost of a response, as an exact decimal rounded half up to the currency's
 * places.
 */
export function expectedCost(
  rewards: CohortRewards,
  shares: CohortShares,
  currency: string,
): string {
  return rewards
    .reduce(
      (total, reward, cohort) => total.plus(new Big(reward).times(shares[cohort] ?? 0)),
      new Big(0),
    )
    .toFixed(placesOf(currency), Big.roundHalfUp);
}

/** Returns a warning for each cohort that is paid less than a lower one. */
export function warnOfRewards(rewards: CohortRewards): RewardWarning[] {
  const amounts = rewards.map((reward) => new Big(reward));
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
