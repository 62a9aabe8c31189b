import { Big } from 'big.js';
import type { Scale } from '../../campaigns/campaign/image-survey.rules';
import { drawBelow, Draws, DRAWS } from '../../platform/statistics/random.rules';

/**
 * A preference is one of the squares from 1 to 100: some things are much more liked than others.
 */
const ROOTS = 10;
export const STRONGEST = ROOTS * ROOTS;

/** Draws how much respondents like something, on average. */
export function preference(draws: Draws): number {
  const root = 1 + drawBelow(draws, ROOTS);
  return root * root;
}

/** Picks an entry, each as often as its weight says. */
export function pick<T>(entries: readonly T[], weights: readonly number[], draws: Draws): T {
  let left = drawBelow(
    draws,
    weights.reduce((sum, weight) => sum + weight, 0),
  );
  const index = weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  return entries[index] as T;
}

/**
 * Puts entries in an order, as if each place were picked by the weights among the entries that are
 * left: the model of Plackett and Luce.
 *
 * Source: J. I. Yellott, The relationship between Luce's choice axiom, Thurstone's theory of
 * comparative judgment, and the double exponential distribution, Journal of Mathematical Psychology
 * 15 (1977), 109–144.
 */
export function inOrder<T>(entries: readonly T[], weights: readonly number[], draws: Draws): T[] {
  return entries
    .map((entry, index) => {
      const uniform = (drawBelow(draws, DRAWS) + 1) / DRAWS;
      return { entry, wait: -Math.log(uniform) / (weights[index] ?? 1) };
    })
    .toSorted((a, b) => a.wait - b.wait)
    .map(({ entry }) => entry);
}

/** Rates around a common mean. The difference of two draws is small more often than large. */
export function rating({ min, max, step }: Scale, draws: Draws): (draws: Draws) => number {
  const steps = new Big(max).minus(min).div(step).toNumber();
  const mean = drawBelow(draws, steps + 1);
  const reach = Math.floor(steps / 2) + 1;
  return (respondent) => {
    const apart = drawBelow(respondent, reach) - drawBelow(respondent, reach);
    const index = Math.min(steps, Math.max(0, mean + apart));
    return new Big(step).times(index).plus(min).toNumber();
  };
}
