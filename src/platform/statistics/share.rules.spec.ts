import * as fc from 'fast-check';
import { effectiveSize, weightedCount, wilson } from './share.rules';

describe("Wilson's interval", () => {
  // R. G. Newcombe, Statistics in Medicine 17 (1998), 857–872, table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %d in %d is %d to %d', (successes, n, low, high) => {
    const [lower, upper] = wilson(successes, n);
    expect(lower).toBeCloseTo(low, 4);
    expect(upper).toBeCloseTo(high, 4);
  });

  it('is everything without trials', () => {
    expect(wilson(0, 0)).toEqual([0, 1]);
  });

  it('is within [0, 1], contains the share, mirrors, and widens with the confidence', () => {
    const trials = fc
      .double({ min: 0.1, max: 1e7, noNaN: true })
      .chain((n) => fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constant(n)));
    fc.assert(
      fc.property(trials, ([share, n]) => {
        const [low, high] = wilson(share * n, n);
        const [wideLow, wideHigh] = wilson(share * n, n, 0.99);
        const [mirroredLow, mirroredHigh] = wilson((1 - share) * n, n);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual((share * n) / n);
        expect(high).toBeGreaterThanOrEqual((share * n) / n);
        expect(wideLow).toBeLessThanOrEqual(low + 1e-12);
        expect(wideHigh).toBeGreaterThanOrEqual(high - 1e-12);
        expect(mirroredLow).toBeCloseTo(1 - high, 9);
        expect(mirroredHigh).toBeCloseTo(1 - low, 9);
      }),
    );
  });
});

describe("Kish's effective size", () => {
  it('of 50 responses of weight 1 and 50 of weight 2 is 90', () => {
    const strata = [
      { weight: 1, count: 50 },
      { weight: 2, count: 50 },
    ];
    expect(weightedCount(strata)).toBe(150);
    expect(effectiveSize(strata)).toBe(90);
  });

  it('is 0 without responses or weights', () => {
    expect(effectiveSize([])).toBe(0);
    expect(effectiveSize([{ weight: 0, count: 7 }])).toBe(0);
  });

  const strata = fc.array(
    fc.record({
      weight: fc.double({ min: 0.001, max: 1, noNaN: true }),
      count: fc.integer({ min: 1, max: 1_000_000 }),
    }),
    { minLength: 1, maxLength: 5 },
  );

  it('is n / (1 + cv²) of the weights (Kish 1992)', () => {
    fc.assert(
      fc.property(strata, (each) => {
        const n = each.reduce((sum, { count }) => sum + count, 0);
        const mean = weightedCount(each) / n;
        const squares = each.reduce(
          (sum, { weight, count }) => sum + count * (weight - mean) ** 2,
          0,
        );
        expect(effectiveSize(each) / (n / (1 + squares / n / mean ** 2))).toBeCloseTo(1, 9);
      }),
    );
  });

  it('is at most the number of responses, and equals it if all weights are equal', () => {
    fc.assert(
      fc.property(strata, (each) => {
        const n = each.reduce((sum, { count }) => sum + count, 0);
        expect(effectiveSize(each)).toBeLessThanOrEqual(n * (1 + 1e-12));
        expect(effectiveSize(each.map(({ count }) => ({ count, weight: 1 })))).toBe(n);
      }),
    );
  });
});
