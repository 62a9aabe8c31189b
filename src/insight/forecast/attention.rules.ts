import { Big } from 'big.js';
import { DRAWS, Draws } from '../../platform/statistics/random.rules';

/** The share of respondents in each of the five cohorts, from the lowest. They sum to 1. */
export type Shares = readonly [number, number, number, number, number];

const MAXIMUM_SCORE = 10;

/** Shares are rounded to this part of 1. */
const SHARE_UNIT = 10_000;

/**
 * Rounds shares to four decimal places so that they sum to 1 again, by the largest remainder: each
 * is rounded down, and those that lose most are rounded up.
 */
export function roundedShares(shares: Shares): Shares {
  const exact = shares.map((share) => share * SHARE_UNIT);
  // An error of floating point is no remainder.
  const units = exact.map((each) => Math.floor(each + 1e-9));
  const missing = SHARE_UNIT - units.reduce((sum, each) => sum + each, 0);
  const byRemainder = exact
    .map((each, cohort) => ({ cohort, remainder: each - (units[cohort] ?? 0) }))
    .toSorted((a, b) => b.remainder - a.remainder);
  for (const { cohort } of byRemainder.slice(0, missing)) {
    units[cohort] = (units[cohort] ?? 0) + 1;
  }
  return units.map((each) => each / SHARE_UNIT) as unknown as Shares;
}

/**
 * Whether a distribution on 0 to 10 with this mean can have this standard deviation. It is largest
 * if every score is 0 or 10, which a beta distribution only comes close to.
 */
export function isBeta(mean: number, spread: number): boolean {
  const largest = new Big(mean).times(new Big(MAXIMUM_SCORE).minus(mean));
  return new Big(spread).times(spread).lt(largest);
}

/**
 * Returns the shares of the cohorts if the scores have a beta distribution on 0 to 10.
 *
 * @param mean of the scores
 * @param spread the standard deviation of the scores; {@link isBeta} holds
 */
export function sharesOfBeta(mean: number, spread: number): Shares {
  const m = mean / MAXIMUM_SCORE;
  const deviation = spread / MAXIMUM_SCORE;
  const size = (m * (1 - m)) / (deviation * deviation) - 1;
  return cohortsOfBeta(m * size, (1 - m) * size);
}

/** Returns the shares of the fifths of 0 to 1 in the beta distribution with these parameters. */
export function cohortsOfBeta(a: number, b: number): Shares {
  const whole = massBelow(0.5, a, b) + massBelow(0.5, b, a);
  const [lowest, lowestTwo] = [massBelow(0.2, a, b) / whole, massBelow(0.4, a, b) / whole];
  const [highest, highestTwo] = [massBelow(0.2, b, a) / whole, massBelow(0.4, b, a) / whole];
  // Rounding can leave less than nothing between two sums.
  const between = (sum: number, part: number) => Math.max(0, sum - part);
  return [
    lowest,
    between(lowestTwo, lowest),
    between(1 - lowestTwo, highestTwo),
    between(highestTwo, highest),
    highest,
  ];
}

/** A sum of terms is complete when the next one is a smaller part of it than this. */
const NEGLIGIBLE = 2 ** -60;

/**
 * Returns the incomplete beta function of `x`, at most 0.5, divided by the density's numerator at
 * the mean, by the series 8.17.8 of the NIST Digital Library of Mathematical Functions. All its
 * terms are positive, so no precision is lost.
 *
 * It uses +, -, ×, ÷ and the square root only, which IEEE 754 rounds the same way everywhere. The
 * results of `Math.pow`, `Math.exp` and `Math.log` differ between engines.
 */
function massBelow(x: number, a: number, b: number): number {
  const size = a + b;
  const mean = a / size;
  let term = 1;
  let sum = 0;
  for (let n = 0; term > sum * NEGLIGIBLE; n += 1) {
    sum += term;
    term *= (x * (size + n)) / (a + 1 + n);
  }
  const scale = power(x / mean, mean) * power((1 - x) / (1 - mean), 1 - mean);
  return (power(scale, size) * sum) / a;
}

/** Binary digits of a fraction that make a difference. */
const FRACTION_BITS = 53;

/** Returns the power of two numbers that are not negative, from squares and square roots. */
function power(base: number, exponent: number): number {
  let result = 1;
  let square = base;
  for (let whole = Math.floor(exponent); whole > 0; whole = Math.floor(whole / 2)) {
    result *= whole % 2 === 1 ? square : 1;
    square *= square;
  }
  let root = base;
  let fraction = exponent % 1;
  for (let bit = 0; bit < FRACTION_BITS; bit += 1) {
    root = Math.sqrt(root);
    fraction *= 2;
    if (fraction >= 1) {
      result *= root;
      fraction -= 1;
    }
  }
  return result;
}

/** What becomes of a respondent: not submitting (0), or submitting in a cohort (1 to 5). */
export type Outcome = 0 | 1 | 2 | 3 | 4 | 5;

/** For each outcome but the last, the first draw that decides for a later one. */
export type OutcomeLimits = readonly [number, number, number, number, number];

/** How many respondents have each of the six outcomes. */
export type OutcomeCounts = [number, number, number, number, number, number];

/** Returns the limits of the outcomes; the likelihood of each is exact to 2^-32. */
export function outcomeLimits(completionRate: number, shares: Shares): OutcomeLimits {
  let below = 1 - completionRate;
  const limitAfter = (share: number) => {
    below += completionRate * share;
    return Math.round(DRAWS * below);
  };
  const [one, two, three, four] = shares;
  return [limitAfter(0), limitAfter(one), limitAfter(two), limitAfter(three), limitAfter(four)];
}

/** Draws the outcome of a respondent. */
export function drawOutcome(draws: Draws, limits: OutcomeLimits): Outcome {
  const draw = draws.next() >>> 0;
  // Sums instead of branches: a processor cannot predict where a draw falls, and loses time.
  return (+(draw >= limits[0]) +
    +(draw >= limits[1]) +
    +(draw >= limits[2]) +
    +(draw >= limits[3]) +
    +(draw >= limits[4])) as Outcome;
}

/** Draws the outcomes of so many respondents, and adds how many have each of them to `counts`. */
export function countOutcomes(
  draws: Draws,
  [none, one, two, three, four]: OutcomeLimits,
  respondents: number,
  counts: OutcomeCounts,
): void {
  let submitted = 0;
  let aboveOne = 0;
  let aboveTwo = 0;
  let aboveThree = 0;
  let aboveFour = 0;
  for (let index = 0; index < respondents; index += 1) {
    const draw = draws.next() >>> 0;
    submitted += +(draw >= none);
    aboveOne += +(draw >= one);
    aboveTwo += +(draw >= two);
    aboveThree += +(draw >= three);
    aboveFour += +(draw >= four);
  }
  counts[0] += respondents - submitted;
  counts[1] += submitted - aboveOne;
  counts[2] += aboveOne - aboveTwo;
  counts[3] += aboveTwo - aboveThree;
  counts[4] += aboveThree - aboveFour;
  counts[5] += aboveFour;
}
