import * as fc from 'fast-check';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { Interval } from './interval.rules';
import { meanWithInterval, Moments } from './mean.rules';
import { effectiveSize } from './share.rules';

function momentsOf(values: readonly number[]): Moments {
  const sum = values.reduce((total, each) => total + each, 0);
  const mean = sum / values.length;
  const squaredDeviations = values.reduce((total, each) => total + (each - mean) ** 2, 0);
  return { n: values.length, sum, squaredDeviations };
}

const sampleOf = (responses: number) => ({ responses, size: responses });

const TEN: Interval = [0, 10];

/** The interval of the mean of ratings from 0 to 10. */
const rated = (ratings: readonly number[]) =>
  meanWithInterval(momentsOf(ratings), { ...sampleOf(ratings.length), scale: TEN }).interval;

const repeated = (count: number, value: number) => Array.from({ length: count }, () => value);

describe('a mean', () => {
  it("has the interval of Student's sleep data (extra hours with the second drug)", () => {
    const { mean, standardDeviation, interval } = meanWithInterval(
      momentsOf([1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]),
      sampleOf(10),
    );
    expect(mean).toBeCloseTo(2.33, 9);
    expect(standardDeviation).toBeCloseTo(2.002249, 6);
    // t.test in R.
    expect(interval![0]).toBeCloseTo(0.8976775, 6);
    expect(interval![1]).toBeCloseTo(3.7623225, 6);
  });

  it('has no deviation below 2 values, and no interval below 3', () => {
    const none = { standardDeviation: null, interval: null };
    for (const scale of [undefined, TEN]) {
      const of = (...values: number[]) =>
        meanWithInterval(momentsOf(values), { ...sampleOf(values.length), scale });
      expect(of()).toEqual({ mean: null, ...none });
      expect(of(7)).toEqual({ mean: 7, ...none });
      expect(of(6, 8)).toEqual({ mean: 7, standardDeviation: Math.SQRT2, interval: null });
      expect(of(6, 7, 8).interval).not.toBeNull();
    }
  });

  it('is in its interval, which a smaller effective size widens', () => {
    const values = fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 3 });
    fc.assert(
      fc.property(
        values,
        fc.constantFrom(undefined, [-1_000, 1_000] as Interval),
        (each, scale) => {
          const moments = momentsOf(each);
          const sample = { ...sampleOf(each.length), scale };
          const { mean, interval } = meanWithInterval(moments, sample);
          const wide = meanWithInterval(moments, { ...sample, size: each.length - 0.5 }).interval!;
          expect(interval![0]).toBeLessThanOrEqual(mean!);
          expect(interval![1]).toBeGreaterThanOrEqual(mean!);
          expect(wide[0]).toBeLessThanOrEqual(interval![0] + 1e-6);
          expect(wide[1]).toBeGreaterThanOrEqual(interval![1] - 1e-6);
        },
      ),
    );
  });

  it.each([
    ['3', [2, 1]],
    ['6', [4, 2]],
  ])('of %s values hardly changes if a weight is 0.999999 in place of 1', (_, [ones, others]) => {
    const of = (weight: number) => {
      const strata = [
        { weight: 1, count: ones! },
        { weight, count: others! },
      ];
      const n = ones! + weight * others!;
      const sum = 2 * ones! + 7 * weight * others!;
      const squares = 4 * ones! + 49 * weight * others!;
      return meanWithInterval(
        { n, sum, squaredDeviations: squares - (sum * sum) / n },
        { responses: ones! + others!, size: effectiveSize(strata) },
      ).interval!;
    };
    const close = (each: number) => expect.closeTo(each, 4);
    expect(of(0.999999)).toEqual(of(1).map(close));
  });
});

describe('the interval of the mean of bounded values', () => {
  it.each([
    // Beta quantiles, by another library.
    [0, 10, 0, 0.3084971],
    [3, 10, 0.0667395, 0.6524529],
    [10, 10, 0.6915029, 1],
    [29, 30, 0.8278305, 0.9991564],
    [81, 263, 0.2527367, 0.3676219],
  ])('of %d ones in %d is that of Clopper and Pearson', (ones, n, low, high) => {
    const values = [...repeated(ones, 1), ...repeated(n - ones, 0)];
    const { interval } = meanWithInterval(momentsOf(values), { ...sampleOf(n), scale: [0, 1] });
    expect(interval![0]).toBeCloseTo(low, 6);
    expect(interval![1]).toBeCloseTo(high, 6);
  });

  it('says little after three tens, and never leaves the scale', () => {
    const three = rated([10, 10, 10]);
    expect(three).toEqual([expect.closeTo(2.924, 3), 10]);
    expect(rated([0, 9, 10])![1]).toBeLessThanOrEqual(10);
    const ratings = fc.array(fc.integer({ min: 0, max: 10 }), { minLength: 3, maxLength: 50 });
    fc.assert(
      fc.property(ratings, (each) => {
        const [low, high] = rated(each)!;
        const [mirroredLow, mirroredHigh] = rated(each.map((rating) => 10 - rating))!;
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(10);
        expect(mirroredLow).toBeCloseTo(10 - high, 9);
        expect(mirroredHigh).toBeCloseTo(10 - low, 9);
      }),
    );
  });

  it("is close to Student's for many values", () => {
    const values = Array.from({ length: 3_000 }, (_, index) => index % 11);
    const student = meanWithInterval(momentsOf(values), sampleOf(3_000)).interval!;
    expect(rated(values)).toEqual(student.map((each) => expect.closeTo(each, 1)));
  });

  /** The likelihood of each rating from 0 to 10. docs/results.md has what this test finds. */
  const POPULATIONS: Record<string, readonly number[]> = {
    '98% tens, 2% zeros': [0.02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.98],
    '95% tens, 5% zeros': [0.05, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.95],
    '90% tens, 10% nines': [0, 0, 0, 0, 0, 0, 0, 0, 0, 0.1, 0.9],
    '80% tens, the rest even': [...repeated(10, 0.02), 0.8],
    'mostly high': [0.01, 0.01, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.2, 0.3, 0.2],
    even: repeated(11, 1 / 11),
    '97% sevens, 3% tens': [0, 0, 0, 0, 0, 0, 0, 0.97, 0, 0, 0.03],
  };

  it.each(Object.entries(POPULATIONS))('covers the mean of %s', (_, likelihoods) => {
    const random = xoroshiro128plus(2026);
    const draw = () => {
      let left = (random.next() >>> 0) / 2 ** 32;
      return Math.max(
        0,
        likelihoods.findIndex((each) => (left -= each) < 0),
      );
    };
    const truth = likelihoods.reduce((sum, each, rating) => sum + each * rating, 0);
    const known = new Map<string, Interval>();
    for (const size of [3, 10, 30, 100]) {
      const rounds = 500;
      let covered = 0;
      for (let round = 0; round < rounds; round++) {
        const ratings = Array.from({ length: size }, draw).sort();
        const [low, high] = known.get(String(ratings)) ?? rated(ratings)!;
        known.set(String(ratings), [low, high]);
        covered += Number(low <= truth && truth <= high);
      }
      // 95% but for the chance of a simulation: three standard errors.
      expect(covered / rounds).toBeGreaterThan(0.93);
    }
  });
});
