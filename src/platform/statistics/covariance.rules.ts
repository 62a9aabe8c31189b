import { holm, studentTails } from './difference.rules';
import { CONFIDENCE, Interval, standardErrors, studentErrors } from './interval.rules';
import { at, dot, inverse, Matrix, sumOf, times } from './linear-algebra.rules';

/** What values y and x of a group add up to: enough for their means, variances and covariances. */
export interface JointSums {
  n: number;
  y: number;
  yy: number;
  /** Of each x. */
  x: readonly number[];
  /** Of each x times y. */
  xy: readonly number[];
  /** Of each x times each x. */
  xx: Matrix;
}

/** The sums of two groups together. */
export function together(a: JointSums, b: JointSums): JointSums {
  const plus = (u: readonly number[], v: readonly number[]) => u.map((each, i) => each + at(v, i));
  return {
    n: a.n + b.n,
    y: a.y + b.y,
    yy: a.yy + b.yy,
    x: plus(a.x, b.x),
    xy: plus(a.xy, b.xy),
    xx: a.xx.map((row, i) => plus(row, b.xx[i] ?? [])),
  };
}

/** Sums of squares and products of the distances from the means. */
function centred({ n, y, yy, x, xy, xx }: JointSums) {
  return {
    yy: yy - (y * y) / n,
    xy: xy.map((each, i) => each - (at(x, i) * y) / n),
    xx: xx.map((row, i) => row.map((each, j) => each - (at(x, i) * at(x, j)) / n)),
  };
}

/** Values fewer than these have no interval of their correlation. */
const CORRELATION_FROM = 4;

/** A part of the mean square below which a variance is an error of rounding. */
const NEGLIGIBLE = 1e-9;

/**
 * The correlation of y with the first x, with its interval; `null` for fewer than four values,
 * or if
 * all values of one are equal.
 *
 * Source: R. A. Fisher, On the "probable error" of a coefficient of correlation deduced from a
 * small
 * sample, Metron 1 (1921), 3–32.
 */
export function correlationOf(
  sums: JointSums,
  confidence = CONFIDENCE,
): { correlation: number; interval: Interval } | null {
  const { yy, xy, xx } = centred(sums);
  const [variance] = xx[0] ?? [];
  if (
    sums.n < CORRELATION_FROM ||
    variance === undefined ||
    variance <= NEGLIGIBLE * at(sums.xx[0] ?? [], 0) ||
    yy <= NEGLIGIBLE * sums.yy
  ) {
    return null;
  }
  const correlation = Math.max(-1, Math.min(1, at(xy, 0) / Math.sqrt(yy * variance)));
  const half = standardErrors(confidence) / Math.sqrt(sums.n - 3);
  const centre = Math.atanh(correlation);
  return { correlation, interval: [Math.tanh(centre - half), Math.tanh(centre + half)] };
}

/** By how much the mean of a group differs from that of all others. */
export interface AdjustedDifference {
  difference: number;
  interval: Interval;
  /** Of one at least as large, if there is none in truth. */
  probability: number;
  /** The same, adjusted for the number of groups. */
  adjusted: number;
}

/**
 * By how much the mean of y in each group differs from that of all others together, beyond what
 * their x explain: the analysis of covariance, with one slope for all groups, that within them. The
 * groups may have different variances. `null` for a group without enough values on either side.
 *
 * Sources: R. A. Fisher, Statistical Methods for Research Workers, 4th edition (1932), section
 * 49.1;
 * for the degrees of freedom, F. E. Satterthwaite, Biometrics Bulletin 2 (1946), 110–114.
 */
export function adjustedDifferences(
  groups: readonly JointSums[],
  confidence = CONFIDENCE,
): (AdjustedDifference | null)[] {
  const within = groups.filter(({ n }) => n > 0).map(centred);
  const size = groups[0]?.x.length ?? 0;
  const indexes = Array.from({ length: size }, (_, i) => i);
  const xx = indexes.map((i) => indexes.map((j) => sumOf(within.map((g) => at(g.xx[i] ?? [], j)))));
  const xy = indexes.map((i) => sumOf(within.map((g) => at(g.xy, i))));
  const inverted = inverse(xx);
  const slopes = times(inverted, xy);
  const residual = (sums: JointSums) => {
    const c = centred(sums);
    return Math.max(0, c.yy - 2 * dot(slopes, c.xy) + dot(slopes, times(c.xx, slopes)));
  };
  const freedom = sumOf(groups.map(({ n }) => Math.max(0, n - 1))) - size;
  const variance = sumOf(groups.filter(({ n }) => n > 0).map(residual)) / freedom;
  const found = groups.map((group, index): Omit<AdjustedDifference, 'adjusted'> | null => {
    const others = groups.filter((_, each) => each !== index).reduce(together, emptySums(size));
    if (Math.min(group.n, others.n) < 2 || freedom < 1) {
      return null;
    }
    const apart = group.x.map((each, i) => each / group.n - at(others.x, i) / others.n);
    const difference = group.y / group.n - others.y / others.n - dot(slopes, apart);
    const parts = [
      [residual(group) / (group.n - 1) / group.n, group.n - 1],
      [residual(others) / (others.n - 1) / others.n, others.n - 1],
      [variance * dot(apart, times(inverted, apart)), freedom],
    ] as const;
    const total = sumOf(parts.map(([part]) => part));
    if (!(total > 0)) {
      return null;
    }
    const degrees = total ** 2 / sumOf(parts.map(([part, of]) => part ** 2 / of));
    const half = studentErrors(degrees, confidence) * Math.sqrt(total);
    return {
      difference,
      interval: [difference - half, difference + half],
      probability: studentTails(difference / Math.sqrt(total), degrees),
    };
  });
  const probabilities = found.map((each) => each?.probability ?? 1);
  // Of two groups, both comparisons are the same one.
  const adjusted = groups.length === 2 ? probabilities : holm(probabilities);
  return found.map((each, index) => each && { ...each, adjusted: at(adjusted, index) });
}

/** Whether all values of an x are equal within each group, so that it explains nothing. */
export function isConstant(groups: readonly JointSums[], index: number): boolean {
  const all = groups.filter(({ n }) => n > 0);
  const squares = sumOf(all.map(({ xx }) => at(xx[index] ?? [], index)));
  return sumOf(all.map((g) => at(centred(g).xx[index] ?? [], index))) <= NEGLIGIBLE * squares;
}

/** The sums of a group without values. */
export function emptySums(size: number): JointSums {
  const zeros = Array.from({ length: size }, () => 0);
  return { n: 0, y: 0, yy: 0, x: zeros, xy: zeros, xx: zeros.map(() => zeros) };
}
