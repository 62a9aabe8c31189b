import type { Interval } from './interval.rules';

/**
 * Cells into which a scale is divided. Most rating scales have all their values at their
 * bounds.
 */
export const CELLS = 60;

/**
 * How often each bound of a cell was answered, from the least value of the scale to the
 * largest.
 */
export type Spread = readonly number[];

/** The spread of no values. */
export const emptySpread = (): number[] => Array.from({ length: CELLS + 1 }, () => 0);

/**
 * Adds a value to a spread, in place: between two bounds of a cell, it counts for both in
 * proportion.
 *
 * @param place where the value is on the scale, from 0 to 1; limited to that
 */
export function addToSpread(spread: number[], place: number): void {
  const at = Math.min(1, Math.max(0, place)) * CELLS;
  const cell = Math.min(CELLS - 1, Math.floor(at));
  // Without the error of the division, a value at a bound is a whole one there.
  const part = Number((at - cell).toFixed(9));
  spread[cell] = (spread[cell] ?? 0) + 1 - part;
  spread[cell + 1] = (spread[cell + 1] ?? 0) + part;
}

/** The spread of values that are 0 or 1. */
export function spreadOfShare(ones: number, all: number): number[] {
  const spread = emptySpread();
  spread[0] = all - ones;
  spread[CELLS] = ones;
  return spread;
}

/**
 * The variances for which the sequence is narrowest, by m (1 - m), the largest that is possible
 * with
 * the mean m. Values that are 0 or 1 have that one; most ratings have less.
 */
const VARIANCES = { share: [0.5, 2], scale: [0.1, 1] } as const;

/**
 * A confidence sequence for the mean of values on a bounded scale: with the stated probability, it
 * contains the mean after every response at once. So whoever looks after each of them, and stops
 * when they like, is not misled. It needs how often each value was answered, and no order.
 *
 * For the lower bound, a bettor wagers on values above m: the capital after the values x is the
 * mean
 * over stakes s of ∏ (1 + s (x - m)), a martingale if m is the mean, which therefore ever exceeds
 * 2 / (1 - confidence) with a probability of (1 - confidence) / 2 at most. Each m at which it
 * does is
 * excluded. The upper bound mirrors it. The capital falls as m grows, so what is left is an
 * interval.
 * The stakes are fixed beforehand. Most of the weight is on those that pay best while the interval
 * is about as wide as `width`; the others let it become narrower with any number of responses.
 *
 * A value between two bounds of a cell counts for both in proportion. The logarithm is concave, so
 * this only lowers the capital, and the sequence stays valid.
 *
 * Sources: I. Waudby-Smith and A. Ramdas, Estimating means of bounded random variables by betting,
 * Journal of the Royal Statistical Society B 86 (2024), 1–27, theorem 3 and its hedged capital; the
 * mixture of stakes, H. Robbins, Statistical methods related to the law of the iterated logarithm,
 * The Annals of Mathematical Statistics 41 (1970), 1397–1409.
 */
export class MeanSequence {
  private readonly stakes: readonly Stake[];
  /** The logarithm of the capital at which a mean is excluded. */
  private readonly threshold: number;

  /** @param width at which the interval is to be used, as a part of the scale */
  constructor(
    private readonly width: number,
    confidence: number,
    of: keyof typeof VARIANCES,
  ) {
    this.stakes = stakesFor(width, VARIANCES[of]);
    this.threshold = Math.log(2 / (1 - confidence));
  }

  /** The interval of the mean, from 0 to 1 on the scale; without values it is all of it. */
  interval(spread: Spread): Interval {
    const values = valuesOf(spread);
    return [this.lower(values), 1 - this.lower(mirrored(values))];
  }

  /** Whether the interval contains a mean, which is faster to see than the interval. */
  contains(spread: Spread, mean: number): boolean {
    const values = valuesOf(spread);
    return this.excess(values, mean) <= 0 && this.excess(mirrored(values), 1 - mean) <= 0;
  }

  /** Whether the interval is no wider than `width`. */
  isNarrow(spread: Spread): boolean {
    const values = valuesOf(spread);
    const mean = meanOf(values);
    const half = this.width / 2;
    if (mean >= half && mean <= 1 - half) {
      const isBelow = this.excess(values, mean - half) <= 0;
      const isAbove = this.excess(mirrored(values), 1 - mean - half) <= 0;
      // Both bounds are closer to the mean, or neither is, which is faster to see than where.
      if (isBelow === isAbove) {
        return !isBelow;
      }
    }
    const [low, high] = this.interval(spread);
    return high - low <= this.width;
  }

  /** The least mean that is not excluded, by the false position of Illinois. */
  private lower(values: readonly Value[]): number {
    let [low, high] = [0, meanOf(values)];
    let [above, below] = [this.excess(values, low), this.excess(values, high)];
    if (above <= 0) {
      return 0;
    }
    for (let step = 0; step < STEPS_MAXIMUM && high - low > PRECISE; step++) {
      const chord = low + ((high - low) * above) / (above - below);
      const next = chord > low && chord < high ? chord : (low + high) / 2;
      const excess = this.excess(values, next);
      if (excess > 0) {
        [low, above, below] = [next, excess, below / 2];
      } else {
        [high, below, above] = [next, excess, above / 2];
      }
    }
    return low;
  }

  /** By how much the logarithm of the capital at a mean exceeds the threshold. */
  private excess(values: readonly Value[], mean: number): number {
    const unit = 1 / Math.max(mean * (1 - mean), LEAST);
    const boldest = BOLDEST / Math.max(mean, LEAST);
    let largest = -Infinity;
    let sum = 0;
    for (const { size, logWeight } of this.stakes) {
      const stake = size * unit < boldest ? size * unit : boldest;
      let capital = logWeight;
      for (const { value, count } of values) {
        capital += count * log1p(stake * (value - mean));
      }
      // The sum is in units of the largest term, because terms can exceed what a number holds.
      if (capital > largest) {
        sum = sum * exp(largest - capital) + 1;
        largest = capital;
      } else {
        sum += exp(capital - largest);
      }
    }
    return largest + Math.log(sum) - this.threshold;
  }
}

// Looked up once, because this is where the time goes.
const { exp, log1p } = Math;

interface Stake {
  /** Multiplied by the variance of values with the mean m at the ends of the scale, m (1 - m). */
  size: number;
  logWeight: number;
}

interface Value {
  value: number;
  count: number;
}

/** The part of the capital that a value of 0 can cost at most. */
const BOLDEST = 0.95;
const LEAST = 1e-12;
const STEPS_MAXIMUM = 200;
const PRECISE = 1e-9;

/** Stakes grow by this factor, so that one of them is always near the best. */
const RATIO = Math.SQRT2;
/** Stakes for other variances and widths, on each side. */
const TAIL = 10;

/**
 * The stake that pays best is the distance of the bound from the mean by the variance. At the width
 * w, that distance is w / 2. Each further stake has half the weight of the one before it.
 */
function stakesFor(width: number, [least, largest]: readonly [number, number]): Stake[] {
  const from = width / 2 / largest;
  const steps = Math.ceil(Math.log(largest / least) / Math.log(RATIO));
  const stakes = Array.from({ length: steps + 1 + 2 * TAIL }, (_, index) => {
    const step = index - TAIL;
    const beyond = Math.max(-step, step - steps);
    return { size: from * RATIO ** step, weight: beyond > 0 ? 2 ** -(beyond + 1) : 1 };
  });
  const all = stakes.reduce((sum, { weight }) => sum + weight, 0);
  return stakes.map(({ size, weight }) => ({ size, logWeight: Math.log(weight / all) }));
}

const valuesOf = (spread: Spread): Value[] =>
  spread.flatMap((count, cell) =>
    count > 0 ? [{ value: cell / (spread.length - 1), count }] : [],
  );

const mirrored = (values: readonly Value[]): Value[] =>
  values.map(({ value, count }) => ({ value: 1 - value, count }));

function meanOf(values: readonly Value[]): number {
  const count = values.reduce((sum, each) => sum + each.count, 0);
  return count === 0 ? 0 : values.reduce((sum, each) => sum + each.value * each.count, 0) / count;
}
