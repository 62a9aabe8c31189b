import { Big } from 'big.js';
import { placesOf } from '../../access/company/currency.field';
import {
  Interval,
  rounded,
  roundedInterval,
  standardErrors,
} from '../../platform/statistics/interval.rules';
import type { AdjustedDifference } from '../../platform/statistics/covariance.rules';
import { meanAmount } from '../results/tally.rules';
import { meanOf, shareOf } from '../results/shares.rules';
import type { PlatformScoresDto, ScoreDifferenceDto } from './platform-scores.dto';
import { associationsOf, PlatformSums, sumsWith } from './platform-scores.rules';

const HIGHEST_SCORE = 10;
const CENTS = 100;

/** Adjusted probabilities below this one are called a difference. */
const DIFFERS_BELOW = 0.05;

/** Says what the scores of a platform are worth. */
export function describePlatform(
  platform: PlatformSums,
  difference: ScoreDifferenceDto | null,
  currency: string,
): PlatformScoresDto {
  const { n, y, yy } = sumsWith(platform, []);
  const { careful, checked, right, paid, histogram } = platform;
  return {
    platform: platform.platform,
    responses: n,
    attention: {
      ...meanOf(
        { n, sum: y, squaredDeviations: n === 0 ? 0 : Math.max(0, yy - (y * y) / n) },
        { responses: n, size: n, scale: [0, HIGHEST_SCORE] },
      ),
      histogram: histogram.map((count, value) => ({ value, count })),
    },
    associations: associationsOf(platform).map(({ name, responses, correlation, interval }) => ({
      with: name,
      responses,
      correlation: rounded(correlation),
      interval: roundedInterval(interval),
    })),
    right: checked === 0 ? null : { count: right, ...shareOf(right, checked, checked) },
    careful: { count: careful, ...shareOf(careful, n, n) },
    mean_reward: meanAmount(paid / CENTS, n, currency),
    cost_per_careful_response: carefulCost(platform, n, currency),
    difference,
  };
}

/**
 * What a careful response costs: a ratio, whose interval is that of its linear approximation.
 *
 * Source: W. G. Cochran, Sampling Techniques, 3rd edition (1977), section 6.3.
 */
function carefulCost(platform: PlatformSums, n: number, currency: string) {
  const { careful, careful_paid, paid, paid_squares } = platform;
  if (careful === 0 || n < 2) {
    return null;
  }
  const cost = paid / careful;
  const squares = paid_squares - 2 * cost * careful_paid + cost ** 2 * careful;
  const error = Math.sqrt(Math.max(0, squares) / (n * (n - 1))) / (careful / n);
  const half = standardErrors() * error;
  const toUnits = (cents: number) =>
    new Big(cents).div(CENTS).round(placesOf(currency), Big.roundHalfUp).toNumber();
  const interval: Interval = [toUnits(Math.max(0, cost - half)), toUnits(cost + half)];
  return { amount: toUnits(cost), interval };
}

/** A difference as the response has it. */
export function describeDifference(
  found: AdjustedDifference | null,
  responses: number,
): ScoreDifferenceDto | null {
  return (
    found && {
      responses,
      points: rounded(found.difference),
      interval: roundedInterval(found.interval),
      probability: rounded(found.adjusted),
      differs: found.adjusted < DIFFERS_BELOW,
    }
  );
}
