/** A value, and how often it occurs, which need not be whole. */
export interface Counted {
  value: number;
  count: number;
}

/**
 * A quantile of type 7 of Hyndman and Fan, the default of R: it lies at the position (n − 1) × part
 * of the n sorted values, counted from 0, on the straight line between its neighbours. `null`
 * without values.
 *
 * Source: R. J. Hyndman and Y. Fan, Sample quantiles in statistical packages, The American
 * Statistician 50 (1996), 361–365.
 *
 * @param values in ascending order, each once
 * @param part from 0 to 1: 0.5 for the median
 */
export function sampleQuantile(values: readonly Counted[], part: number): number | null {
  const total = values.reduce((sum, { count }) => sum + count, 0);
  if (total <= 0) {
    return null;
  }
  const position = Math.max(0, total - 1) * part;
  const below = Math.floor(position + PRECISE);
  const [low, high] = [valueAt(values, below), valueAt(values, below + 1)];
  return low + Math.max(0, position - below) * (high - low);
}

/** Sums of weights are not exact. */
const PRECISE = 1e-9;

/** The value at a position, from 0; the last one beyond the end. */
function valueAt(values: readonly Counted[], position: number): number {
  let reached = 0;
  for (const { value, count } of values) {
    reached += count;
    if (reached > position + PRECISE) {
      return value;
    }
  }
  return values.at(-1)?.value ?? 0;
}
