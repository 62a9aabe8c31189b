import { placesOf } from '../../access/company/currency.field';

/**
 * The rewards of the five attention cohorts (section 2.3), from the lowest: attention scores 0–2,
 * 2–4, 4–6, 6–8 and 8–10, each an exact decimal such as `"79.20"`. The last one is the campaign's
 * `reward_amount`.
 */
export type CohortRewards = readonly [string, string, string, string, string];

/** Minimum reward of the lowest cohort, and its default (section 2.3). */
export const COHORT_1_MINIMUM = 3;

/**
 * Formats an amount of money as it is stored: an exact decimal with two places.
 *
 * @param amount with at most two places, as every money field has, so no digit is lost
 */
export function toDecimal(amount: number): string {
  return amount.toFixed(2);
}

/**
 * The default cohort rewards for a campaign (section 2.3): 100, 80, 60 and 40 percent of the
 * reward for cohorts 5 to 2, rounded half up to the currency's places, and a fixed 3 for cohort 1.
 * It counts in minor units, whole numbers that a double holds exactly.
 *
 * @param rewardAmount an exact decimal with at most the currency's places, such as `"99.99"`
 */
export function defaultCohortRewards(rewardAmount: string, currency: string): CohortRewards {
  const units = 10 ** placesOf(currency);
  const amount = Math.round(Number(rewardAmount) * units);
  const share = (percent: number) => toDecimal(Math.floor((amount * percent + 50) / 100) / units);
  return [toDecimal(COHORT_1_MINIMUM), share(40), share(60), share(80), share(100)];
}
