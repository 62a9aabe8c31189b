import { sumOf } from './linear-algebra.rules';

/** Responses that have the same value of each variable. */
export interface JointCell {
  count: number;
  /** The value of each variable, from 1; 0 for none. */
  values: readonly number[];
}

/** The known shares of the values of a variable, from 1, which sum to 1. */
export type KnownShares = readonly (number | undefined)[];

export interface Raking {
  /** Of a response in each cell; 1 on average. */
  weights: number[];
  converged: boolean;
  iterations: number;
  /** The largest difference between a share and what it is to be. */
  largestDifference: number;
  /** Values that nobody has, by variable: the others of the variable stand for them. */
  missing: { variable: number; value: number }[];
}

/** Differences of shares that are no difference, and passes over all variables at most. */
const TOLERANCE = 1e-6;
const ITERATIONS_MAXIMUM = 1_000;

/**
 * Weights responses so that each variable has its known shares: for one variable after the other,
 * the weights of those who have a value are multiplied by what its share is to be, and divided by
 * what it is, until all shares are right. Responses without a value, or with one whose share is not
 * known, keep their part of all. It converges if the cells that have responses allow such weights.
 *
 * Sources: W. E. Deming and F. F. Stephan, On a least squares adjustment of a sampled frequency
 * table when the expected marginal totals are known, Annals of Mathematical Statistics 11 (1940),
 * 427–444; C. T. Ireland and S. Kullback, Biometrika 55 (1968), 179–188.
 */
export function rake(cells: readonly JointCell[], variables: readonly KnownShares[]): Raking {
  const all = sumOf(cells.map(({ count }) => count));
  const weights = cells.map(() => 1);
  const groups = variables.map((known, variable) => targetsOf(cells, known, variable, all));
  let largestDifference = 0;
  let iterations = 0;
  while (all > 0 && iterations < ITERATIONS_MAXIMUM) {
    iterations += 1;
    for (const { targets } of groups) {
      for (const { members, target } of targets) {
        const factor = target / weightOf(cells, weights, members);
        for (const member of members) {
          weights[member] = (weights[member] ?? 0) * factor;
        }
      }
    }
    const differences = groups.flatMap(({ targets }) =>
      targets.map(
        ({ members, target }) => Math.abs(weightOf(cells, weights, members) - target) / all,
      ),
    );
    largestDifference = Math.max(0, ...differences);
    if (largestDifference <= TOLERANCE) {
      break;
    }
  }
  return {
    weights,
    converged: largestDifference <= TOLERANCE,
    iterations,
    largestDifference,
    missing: groups.flatMap(({ missing }, variable) =>
      missing.map((value) => ({ variable, value })),
    ),
  };
}

/** Cells of a value, and how much they are to weigh together. */
interface Target {
  members: number[];
  target: number;
}

function targetsOf(
  cells: readonly JointCell[],
  known: KnownShares,
  variable: number,
  all: number,
): { targets: Target[]; missing: number[] } {
  const byValue = new Map<number, number[]>();
  const rest: number[] = [];
  for (const [index, { values, count }] of cells.entries()) {
    const value = values[variable] ?? 0;
    if (count > 0) {
      const isKnown = known[value - 1] !== undefined;
      const members = isKnown ? (byValue.get(value) ?? []) : rest;
      members.push(index);
      if (isKnown) {
        byValue.set(value, members);
      }
    }
  }
  const countOf = (members: readonly number[]) =>
    sumOf(members.map((index) => cells[index]?.count ?? 0));
  const found = sumOf([...byValue.keys()].map((value) => known[value - 1] ?? 0));
  const size = all - countOf(rest);
  const targets = [...byValue].map(([value, members]) => ({
    members,
    target: ((known[value - 1] ?? 0) / found) * size,
  }));
  const missing = [...known.keys()]
    .map((index) => index + 1)
    .filter((value) => known[value - 1] !== undefined && !byValue.has(value));
  return {
    targets: rest.length > 0 ? [...targets, { members: rest, target: countOf(rest) }] : targets,
    missing,
  };
}

const weightOf = (
  cells: readonly JointCell[],
  weights: readonly number[],
  members: readonly number[],
): number => sumOf(members.map((index) => (weights[index] ?? 0) * (cells[index]?.count ?? 0)));
