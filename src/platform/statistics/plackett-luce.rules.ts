import { rounded } from './interval.rules';
import { sumOf } from './linear-algebra.rules';

/** Options in an order, the best first; those that are missing come after all of them. */
export interface Ranking {
  /** The options, from 0. */
  order: readonly number[];
  /** How often it was given, or the sum of the weights. */
  count: number;
}

export interface Worth {
  /** The probability to be chosen first; those of all options add up to 1. */
  strength: number;
  /** From 1; strengths that are equal as results print them share a rank. */
  rank: number;
}

/**
 * The shape of the Gamma prior of each strength, as for compared images: half a choice of each
 * option out of all of them, so that strengths stay above 0. 1 would be no prior.
 */
const SHAPE = 1.5;

const STEPS_MAXIMUM = 200;
/** A change this small, relative to the strength, is the last one. */
const PRECISE = 1e-7;

/**
 * Plackett–Luce strengths: a respondent chooses the best option with a probability in proportion to
 * its strength, then the next one among those that are left, and so on. The estimate is the maximum
 * a posteriori, by a minorize–maximize algorithm: each strength is the number of times that its
 * option was chosen, by the sum of 1 / (the strengths of all that were left) over the choices in
 * which it was there.
 *
 * Sources: R. L. Plackett, The analysis of permutations, Applied Statistics 24 (1975), 193–202;
 * D. R. Hunter, MM algorithms for generalized Bradley–Terry models, The Annals of Statistics 32
 * (2004), 384–406; with the prior, F. Caron and A. Doucet, Journal of Computational and Graphical
 * Statistics 21 (2012), 174–196.
 *
 * @param options how many there are
 */
export function plackettLuce(
  options: number,
  rankings: readonly Ranking[],
  { shape = SHAPE }: { shape?: number } = {},
): Worth[] {
  const chosen = Array.from({ length: options }, () => shape - 1);
  for (const { order, count } of rankings) {
    // The last of all options is no choice.
    for (const option of order.slice(0, options - 1)) {
      chosen[option] = (chosen[option] ?? 0) + count;
    }
  }
  let strengths = chosen.map(() => 1 / options);
  for (let step = 0; step < STEPS_MAXIMUM; step++) {
    const exposure = exposureOf(strengths, rankings, options * (shape - 1));
    const raised = chosen.map((times, option) => times / (exposure[option] ?? 1));
    const all = sumOf(raised);
    const next = raised.map((each) => each / all);
    const change = Math.max(
      ...next.map((each, option) => Math.abs(each / (strengths[option] ?? 1) - 1)),
    );
    strengths = next;
    if (!(change > PRECISE)) {
      break;
    }
  }
  return strengths.map((strength) => ({
    strength,
    rank: 1 + strengths.filter((other) => rounded(other) > rounded(strength)).length,
  }));
}

/**
 * The sum of 1 / (the strengths of what was left) over the choices in which each option was there.
 *
 * @param prior how many choices out of all options the prior adds
 */
function exposureOf(
  strengths: readonly number[],
  rankings: readonly Ranking[],
  prior: number,
): number[] {
  const missed = strengths.map(() => 0);
  let everywhere = prior;
  for (const { order, count } of rankings) {
    const choices = Math.min(order.length, strengths.length - 1);
    // From the last choice back, sums of what was left lose no digits.
    const ranked = new Set(order);
    let left = sumOf(strengths.filter((_, option) => !ranked.has(option)));
    for (const option of order.slice(choices)) {
      left += strengths[option] ?? 0;
    }
    let after = 0;
    for (let place = choices - 1; place >= 0; place--) {
      const option = order[place] ?? 0;
      left += strengths[option] ?? 0;
      missed[option] = (missed[option] ?? 0) + after;
      after += count / left;
    }
    everywhere += after;
  }
  return missed.map((each) => everywhere - each);
}
