import { Big } from 'big.js';
import type { Tallied } from './tally.rules';

/** How many bins there are at most. */
export const BINS_MAXIMUM = 20;

/** A range of numbers: from its lower end up to its upper end, which is not in it. */
interface Bin {
  from: number;
  to: number;
  count: number;
}

/** Counts the answers to a question of type `number` in bins, without weights. */
export function binsIn(
  { tallied, position }: { tallied: Tallied; position: number },
  decimals: number,
): Bin[] {
  const values = [...tallied.keys('value', position)].map((key) => ({
    value: Number(key),
    count: tallied.count('value', position, key),
  }));
  return binsOf(
    values.filter(({ count }) => count > 0),
    Number(`1e-${decimals}`),
  );
}

/**
 * Counts numbers in bins of equal width: 1, 2 or 5 times a power of ten, the narrowest of which no
 * more than {@link BINS_MAXIMUM} are needed.
 *
 * @param step the smallest difference of two numbers, a power of ten
 */
export function binsOf(values: readonly { value: number; count: number }[], step: number): Bin[] {
  const [lowest, highest] = [Math.min, Math.max].map((end) =>
    end(...values.map(({ value }) => value)),
  );
  if (values.length === 0 || lowest === undefined || highest === undefined) {
    return [];
  }
  const width = widthFor(lowest, highest, step);
  const first = indexOf(lowest, width);
  const length = indexOf(highest, width) - first + 1;
  const endOf = (index: number) => width.times(first).plus(width.times(index)).toNumber();
  const bins = Array.from({ length }, (_, index) => ({
    from: endOf(index),
    to: endOf(index + 1),
    count: 0,
  }));
  for (const { value, count } of values) {
    const bin = bins[indexOf(value, width) - first];
    if (bin !== undefined) {
      bin.count += count;
    }
  }
  return bins;
}

function widthFor(lowest: number, highest: number, step: number): Big {
  for (let unit = new Big(step); ; unit = unit.times(10)) {
    for (const times of [1, 2, 5]) {
      const width = unit.times(times);
      if (indexOf(highest, width) - indexOf(lowest, width) < BINS_MAXIMUM) {
        return width;
      }
    }
  }
}

/** Which bin a number is in, counted from 0. */
function indexOf(value: number, width: Big): number {
  const quotient = new Big(value).div(width);
  const whole = quotient.round(0, Big.roundDown);
  return whole.minus(quotient.lt(whole) ? 1 : 0).toNumber();
}
