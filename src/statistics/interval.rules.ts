/** A lower and an upper bound. */
export type Interval = [low: number, high: number];

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
 * Source: the exact formulas for 1 and 2 degrees of freedom; for others the expansion 26.7.5 of
 * M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions (1964), correct to 0.5 %.
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
  return z * polynomial(1 / v, terms);
}

/** The value of a polynomial, its coefficients from the constant upwards. */
function polynomial(x: number, coefficients: readonly number[]): number {
  return coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
}
