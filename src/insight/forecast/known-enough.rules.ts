import { sumOf } from '../../platform/statistics/linear-algebra.rules';
import { drawBelow, Draws } from '../../platform/statistics/random.rules';
import { betaProbability } from '../../platform/statistics/beta.rules';
import { CELLS, MeanSequence } from '../../platform/statistics/mean-sequence.rules';

/** What is to be known, and which answers to expect. */
export interface Wanted {
  sequence: MeanSequence;
  /** The answers that are counted already. */
  counted: readonly number[];
  /** The likelihood of each place on the scale, from the least to the largest. */
  likelihoods: readonly number[];
}

/** How often the answers are drawn; the runs of a forecast use these draws in turn. */
const SAMPLES = 200;

/** Answers between two looks at the interval grow by this part. */
const GROWTH = 0.25;

/** Draws of answers between two turns of other requests. */
const PORTION = 20_000;

/**
 * Returns how many further responses it takes until everything is known well enough, in so many
 * samples; `Infinity` if `limit` of them do not suffice.
 *
 * @param turn lets other requests have their turn; it can end the work by an error
 */
export async function sampleKnownAfter(
  wanted: readonly Wanted[],
  limit: number,
  draws: Draws,
  turn: () => Promise<void>,
): Promise<number[]> {
  const samples: number[] = [];
  let work = 0;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const needed: number[] = [];
    for (const each of wanted) {
      needed.push(knownAfter(each, limit, draws));
      work += Math.min(limit, needed.at(-1) ?? 0);
    }
    samples.push(Math.max(...needed));
    if (work >= PORTION) {
      await turn();
      work = 0;
    }
  }
  return samples;
}

/** How many further answers it takes. The interval hardly ever grows, so few looks find out. */
function knownAfter({ sequence, counted, likelihoods }: Wanted, limit: number, draws: Draws) {
  const drawPlace = placesOf(likelihoods);
  const spread = [...counted];
  let n = 0;
  while (n < limit) {
    const before = [...spread];
    const places = Array.from(
      { length: Math.min(limit - n, Math.max(1, Math.floor(GROWTH * (n + sumOf(counted))))) },
      () => drawPlace(draws),
    );
    add(spread, places);
    if (sequence.isNarrow(spread)) {
      return n + firstNarrow(sequence, before, places);
    }
    n += places.length;
  }
  return Infinity;
}

/** How many of the answers it takes, by bisection. */
function firstNarrow(sequence: MeanSequence, before: readonly number[], places: number[]): number {
  let [low, high] = [0, places.length];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const spread = [...before];
    add(spread, places.slice(0, middle));
    [low, high] = sequence.isNarrow(spread) ? [low, middle] : [middle, high];
  }
  return high;
}

function add(spread: number[], cells: readonly number[]): void {
  for (const cell of cells) {
    spread[cell] = (spread[cell] ?? 0) + 1;
  }
}

/** How finely the likelihoods are drawn. */
const FINE = 2 ** 20;

/** Returns what draws a bound of a cell with these likelihoods, which are at equal distances. */
function placesOf(likelihoods: readonly number[]): (draws: Draws) => number {
  const step = CELLS / (likelihoods.length - 1);
  let sum = 0;
  const limits = likelihoods.map((likelihood) => (sum += likelihood) * FINE);
  return (draws) => {
    const drawn = drawBelow(draws, FINE);
    const place = limits.findIndex((limit) => drawn < limit);
    return step * (place === -1 ? likelihoods.length - 1 : place);
  };
}

export const likelihoodsOfShare = (share: number) => [1 - share, share];

/** Steps of a scale on which answers are drawn. */
const STEPS = 20;

/**
 * The likelihoods of places on a scale from 0 to 1, by a beta distribution with a mean and a
 * standard deviation; all places are equally likely without.
 */
export function likelihoodsOfMean(expected?: { mean: number; spread: number }): number[] {
  if (expected === undefined) {
    return Array.from({ length: STEPS + 1 }, () => 1 / (STEPS + 1));
  }
  const { mean, spread } = expected;
  const size = (mean * (1 - mean)) / spread ** 2 - 1;
  const below = (step: number) =>
    betaProbability((step + 0.5) / STEPS, mean * size, (1 - mean) * size);
  return Array.from({ length: STEPS + 1 }, (_, step) =>
    step === 0 ? below(0) : step === STEPS ? 1 - below(STEPS - 1) : below(step) - below(step - 1),
  );
}
