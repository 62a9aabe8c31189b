import type { Scale } from '../../campaigns/campaign/image-survey.rules';
import { Big } from 'big.js';
import type { RatedDto } from '../results/result-fields.dto';
import { evenly } from './figures.rules';

/** Names that an axis has room for on a phone, by the most characters of one. */
const NAMES_MAXIMUM = [
  { characters: 3, names: 11 },
  { characters: Infinity, names: 6 },
];

/** The ratings that one column of a histogram counts. */
export interface Step {
  first: number;
  last: number;
  count: number;
}

/** What the columns of a histogram count. The last step can be shorter than the others. */
export function stepsOf(
  histogram: readonly RatedDto[],
  { max, step }: Pick<Scale, 'max' | 'step'>,
): Step[] {
  const [first, second] = histogram;
  const width = new Big(second?.value ?? step).minus(first && second ? first.value : 0);
  return histogram.map(({ value, count }) => ({
    first: value,
    last: Math.min(width.plus(value).minus(step).toNumber(), max),
    count,
  }));
}

/**
 * Chooses the ratings that an axis names: each of them can be given, they are equally far apart,
 * and the last one is the highest if that is possible.
 *
 * @param ratings all that can be given, or the lowest of each step
 */
export function namedRatings(ratings: readonly number[]): number[] {
  const format = evenly(ratings);
  const longest = Math.max(0, ...ratings.map((rating) => format(rating).length));
  const { names = 0 } = NAMES_MAXIMUM.find(({ characters }) => longest <= characters) ?? {};
  const gaps = ratings.length - 1;
  const least = Math.max(1, Math.ceil(gaps / (names - 1)));
  const even = Array.from({ length: least }, (_, index) => least + index);
  const width = even.find((each) => gaps % each === 0) ?? least;
  return ratings.filter((_, index) => index % width === 0);
}
