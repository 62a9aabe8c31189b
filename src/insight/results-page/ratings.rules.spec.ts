import fc from 'fast-check';
import { namedRatings, stepsOf } from './ratings.rules';

describe('the ratings that an axis names', () => {
  it.each([
    [
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4, 5],
    ],
    [
      Array.from({ length: 101 }, (_, index) => index),
      [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100],
    ],
    [
      Array.from({ length: 41 }, (_, index) => 1 + index / 10),
      [1, 1.4, 1.8, 2.2, 2.6, 3, 3.4, 3.8, 4.2, 4.6, 5],
    ],
  ])('of %j are %j', (ratings, named) => {
    expect(namedRatings(ratings)).toEqual(named);
  });

  it('can be given, are equally far apart, and fit a phone', () => {
    const scales = fc.record({
      min: fc.integer({ min: -1_000, max: 1_000 }),
      count: fc.integer({ min: 2, max: 101 }),
      step: fc.constantFrom(0.25, 0.5, 1, 10),
    });
    fc.assert(
      fc.property(scales, ({ min, count, step }) => {
        const ratings = Array.from({ length: count }, (_, index) => min + index * step);
        const places = namedRatings(ratings).map((rating) => ratings.indexOf(rating));
        expect(places).not.toContain(-1);
        expect(places.length).toBeGreaterThan(1);
        expect(places.length).toBeLessThanOrEqual(11);
        const gaps = places.slice(1).map((place, index) => place - places[index]!);
        expect(new Set(gaps).size).toBe(1);
      }),
    );
  });
});

describe('the steps of a histogram', () => {
  it('are one rating each, or several of which the last step can have fewer', () => {
    const counted = (...values: number[]) => values.map((value) => ({ value, count: 1 }));
    const ends = (steps: ReturnType<typeof stepsOf>) =>
      steps.map(({ first, last }) => [first, last]);
    expect(ends(stepsOf(counted(1, 1.5, 2), { max: 2, step: 0.5 }))).toEqual([
      [1, 1],
      [1.5, 1.5],
      [2, 2],
    ]);
    expect(ends(stepsOf(counted(0, 10, 20), { max: 25, step: 1 }))).toEqual([
      [0, 9],
      [10, 19],
      [20, 25],
    ]);
  });
});
