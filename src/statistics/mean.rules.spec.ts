import * as fc from 'fast-check';
import { meanWithInterval } from './mean.rules';

function momentsOf(values: number[]) {
  const sum = values.reduce((total, each) => total + each, 0);
  const mean = sum / values.length;
  const squaredDeviations = values.reduce((total, each) => total + (each - mean) ** 2, 0);
  return { n: values.length, sum, squaredDeviations };
}

describe('a mean', () => {
  it("has the interval of Student's sleep data (extra hours with the second drug)", () => {
    const { mean, standardDeviation, interval } = meanWithInterval(
      momentsOf([1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]),
    );
    expect(mean).toBeCloseTo(2.33, 9);
    expect(standardDeviation).toBeCloseTo(2.002249, 6);
    // t.test in R.
    expect(interval![0]).toBeCloseTo(0.8976775, 3);
    expect(interval![1]).toBeCloseTo(3.7623225, 3);
  });

  it('has no deviation and no interval below 2 values', () => {
    const none = { standardDeviation: null, interval: null };
    expect(meanWithInterval(momentsOf([]))).toEqual({ mean: null, ...none });
    expect(meanWithInterval(momentsOf([7]))).toEqual({ mean: 7, ...none });
    expect(meanWithInterval({ n: 3, sum: 9, squaredDeviations: 3 }, 1.5)).toEqual({
      mean: 3,
      ...none,
    });
  });

  it('has an interval where the effective size of 2 is a little less in floating point', () => {
    const moments = momentsOf([1, 3]);
    const [low, high] = meanWithInterval(moments, 2 - 5e-11).interval!;
    expect([low, high].map((each) => each.toFixed(3))).toEqual(
      meanWithInterval(moments).interval!.map((each) => each.toFixed(3)),
    );
  });

  it('is in its interval, which a smaller effective size widens', () => {
    const values = fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 3 });
    fc.assert(
      fc.property(values, (each) => {
        const moments = momentsOf(each);
        const { mean, interval } = meanWithInterval(moments);
        const [low, high] = interval!;
        const [wideLow, wideHigh] = meanWithInterval(moments, moments.n - 1).interval!;
        expect(low).toBeLessThanOrEqual(mean!);
        expect(high).toBeGreaterThanOrEqual(mean!);
        expect(wideLow).toBeLessThanOrEqual(low);
        expect(wideHigh).toBeGreaterThanOrEqual(high);
      }),
    );
  });
});
