/*
 * The beta distribution, from which Student's t distribution follows too. Written here because the
 * libraries that have it load hundreds of modules or fail for large parameters.
 */

/**
 * The value that a variable with the beta distribution stays below with the given probability. If
 * a parameter is 0, the variable always has the value at the other end.
 *
 * Newton's method, with bisection where a step would leave the interval that contains the value.
 */
export function betaQuantile(probability: number, a: number, b: number): number {
  if (a <= 0 || b <= 0) {
    return a <= 0 ? 0 : 1;
  }
  const scale = logBeta(a, b);
  let [low, high] = [0, 1];
  let x = a / (a + b);
  for (let step = 0; step < STEPS_MAXIMUM; step++) {
    const excess = betaProbability(x, a, b) - probability;
    [low, high] = excess > 0 ? [low, x] : [x, high];
    const density = Math.exp((a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x) - scale);
    const newton = x - excess / density;
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - x) <= PRECISE * next) {
      return next;
    }
    x = next;
  }
  return x;
}

/** More than the bisections from 1 down to the smallest number. */
const STEPS_MAXIMUM = 1_100;
const PRECISE = 1e-12;

/**
 * The probability that a variable with the beta distribution is less than x: the regularised
 * incomplete beta function.
 *
 * Source: the continued fraction 8.17.22 of the NIST Digital Library of Mathematical Functions.
 */
export function betaProbability(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) {
    return x <= 0 ? 0 : 1;
  }
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b));
  // The fraction converges fast on this side of the mean.
  return x < (a + 1) / (a + b + 2)
    ? (front * fraction(x, a, b)) / a
    : 1 - (front * fraction(1 - x, b, a)) / b;
}

/** The continued fraction of the incomplete beta function, by the method of Lentz. */
function fraction(x: number, a: number, b: number): number {
  let numerator = 1;
  let denominator = 1 / apart(1 - ((a + b) * x) / (a + 1));
  let value = denominator;
  for (let m = 1, factor = 0; Math.abs(factor - 1) > ROUNDING; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    for (const term of [even, odd]) {
      denominator = 1 / apart(1 + term * denominator);
      numerator = apart(1 + term / numerator);
      factor = numerator * denominator;
      value *= factor;
    }
  }
  return value;
}

const ROUNDING = 1e-14;

/** A divisor that is not 0. */
const apart = (divisor: number): number => (Math.abs(divisor) < 1e-300 ? 1e-300 : divisor);

const logBeta = (a: number, b: number): number => logGamma(a) + logGamma(b) - logGamma(a + b);

/**
 * The logarithm of the gamma function, by Stirling's series.
 *
 * Source: 5.11.1 of the NIST Digital Library of Mathematical Functions.
 */
function logGamma(x: number): number {
  let [y, product] = [x, 1];
  for (; y < 10; y++) {
    product *= y;
  }
  const s = 1 / (y * y);
  const series = (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s / 1680))) / y;
  return (y - 0.5) * Math.log(y) - y + Math.log(2 * Math.PI) / 2 + series - Math.log(product);
}
