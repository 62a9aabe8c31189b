import { Big } from 'big.js';
import { placesOf } from '../../access/company/currency.field';
import { sumOf } from '../../platform/statistics/linear-algebra.rules';
import type { Bucket } from '../../platform/statistics/log-histogram.rules';
import type { Moments, Sample } from '../../platform/statistics/mean.rules';
import { effectiveSize, weightedCount } from '../../platform/statistics/share.rules';

/** The cell of all responses. */
export const ALL = 0;

export const COHORTS = [1, 2, 3, 4, 5] as const;

/** A number for each cohort. */
export type ByCohort = readonly number[];

const NOTHING = COHORTS.map(() => '0');
/** Shared, because most options of a long list have no row. */
const NONE: ByCohort = COHORTS.map(() => 0);

/** What the tally has of an item. */
export interface TallyRow {
  kind: string;
  item: string;
  keys: readonly string[];
  /** Of each key, separated by commas: five decimals with spaces between them. */
  amounts: string;
}

/** Which cohorts are counted, and how much a response of each counts. */
export interface Counting {
  cohorts: readonly number[];
  /** Of each of the five; without them, every response counts alike. */
  weights: ByCohort | undefined;
}

/** @param query lists with commas; all cohorts by default */
export function countingOf({ cohorts, weights }: { cohorts?: string; weights?: string }): Counting {
  return {
    cohorts: COHORTS.filter((each) => cohorts?.includes(String(each)) ?? true),
    weights: weights?.split(',').map(Number),
  };
}

/** Where an amount is: its kind, its item and its key. */
export type Place = Parameters<Tallied['of']>;

/** The number of values, their sum and that of their squares, each with its weight. */
export type Sums = readonly [n: Big, sum: Big, squares: Big];

export function momentsOf([n, sum, squares]: Sums): Moments {
  return {
    n: n.toNumber(),
    sum: sum.toNumber(),
    squaredDeviations: n.eq(0) ? 0 : squares.times(n).minus(sum.times(sum)).div(n).toNumber(),
  };
}

/** The sums over the responses of a campaign to one version of its questions, by cohort. */
export class Tallied {
  constructor(
    private readonly counting: Counting,
    /** As they are stored: a variance can be a small difference of large numbers. */
    private readonly amounts = new Map<string, Map<string, string>>(),
  ) {}

  /** The same sums, of which only those of one cohort are counted. */
  ofCohort(cohort: number): Tallied {
    return new Tallied({ ...this.counting, cohorts: [cohort] }, this.amounts);
  }

  /** Adds a row. No other row has any of its keys. */
  add({ kind, item, keys, amounts }: TallyRow): void {
    const place = placeOf(kind, item);
    const found = this.amounts.get(place) ?? new Map<string, string>();
    for (const [index, byCohort] of amounts.split(',').entries()) {
      const key = String(keys[index]);
      found.set(kind === 'rated' ? String(Number(key)) : key, byCohort);
    }
    this.amounts.set(place, found);
  }

  /** The amounts of all five cohorts. */
  of(kind: string, item: string | number = '', key: string | number = ''): ByCohort {
    return this.stored(kind, item, key)?.map(Number) ?? NONE;
  }

  private stored(kind: string, item: string | number = '', key: string | number = '') {
    return this.amounts.get(placeOf(kind, item))?.get(String(key))?.split(' ');
  }

  /** The keys of an item. */
  keys(kind: string, item: string | number = ''): Iterable<string> {
    return this.amounts.get(placeOf(kind, item))?.keys() ?? [];
  }

  /** The keys of an item, each with the sum over all cohorts, which is computed when asked for. */
  *totals(kind: string, item: string | number = ''): Generator<[key: string, total: number]> {
    for (const [key, amounts] of this.amounts.get(placeOf(kind, item)) ?? []) {
      yield [key, sumOf(amounts.split(' ').map(Number))];
    }
  }

  /** The sum over the cohorts that are counted. */
  count(...place: Place): number {
    const amounts = this.of(...place);
    return this.counting.cohorts.reduce((sum, cohort) => sum + (amounts[cohort - 1] ?? 0), 0);
  }

  /** The same, each response with its weight. */
  weigh(...place: Place): number {
    return weightedCount(this.strata(...place));
  }

  /** How many responses of equal weight are as precise. */
  size(...place: Place): number {
    return effectiveSize(this.strata(...place));
  }

  /** How much the responses say: how many have a weight, and as how many they are as precise. */
  sample(...place: Place): Sample {
    const weighted = this.strata(...place).filter(({ weight }) => weight > 0);
    return {
      responses: sumOf(weighted.map(({ count }) => count)),
      size: effectiveSize(weighted),
    };
  }

  /** The cohorts that are counted, with the amounts of each. */
  strata(...place: Place): { cohort: number; weight: number; count: number }[] {
    const amounts = this.of(...place);
    return this.counting.cohorts.map((cohort) => ({
      cohort,
      weight: this.counting.weights?.[cohort - 1] ?? 1,
      count: amounts[cohort - 1] ?? 0,
    }));
  }

  /** What a mean is computed from, where `counted` responses have a value. */
  moments(counted: Place, kind: string, item: string | number = ''): Moments {
    return momentsOf(this.sums(counted, kind, item));
  }

  /** What moments are computed from, exactly: sums over several groups of responses add up. */
  sums(counted: Place, kind: string, item: string | number = ''): Sums {
    return [
      this.weighExactly(...counted),
      this.weighExactly(kind, item, 'sum'),
      this.weighExactly(kind, item, 'squares'),
    ];
  }

  private weighExactly(...place: Place): Big {
    const amounts = this.stored(...place) ?? NOTHING;
    return this.counting.cohorts.reduce(
      (total, cohort) =>
        total.plus(
          new Big(amounts[cohort - 1] ?? 0).times(this.counting.weights?.[cohort - 1] ?? 1),
        ),
      new Big(0),
    );
  }

  /** A histogram of the responses that are counted, each with its weight. */
  buckets(kind: string): Bucket[] {
    return [...this.keys(kind)].map((key) => ({
      bucket: Number(key),
      count: this.weigh(kind, '', key),
    }));
  }
}

function placeOf(kind: string, item: string | number): string {
  return `${kind} ${item}`;
}

/** What each of so many is paid on average, in the currency's places; `null` if there is none. */
export function meanAmount(total: number, count: number, currency: string): number | null {
  const places = placesOf(currency);
  return count === 0 ? null : new Big(total).div(count).round(places, Big.roundHalfUp).toNumber();
}
