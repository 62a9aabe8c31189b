import { betaQuantile } from './beta.rules';
import { CONFIDENCE, Interval, studentErrors } from './interval.rules';

/** What a mean is computed from; with weights, each of them is weighted. */
export interface Moments {
  n: number;
  sum: number;
  /** The sum of the squared distances from the mean. */
  squaredDeviations: number;
}

/** How much values say, and where they can be. */
export interface Sample {
  /** How many values have a weight. */
  responses: number;
  /** The effective size; without weights it is the number of values. */
  size: number;
  /** The least and the largest value that is possible, if there are such. */
  scale?: Interval;
  confidence?: number;
}

export interface MeanWithInterval {
  /** `null` without values. */
  mean: number | null;
  /** Of the population, estimated from the sample; `null` below 2 values. */
  standardDeviation: number | null;
  /** `null` below {@link MEAN_INTERVAL_FROM} values. */
  interval: Interval | null;
}

/** Fewer values than this say next to nothing about a mean. */
export const MEAN_INTERVAL_FROM = 3;

/**
 * The mean with its interval, and the standard deviation with Bessel's correction. The interval is
 * that of a bounded mean where the scale is known, and Student's otherwise.
 *
 * Source: Student, The probable error of a mean, Biometrika 6 (1908), 1–25.
 */
export function meanWithInterval(
  { n, sum, squaredDeviations }: Moments,
  { responses, size, scale, confidence = CONFIDENCE }: Sample,
): MeanWithInterval {
  if (n <= 0) {
    return { mean: null, standardDeviation: null, interval: null };
  }
  const mean = sum / n;
  const variance = squaredDeviations / n;
  if (responses < 2) {
    return { mean, standardDeviation: null, interval: null };
  }
  const standardDeviation = Math.sqrt((variance * size) / (size - 1));
  if (responses < MEAN_INTERVAL_FROM) {
    return { mean, standardDeviation, interval: null };
  }
  if (scale === undefined) {
    const half = (studentErrors(size - 1, confidence) * standardDeviation) / Math.sqrt(size);
    return { mean, standardDeviation, interval: [mean - half, mean + half] };
  }
  const [least, largest] = scale;
  const width = largest - least;
  const part = Math.min(1, Math.max(0, (mean - least) / width));
  const [low, high] = boundedInterval(part, variance / width ** 2, size, confidence);
  return {
    mean,
    standardDeviation,
    interval: [Math.min(mean, least + width * low), Math.max(mean, least + width * high)],
  };
}

/**
 * The interval of the mean of values from 0 to 1. For values that are 0 or 1 it is that of Clopper
 * and Pearson. It holds where values pile up at an end, and stays on the scale, because each bound
 * counts one more value: the worst one that is possible.
 *
 * The upper bound is the quantile of the mean in which each value, and a further one of 1, has a
 * random weight (a Dirichlet distribution, all of whose parameters are 1). The beta distribution
 * with the mean and the variance of that random mean takes its place; it is the same where values
 * are 0 or 1. The lower bound mirrors it.
 *
 * Sources: N. Gaffke, Three test statistics for a nonparametric one-sided hypothesis on the mean of
 * a nonnegative variable, Mathematical Methods of Statistics 14 (2005), 451–467; E. Learned-Miller
 * and P. S. Thomas, A new confidence interval for the mean of a bounded random variable,
 * arXiv:1905.06208 (2019); with weights, the effective size takes the place of the number, as in E.
 * L. Korn and B. I. Graubard, Confidence intervals for proportions with small expected number of
 * positive counts estimated from survey data, Survey Methodology 24 (1998), 193–201.
 *
 * @param variance of these values, not of the population
 */
function boundedInterval(
  mean: number,
  variance: number,
  size: number,
  confidence: number,
): Interval {
  const upper = (each: number) => {
    const centre = (size * each + 1) / (size + 1);
    const squares = size * variance + (size / (size + 1)) * (1 - each) ** 2;
    const spread = squares / ((size + 1) * (size + 2));
    const weight = (centre * (1 - centre)) / spread - 1;
    return spread > 0
      ? betaQuantile((1 + confidence) / 2, centre * weight, (1 - centre) * weight)
      : 1;
  };
  return [1 - upper(1 - mean), upper(mean)];
}
