import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import { drawBelow } from '../../platform/statistics/random.rules';
import { optionOf } from './option.rules';
import type { Option } from './question.types';

/**
 * Returns a list in another order, in which each entry that can move is at each of their places
 * equally often.
 *
 * @param seed 16 bytes, which alone decide the order
 * @param isFixed entries that stay where they are
 */
export function shuffled<T>(
  list: readonly T[],
  seed: Buffer,
  isFixed: (entry: T) => boolean = () => false,
): T[] {
  const draws = xoroshiro128plusFromState([0, 4, 8, 12].map((at) => seed.readInt32BE(at)));
  const moving = list.filter((entry) => !isFixed(entry));
  for (let last = moving.length - 1; last > 0; last -= 1) {
    const other = drawBelow(draws, last + 1);
    const entry = moving[last] as T;
    moving[last] = moving[other] as T;
    moving[other] = entry;
  }
  let next = 0;
  return list.map((entry) => {
    if (isFixed(entry)) {
      return entry;
    }
    next += 1;
    return moving[next - 1] as T;
  });
}

/** Whether `shuffle` leaves an option at its place. */
export function isFixed(option: Option): boolean {
  return optionOf(option).fixed === true;
}
