import { CONFIDENCE, Interval, standardErrors } from './interval.rules';

/**
 * The score interval of a share, which stays in [0, 1] and holds for shares near 0 and 1 as well.
 * Without trials it is everything: [0, 1].
 *
 * Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference,
 * Journal of the American Statistical Association 22 (1927), 209–212.
 *
 * @param successes from 0 to `n`
 * @param n the number of trials, or an {@link effectiveSize}; need not be whole
 */
export function wilson(successes: number, n: number, confidence = CONFIDENCE): Interval {
  if (n <= 0) {
    return [0, 1];
  }
  const share = successes / n;
  const square = standardErrors(confidence) ** 2;
  const centre = (successes + square / 2) / (n + square);
  const half = Math.sqrt(square * (successes * (1 - share) + square / 4)) / (n + square);
  return [Math.max(0, Math.min(share, centre - half)), Math.min(1, Math.max(share, centre + half))];
}

/** Responses that have the same weight. */
export interface Stratum {
  weight: number;
  count: number;
}

/** The sum of the weights of all responses. */
export function weightedCount(strata: readonly Stratum[]): number {
  return strata.reduce((sum, { weight, count }) => sum + weight * count, 0);
}

/**
 * How many responses of equal weight would be as precise as these: (Σ w)² / Σ w² over all
 * responses. It does not depend on the scale of the weights. 0 without responses, or if all weights
 * are 0.
 *
 * Source: L. Kish, Survey Sampling (1965), section 11.7; Weighting for unequal Pi, Journal of
 * Official Statistics 8 (1992), 183–200.
 */
export function effectiveSize(strata: readonly Stratum[]): number {
  const squares = strata.reduce((sum, { weight, count }) => sum + weight * weight * count, 0);
  return squares === 0 ? 0 : weightedCount(strata) ** 2 / squares;
}
