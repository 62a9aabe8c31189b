import {
  holm,
  newcombe,
  Proportion,
  shareDifferenceProbability,
  welch,
} from '../../platform/statistics/difference.rules';
import { Interval, rounded, roundedInterval } from '../../platform/statistics/interval.rules';
import { MeanWithInterval, meanWithInterval } from '../../platform/statistics/mean.rules';
import type { ShareDto } from '../results/result-fields.dto';
import { shareOf } from '../results/shares.rules';
import type { Category } from './categories.rules';
import { amountIn, answeredIn, Group, momentsIn } from './groups.rules';

/** Columns of fewer responses are marked, and not compared with others. */
export const SMALL_BASE = 30;

/** The chance of any false difference in a table that is said to be one. */
const ALPHA = 0.05;

/** How a share or a mean of a column differs from that of the responses outside it. */
export interface Difference {
  difference: number | null;
  difference_interval: Interval | null;
  p_value: number | null;
  higher_than: string[] | null;
}

/** What of a group is compared: how many responses, without weights, and a share or a mean. */
interface Measured {
  count: number;
  value: number | null;
}

/** A group of responses, and those outside it. */
export interface Side<T> {
  inside: T;
  outside: T;
}

/** What two groups differ by; `null` if nothing can be said. */
type Comparison<T> = (a: T, b: T) => { interval: Interval; probability: number } | null;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

export const COLUMNS_MAXIMUM = LETTERS.length;

export const letterOf = (column: number): string => LETTERS.charAt(column);

/**
 * Compares each column with the responses outside it and, if no response is in two, with each other
 * column. The probabilities of all tests of a kind are corrected together, those of the first kind
 * and those of the second. Bases below {@link SMALL_BASE} are not tested.
 */
export function compareColumns<T extends Measured>(
  rows: readonly (readonly Side<T>[])[],
  compare: Comparison<T>,
  areDisjoint: boolean,
): Difference[][] {
  const against: Test[] = [];
  const between: Test[] = [];
  const add = (tests: Test[], row: number, [column, other]: [number, number], a: T, b: T) => {
    const found = a.count < SMALL_BASE || b.count < SMALL_BASE ? null : compare(a, b);
    if (found !== null) {
      const [high, low] = (a.value ?? 0) > (b.value ?? 0) ? [column, other] : [other, column];
      tests.push({ row, column, high, low, probability: found.probability });
    }
  };
  for (const [row, columns] of rows.entries()) {
    for (const [column, { inside, outside }] of columns.entries()) {
      add(against, row, [column, column], inside, outside);
      for (const [other, second] of areDisjoint ? columns.slice(0, column).entries() : []) {
        add(between, row, [column, other], inside, second.inside);
      }
    }
  }
  const differences = rows.map((columns) =>
    columns.map((each) => differenceOf(each, compare, areDisjoint)),
  );
  for (const { row, column, probability } of corrected(against)) {
    const difference = differences[row]?.[column];
    if (difference !== undefined) {
      difference.p_value = rounded(probability);
    }
  }
  for (const { row, high, low, probability } of corrected(between)) {
    if (probability <= ALPHA) {
      differences[row]?.[high]?.higher_than?.push(letterOf(low));
    }
  }
  for (const { higher_than } of differences.flat()) {
    higher_than?.sort();
  }
  return differences;
}

interface Test {
  row: number;
  column: number;
  /** The columns with the higher and the lower value. */
  high: number;
  low: number;
  probability: number;
}

function corrected(tests: readonly Test[]): Test[] {
  const probabilities = holm(tests.map(({ probability }) => probability));
  return tests.map((test, index) => ({ ...test, probability: probabilities[index] ?? 1 }));
}

function differenceOf<T extends Measured>(
  { inside, outside }: Side<T>,
  compare: Comparison<T>,
  areDisjoint: boolean,
): Difference {
  const areKnown = inside.value !== null && outside.value !== null;
  const interval = areKnown ? (compare(inside, outside)?.interval ?? null) : null;
  return {
    difference: areKnown ? rounded((inside.value ?? 0) - (outside.value ?? 0)) : null,
    difference_interval: interval && roundedInterval(interval),
    p_value: null,
    higher_than: areDisjoint ? [] : null,
  };
}

/** How many of the responses of a group gave an answer. */
export interface MeasuredShare extends Measured, Proportion {
  share: ShareDto;
}

export function measureShare(group: Group, { given, base }: Category): MeasuredShare {
  const part = amountIn(group, given);
  const all = amountIn(group, base);
  const value = all.weight > 0 ? part.weight / all.weight : null;
  return {
    count: all.count,
    value,
    successes: (value ?? 0) * all.size,
    n: all.size,
    share: { count: part.count, ...shareOf(part.weight, all.weight, all.size) },
  };
}

export const compareShares: Comparison<MeasuredShare> = (a, b) => ({
  interval: newcombe(a, b),
  probability: shareDifferenceProbability(a, b),
});

/** The mean of the answers of a group. */
export interface MeasuredMean extends Measured, MeanWithInterval {
  size: number;
}

/** @param scale what answers can be, if both ends are known */
export function measureMean(group: Group, scale: Interval | undefined): MeasuredMean {
  const { count, size } = answeredIn(group);
  const mean = meanWithInterval(momentsIn(group), { responses: count, size, scale });
  return { ...mean, count, size, value: mean.mean };
}

export const compareMeans: Comparison<MeasuredMean> = (a, b) =>
  a.mean === null || b.mean === null || a.standardDeviation === null || b.standardDeviation === null
    ? null
    : welch(
        { mean: a.mean, standardDeviation: a.standardDeviation, size: a.size },
        { mean: b.mean, standardDeviation: b.standardDeviation, size: b.size },
      );
