import { Big } from 'big.js';
import { effectiveSize, Stratum, weightedCount } from '../../platform/statistics/share.rules';
import { sumOf } from '../../platform/statistics/linear-algebra.rules';
import type { Moments } from '../../platform/statistics/mean.rules';
import { momentsOf, Place, Sums, Tallied } from '../results/tally.rules';

/** What a tally has of the answers to a question, or to a row of a matrix. */
export interface Part {
  tallied: Tallied;
  item: string;
  /** Whether these responses are taken out of the group, which has them by another part. */
  isTakenOut?: true;
}

/** Responses that are counted together, such as those of a column. */
export type Group = readonly Part[];

/** Responses of a group: how many, and with weights. */
export interface Amount {
  count: number;
  weight: number;
  /** How many responses of equal weight are as precise. */
  size: number;
}

/** The responses of one group without those of another, which are all in it. */
export function without(group: Group, others: Group): Group {
  return [
    ...group,
    ...others.map(({ tallied, item, isTakenOut }): Part =>
      isTakenOut === true ? { tallied, item } : { tallied, item, isTakenOut: true },
    ),
  ];
}

/** @param placesOf where the tally of a part has them; no response is at two of them */
export function amountIn(group: Group, placesOf: (part: Part) => readonly Place[]): Amount {
  const strata = group.flatMap((part) =>
    placesOf(part).flatMap((place) => signed(part, part.tallied.strata(...place))),
  );
  return {
    count: sumOf(strata.map(({ count }) => count)),
    weight: weightedCount(strata),
    size: effectiveSize(strata),
  };
}

/** Those who answered the question. */
export const answeredIn = (group: Group): Amount =>
  amountIn(group, ({ item }) => [['answered', item]]);

const signed = ({ isTakenOut }: Part, strata: readonly Stratum[]): readonly Stratum[] =>
  isTakenOut === true ? strata.map(({ weight, count }) => ({ weight, count: -count })) : strata;

/** What the mean of the answers is computed from. */
export function momentsIn(group: Group): Moments {
  const zero: Sums = [new Big(0), new Big(0), new Big(0)];
  const [n, sum, squares] = group.reduce(([a, b, c], { tallied, item, isTakenOut }): Sums => {
    const [x, y, z] = tallied.sums(['answered', item], 'rating', item);
    return isTakenOut === true
      ? [a.minus(x), b.minus(y), c.minus(z)]
      : [a.plus(x), b.plus(y), c.plus(z)];
  }, zero);
  return momentsOf([n, sum, squares]);
}
