import * as fc from 'fast-check';
import { ACCURACY, bucketOf, LEAST, quantile, valueOf } from './log-histogram.rules';

const histogramOf = (values: number[]) => {
  const counts = new Map<number, number>();
  for (const value of values) {
    counts.set(bucketOf(value), (counts.get(bucketOf(value)) ?? 0) + 1);
  }
  return Array.from(counts, ([bucket, count]) => ({ bucket, count }));
};

describe('a logarithmic histogram', () => {
  const seconds = fc.double({ min: LEAST, max: 1e7, noNaN: true });

  it('has quantiles within 1% of the exact ones', () => {
    fc.assert(
      fc.property(
        fc.array(seconds, { minLength: 1 }),
        fc.constantFrom(0.1, 0.5, 0.9),
        (values, part) => {
          const rank = Math.max(1, Math.ceil(part * values.length * (1 - 1e-12)));
          const exact = values.toSorted((a, b) => a - b)[rank - 1]!;
          const found = quantile(histogramOf(values), part)!;
          expect(Math.abs(found / exact - 1)).toBeLessThanOrEqual(ACCURACY * (1 + 1e-9));
        },
      ),
    );
  });

  it('counts values below the least one as that one', () => {
    expect(bucketOf(0)).toBe(bucketOf(LEAST));
    expect(Math.abs(valueOf(bucketOf(0)) / LEAST - 1)).toBeLessThanOrEqual(ACCURACY);
  });

  it('takes weights, in any order, and ignores empty buckets', () => {
    const buckets = [
      { bucket: 200, count: 0.3 },
      { bucket: 100, count: 0.1 },
      { bucket: 150, count: 0.1 },
      { bucket: 50, count: 0 },
    ];
    expect(quantile(buckets, 0)).toBe(valueOf(100));
    expect(quantile(buckets, 0.4)).toBe(valueOf(150));
    expect(quantile(buckets, 1)).toBe(valueOf(200));
  });

  it('has no quantiles without values', () => {
    expect(quantile([], 0.5)).toBeNull();
    expect(quantile([{ bucket: 1, count: 0 }], 0.5)).toBeNull();
  });
});
