/** How far a quantile may be from the value that it stands for, relative to that value. */
export const ACCURACY = 0.01;

/** Values below this one count as this one. */
export const LEAST = 0.001;

/** Each bucket ends at so many times the end of the one before. */
export const GROWTH = (1 + ACCURACY) / (1 - ACCURACY);

/**
 * The bucket of a value: the least whole number k for which {@link GROWTH}ᵏ is not below the value.
 *
 * Source: C. Masson, J. E. Rim and H. K. Lee, DDSketch, Proceedings of the VLDB Endowment 12
 * (2019), 2195–2205.
 */
export function bucketOf(value: number): number {
  return Math.ceil(Math.log(Math.max(value, LEAST)) / Math.log(GROWTH));
}

/** The value that stands for a bucket: none in it is further away than {@link ACCURACY}. */
export function valueOf(bucket: number): number {
  return (2 * GROWTH ** bucket) / (GROWTH + 1);
}

/** How many values a bucket has, or the sum of their weights. */
export interface Bucket {
  bucket: number;
  count: number;
}

/**
 * The least value that at least this part of all values do not exceed (definition 1 of Hyndman and
 * Fan), correct to {@link ACCURACY}; `null` without values.
 *
 * @param buckets in any order
 * @param part from 0 to 1: 0.5 for the median
 */
export function quantile(buckets: readonly Bucket[], part: number): number | null {
  const filled = buckets.filter(({ count }) => count > 0).toSorted((a, b) => a.bucket - b.bucket);
  const total = filled.reduce((sum, { count }) => sum + count, 0);
  let reached = 0;
  for (const { bucket, count } of filled) {
    reached += count;
    // Sums of weights are not exact.
    if (reached >= part * total * (1 - Number.EPSILON * filled.length)) {
      return valueOf(bucket);
    }
  }
  return null;
}
