import { betaProbability } from './beta.rules';
import { CONFIDENCE, Interval, studentErrors } from './interval.rules';
import { wilson } from './share.rules';

/** So many of so many; with weights, of an effective size. Neither need be whole. */
export interface Proportion {
  successes: number;
  n: number;
}

/**
 * The interval of the difference of two independent shares, a - b, by Wilson's interval of each. It
 * stays within [-1, 1] and holds for small numbers and for shares near 0 and 1. Without trials on
 * one side it is what the other side leaves open.
 *
 * Source: R. G. Newcombe, Interval estimation for the difference between independent proportions,
 * Statistics in Medicine 17 (1998), 873–890, method 10.
 */
export function newcombe(a: Proportion, b: Proportion, confidence = CONFIDENCE): Interval {
  const [p, q] = [shareOf(a), shareOf(b)];
  const [lowA, highA] = wilson(a.successes, a.n, confidence);
  const [lowB, highB] = wilson(b.successes, b.n, confidence);
  return [p - q - Math.hypot(p - lowA, highB - q), p - q + Math.hypot(highA - p, q - lowB)];
}

const shareOf = ({ successes, n }: Proportion): number => (n > 0 ? successes / n : 0);

/**
 * The probability of a difference at least as large between two independent shares that are equal
 * in truth: the two-sided score test, whose square is Pearson's χ² of the two by two table. 1
 * without trials, or if both shares are 0 or 1.
 *
 * Source: K. Pearson, Philosophical Magazine 50 (1900), 157–175.
 */
export function shareDifferenceProbability(a: Proportion, b: Proportion): number {
  const pooled = (a.successes + b.successes) / (a.n + b.n);
  const variance = pooled * (1 - pooled) * (1 / a.n + 1 / b.n);
  return a.n > 0 && b.n > 0 && variance > 0
    ? normalTails((shareOf(a) - shareOf(b)) / Math.sqrt(variance))
    : 1;
}

/** A mean with the sample's standard deviation; with weights, `size` is an effective size. */
export interface SampleMean {
  mean: number;
  standardDeviation: number;
  size: number;
}

/**
 * The difference of two independent means, with its interval and the probability of one at least as
 * large between equal means. `null` below two values on one side, or if none differ.
 *
 * Sources: B. L. Welch, Biometrika 34 (1947), 28–35; F. E. Satterthwaite, Biometrics Bulletin 2
 * (1946), 110–114.
 */
export function welch(
  a: SampleMean,
  b: SampleMean,
  confidence = CONFIDENCE,
): { degreesOfFreedom: number; t: number; interval: Interval; probability: number } | null {
  const [partA, partB] = [a, b].map((each) => each.standardDeviation ** 2 / each.size);
  if (a.size <= 1 || b.size <= 1 || partA === undefined || partB === undefined) {
    return null;
  }
  const variance = partA + partB;
  if (!(variance > 0)) {
    return null;
  }
  const difference = a.mean - b.mean;
  const error = Math.sqrt(variance);
  const degreesOfFreedom = variance ** 2 / (partA ** 2 / (a.size - 1) + partB ** 2 / (b.size - 1));
  const half = studentErrors(degreesOfFreedom, confidence) * error;
  const t = difference / error;
  return {
    degreesOfFreedom,
    t,
    interval: [difference - half, difference + half],
    probability: studentTails(t, degreesOfFreedom),
  };
}

/** The probability that a standard normal variable is at least this far from 0. */
export function normalTails(z: number): number {
  const x = Math.abs(z);
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  return x < SERIES_BELOW ? 1 - 2 * density * series(x) : 2 * density * fraction(x);
}

const SERIES_BELOW = 3;
const FRACTION_TERMS = 60;

/** Source: M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions (1964), 26.2.11. */
function series(x: number): number {
  let [sum, term] = [0, x];
  for (let odd = 3; term > Number.EPSILON * sum; odd += 2) {
    sum += term;
    term *= (x * x) / odd;
  }
  return sum;
}

/** Source: the same, 26.2.14. */
function fraction(x: number): number {
  let value = x;
  for (let term = FRACTION_TERMS; term > 0; term--) {
    value = x + term / value;
  }
  return 1 / value;
}

/** The probability that a variable with Student's t distribution is at least this far from 0. */
export function studentTails(t: number, degreesOfFreedom: number): number {
  return t === 0
    ? 1
    : betaProbability(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 1 / 2);
}

/**
 * Adjusts the probabilities of several tests so that the chance of any false one among those that
 * are at most α is at most α, whatever depends on what.
 *
 * Source: S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of
 * Statistics 6 (1979), 65–70.
 */
export function holm(probabilities: readonly number[]): number[] {
  const ascending = probabilities.map((_, index) => index);
  ascending.sort((a, b) => (probabilities[a] ?? 0) - (probabilities[b] ?? 0));
  const adjusted = new Array<number>(probabilities.length).fill(1);
  let largest = 0;
  for (const [rank, index] of ascending.entries()) {
    largest = Math.max(largest, (probabilities[index] ?? 0) * (probabilities.length - rank));
    adjusted[index] = Math.min(1, largest);
  }
  return adjusted;
}
