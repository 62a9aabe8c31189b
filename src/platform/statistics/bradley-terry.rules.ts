import { CONFIDENCE, Interval, rounded, studentErrors } from './interval.rules';
import { at, dot, inverse, Matrix, rowOf, sumOf, times, weightedSum } from './linear-algebra.rules';
import { effectiveSize, Stratum, weightedCount } from './share.rules';

/**
 * The shape of the Gamma prior of each strength. Its mode adds half a preference for each image
 * over all images together, so that strengths stay finite and above 0; 1 would be no prior.
 */
const SHAPE = 1.5;

/** How much respondents differ is not known from fewer. */
export const STRENGTH_INTERVAL_FROM = 5;

const STEPS_MAXIMUM = 100;
/** A step this small is the last one: each error is about the square of the one before. */
const PRECISE = 1e-7;

/**
 * What all comparisons of responses with the same weight add up to. Every number is a sum over the
 * responses, so a response can be added and taken out again.
 */
export interface Comparisons {
  /** The weight of each of these responses; their scale has no influence. */
  weight: number;
  responses: number;
  /** `wins[i][j]`: how often image i was preferred to image j. */
  wins: Matrix;
  /**
   * `products[i][j]`: the sum over the responses of (wins of image i) × (wins of image j), where
   * each response compared every pair once.
   */
  products: Matrix;
}

export interface Strength {
  /** From 0 to 1; the strengths of all images add up to 1. */
  strength: number;
  /** `null` below {@link STRENGTH_INTERVAL_FROM} respondents. */
  interval: Interval | null;
  /** From 1; strengths that are equal as results print them share a rank. */
  rank: number;
}

/**
 * Bradley–Terry strengths: image i is preferred to image j with probability
 * strength_i / (strength_i + strength_j).
 *
 * The estimate is the maximum a posteriori with a Gamma prior, by Newton's method on logarithms.
 * The interval is on the scale of log-odds. Its variance is the larger one of two: that of
 * independent comparisons, and that clustered by respondent (the sandwich estimator), because the
 * comparisons of one person resemble each other, but a few who all agree prove little. It has the
 * quantile of Student's distribution, because the variance is estimated from so many respondents.
 *
 * Sources: R. A. Bradley and M. E. Terry, Rank analysis of incomplete block designs, Biometrika 39
 * (1952), 324–345; F. Caron and A. Doucet, Efficient Bayesian inference for generalized
 * Bradley–Terry models, Journal of Computational and Graphical Statistics 21 (2012), 174–196; K.-Y.
 * Liang and S. L. Zeger, Longitudinal data analysis …, Biometrika 73 (1986), 13–22.
 *
 * @param strata at least one; all compare the same images
 */
export function bradleyTerry(
  strata: readonly Comparisons[],
  { shape = SHAPE, confidence = CONFIDENCE }: { shape?: number; confidence?: number } = {},
): Strength[] {
  const scaled = withPlainScale(strata);
  const wins = weightedSum(scaled.map(({ weight, wins: each }) => [weight, each]));
  const abilities = maximize(wins, shape);
  const strengths = normalize(abilities);
  const { bread, meats } = sandwich(scaled, abilities, shape);
  const respondents = sumOf(counted(strata).map(({ count }) => count));
  const distance = studentErrors(effectiveSize(counted(strata)) - 1, confidence);
  return strengths.map((strength, image) => {
    const others = 1 - strength;
    const gradient = strengths.map((other, index) => (index === image ? 1 : -other / others));
    const influence = times(bread, gradient);
    const variance = Math.max(...meats.map((meat) => dot(influence, times(meat, influence))));
    const logOdds = Math.log(strength / others);
    const half = distance * Math.sqrt(variance);
    const low = Math.min(strength, logistic(logOdds - half));
    const high = Math.max(strength, logistic(logOdds + half));
    return {
      strength,
      interval: respondents < STRENGTH_INTERVAL_FROM ? null : [low, high],
      rank: 1 + strengths.filter((other) => rounded(other) > rounded(strength)).length,
    };
  });
}

const counted = (strata: readonly Comparisons[]): Stratum[] =>
  strata
    .filter(({ weight }) => weight > 0)
    .map(({ weight, responses }) => ({ weight, count: responses }));

/** Scales weights so that they add up to the effective size: only then do they suit the prior. */
function withPlainScale(strata: readonly Comparisons[]): Comparisons[] {
  const total = weightedCount(counted(strata));
  const factor = total === 0 ? 1 : effectiveSize(counted(strata)) / total;
  return strata.map((each) => ({ ...each, weight: each.weight * factor }));
}

/** The logarithms of the strengths, with a sum of 0. */
function maximize(wins: Matrix, shape: number): number[] {
  let abilities = wins.map(() => 0);
  for (let step = 0; step < STEPS_MAXIMUM; step++) {
    const information = weightedSum([
      [1, comparisonInformation(wins, abilities)],
      [1, priorInformation(abilities, shape)],
    ]);
    const change = times(inverse(regular(information)), gradientOf(wins, abilities, shape));
    abilities = improve(wins, abilities, change, shape);
    if (Math.max(...change.map(Math.abs)) < PRECISE) {
      break;
    }
  }
  return abilities;
}

/** Takes a step, or the largest part of it, halved again and again, that improves the estimate. */
function improve(
  wins: Matrix,
  abilities: readonly number[],
  change: readonly number[],
  shape: number,
): number[] {
  const reached = posterior(wins, abilities, shape);
  // The last steps are too small to show in the density.
  const rounding = Math.abs(reached) * 1e-12;
  for (let part = 1; part > PRECISE; part /= 2) {
    const next = abilities.map((ability, index) => ability + part * at(change, index));
    if (posterior(wins, next, shape) >= reached - rounding) {
      return next;
    }
  }
  return [...abilities];
}

/** The logarithm of the posterior density, besides a constant. */
function posterior(wins: Matrix, abilities: readonly number[], shape: number): number {
  const images = wins.length;
  const likelihood = wins.map((row, i) =>
    dot(
      row,
      abilities.map((other) => -Math.log1p(Math.exp(other - at(abilities, i)))),
    ),
  );
  const largest = Math.max(...abilities);
  const all = largest + Math.log(sumOf(abilities.map((each) => Math.exp(each - largest))));
  return sumOf(likelihood) + (shape - 1) * (sumOf(abilities) - images * all);
}

function gradientOf(wins: Matrix, abilities: readonly number[], shape: number): number[] {
  const strengths = normalize(abilities);
  return abilities.map((ability, i) => {
    const surprise = abilities.map((other, j) =>
      i === j
        ? 0
        : at(rowOf(wins, i), j) -
          (at(rowOf(wins, i), j) + at(rowOf(wins, j), i)) * logistic(ability - other),
    );
    return sumOf(surprise) + (shape - 1) * (1 - abilities.length * at(strengths, i));
  });
}

/** What the comparisons say about the abilities: minus the second derivatives. */
function comparisonInformation(wins: Matrix, abilities: readonly number[]): number[][] {
  const off = abilities.map((ability, i) =>
    abilities.map((other, j) =>
      i === j
        ? 0
        : (at(rowOf(wins, i), j) + at(rowOf(wins, j), i)) *
          logistic(ability - other) *
          logistic(other - ability),
    ),
  );
  return off.map((row, i) => row.map((each, j) => (i === j ? sumOf(row) : -each)));
}

function priorInformation(abilities: readonly number[], shape: number): number[][] {
  const strengths = normalize(abilities);
  const count = (shape - 1) * abilities.length;
  return strengths.map((a, i) => strengths.map((b, j) => count * ((i === j ? a : 0) - a * b)));
}

/**
 * The covariance of the abilities is bread × meat × bread. The first meat is that of independent
 * comparisons, the second that of responses, if there are several.
 */
function sandwich(
  strata: readonly Comparisons[],
  abilities: readonly number[],
  shape: number,
): { bread: Matrix; meats: Matrix[] } {
  const prior = priorInformation(abilities, shape);
  const parts = strata.map(({ weight, wins }): [number, Matrix] => [
    weight,
    comparisonInformation(wins, abilities),
  ]);
  const bread = inverse(regular(weightedSum([[1, prior], ...parts])));
  const independent = weightedSum([
    [1, prior],
    ...parts.map(([weight, part]): [number, Matrix] => [weight * weight, part]),
  ]);
  const size = effectiveSize(counted(strata));
  const clustered = strata.map(({ weight, ...each }): [number, Matrix] => [
    (weight * weight * size) / (size - 1),
    scoreProducts(each, abilities),
  ]);
  return { bread, meats: size > 1 ? [independent, weightedSum(clustered)] : [independent] };
}

/** The sum over the responses of the outer product of (wins − expected wins) with itself. */
function scoreProducts(
  { responses, wins, products }: Omit<Comparisons, 'weight'>,
  abilities: readonly number[],
): number[][] {
  const won = wins.map(sumOf);
  const expected = abilities.map(
    (ability, i) =>
      sumOf(abilities.map((other) => logistic(ability - other))) -
      logistic(ability - at(abilities, i)),
  );
  return products.map((row, i) =>
    row.map(
      (each, j) =>
        each -
        at(expected, i) * at(won, j) -
        at(won, i) * at(expected, j) +
        responses * at(expected, i) * at(expected, j),
    ),
  );
}

/** Only differences of abilities are determined. This fixes their sum: they become invertible. */
function regular(matrix: Matrix): number[][] {
  const trace = sumOf(matrix.map((row, index) => at(row, index)));
  const constant = trace / matrix.length ** 2 || 1;
  return matrix.map((row) => row.map((each) => each + constant));
}

function normalize(abilities: readonly number[]): number[] {
  const largest = Math.max(...abilities);
  const powers = abilities.map((ability) => Math.exp(ability - largest));
  const all = sumOf(powers);
  return powers.map((power) => power / all);
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
