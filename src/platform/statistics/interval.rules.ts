import { betaQuantile } from './beta.rules';

/** A lower and an upper bound. */
export type Interval = [low: number, high: number];

/** Rounds to 6 decimal places. */
export function rounded(value: number): number {
  return Number(value.toFixed(6));
}

export function roundedInterval([low, high]: Interval): Interval {
  return [rounded(low), rounded(high)];
}

/** The confidence of every interval, unless another one is asked for. */
export const CONFIDENCE = 0.95;

/**
 * The value that a standard normal variable stays below with the given probability, to 7 digits.
 *
 * Source: M. J. Wichura, Algorithm AS 241 (PPND7), Applied Statistics 37 (1988), 477–484.
 */
export function normalQuantile(probability: number): number {
  const q = probability - 1 / 2;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return (
      (q * polynomial(r, [3.3871327179, 50.434271938, 159.29113202, 59.10937472])) /
      polynomial(r, [1, 17.895169469, 78.757757664, 67.1875636])
    );
  }
  const r = Math.sqrt(-Math.log(Math.min(probability, 1 - probability)));
  const distance =
    r <= 5
      ? polynomial(r - 1.6, [1.4234372777, 2.75681539, 1.3067284816, 0.17023821103]) /
        polynomial(r - 1.6, [1, 0.7370016425, 0.12021132975])
      : polynomial(r - 5, [6.657905115, 3.081226386, 0.42868294337, 0.017337203997]) /
        polynomial(r - 5, [1, 0.24197894225, 0.012258202635]);
  return Math.sign(q) * distance;
}

/** The normal quantile of a two-sided interval: 1.96 for a confidence of 95 %. */
export function standardErrors(confidence = CONFIDENCE): number {
  return normalQuantile((1 + confidence) / 2);
}

/**
 * The quantile of Student's t distribution of a two-sided interval: 2.776 for a confidence of 95 %
 * and 4 degrees of freedom, which need not be whole. Without any it is infinite.
 *
 * Source: M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions (1964), 26.7.1: the
 * distribution is a beta distribution of v / (v + t²).
 */
export function studentErrors(degreesOfFreedom: number, confidence = CONFIDENCE): number {
  const v = Math.max(0, degreesOfFreedom);
  const part = betaQuantile(1 - confidence, v / 2, 1 / 2);
  return part === 0 ? Infinity : Math.sqrt((v * (1 - part)) / part);
}

/** The value of a polynomial, its coefficients from the constant upwards. */
function polynomial(x: number, coefficients: readonly number[]): number {
  return coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
}
