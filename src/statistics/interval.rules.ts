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
 * and 4 degrees of freedom. Parts of a degree are ignored, which makes the interval wider.
 *
 * Source: M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions (1964): the expansion
 * 26.7.5, which for few degrees of freedom is only the start of a search in the exact distribution.
 *
 * @param degreesOfFreedom at least 1
 */
export function studentErrors(degreesOfFreedom: number, confidence = CONFIDENCE): number {
  const v = Math.floor(degreesOfFreedom + Number.EPSILON * degreesOfFreedom * 8);
  if (v === 1) {
    return Math.tan((confidence * Math.PI) / 2);
  }
  if (v === 2) {
    return confidence * Math.sqrt(2 / (1 - confidence * confidence));
  }
  const z = standardErrors(confidence);
  const square = z * z;
  const terms = [
    1,
    polynomial(square, [1, 1]) / 4,
    polynomial(square, [3, 16, 5]) / 96,
    polynomial(square, [-15, 17, 19, 3]) / 384,
    polynomial(square, [-945, -1920, 1482, 776, 79]) / 92_160,
  ];
  const expansion = z * polynomial(1 / v, terms);
  return v > EXPANDED_FROM ? expansion : search((t) => studentWithin(t, v) - confidence, expansion);
}

/** Degrees of freedom above which the expansion is correct to 6 digits. */
const EXPANDED_FROM = 30;

/**
 * The probability that Student's variable lies between -t and t.
 *
 * Source: 26.7.3 and 26.7.4 of the same handbook.
 */
function studentWithin(t: number, v: number): number {
  const square = v / (v + t * t);
  const isOdd = v % 2 === 1;
  let term = isOdd ? Math.sqrt(square) : 1;
  let sum = term;
  for (let j = isOdd ? 1 : 0; j < v - 2; j += 2) {
    term *= (square * (j + 1)) / (j + 2);
    sum += term;
  }
  const sine = t / Math.sqrt(v + t * t);
  return isOdd ? (2 / Math.PI) * (Math.atan(t / Math.sqrt(v)) + sine * sum) : sine * sum;
}

/** Where an increasing function is 0, by the secant method, from a place close to it. */
function search(f: (x: number) => number, start: number): number {
  let [before, x] = [start * 1.01, start];
  for (let y = f(x), last = f(before); Math.abs(x - before) > 1e-9 * x && y !== last;) {
    [before, x] = [x, x - (y * (x - before)) / (y - last)];
    [last, y] = [y, f(x)];
  }
  return x;
}

/** The value of a polynomial, its coefficients from the constant upwards. */
function polynomial(x: number, coefficients: readonly number[]): number {
  return coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
}
