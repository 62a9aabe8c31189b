import { CONFIDENCE, Interval, studentErrors } from './interval.rules';

/** What a mean is computed from; with weights, each of them is weighted. */
export interface Moments {
  n: number;
  sum: number;
  /** The sum of the squared distances from the mean. */
  squaredDeviations: number;
}

export interface MeanWithInterval {
  /** `null` without values. */
  mean: number | null;
  /** Of the population, estimated from the sample; `null` below 2 values. */
  standardDeviation: number | null;
  /** `null` below 2 values. */
  interval: Interval | null;
}

/**
 * The mean with its interval by Student's t distribution, and the standard deviation with Bessel's
 * correction.
 *
 * Source: Student, The probable error of a mean, Biometrika 6 (1908), 1–25.
 *
 * @param size the effective size, where weights are given
 */
export function meanWithInterval(
  { n, sum, squaredDeviations }: Moments,
  size = n,
  confidence = CONFIDENCE,
): MeanWithInterval {
  if (n <= 0) {
    return { mean: null, standardDeviation: null, interval: null };
  }
  const mean = sum / n;
  // An effective size of 2 can be a little less in floating point.
  if (size < 2 - 1e-9) {
    return { mean, standardDeviation: null, interval: null };
  }
  const variance = ((squaredDeviations / n) * size) / (size - 1);
  const half = studentErrors(Math.max(1, size - 1), confidence) * Math.sqrt(variance / size);
  return {
    mean,
    standardDeviation: Math.sqrt(variance),
    interval: [mean - half, mean + half],
  };
}
