import fc from 'fast-check';
import { cohortOf } from './attention.rules';

describe('the cohort of an attention score (section 2.3)', () => {
  it.each([
    [0, 1],
    [0.01, 1],
    [1.99, 1],
    [2, 2],
    [3.99, 2],
    [4, 3],
    [5.99, 3],
    [6, 4],
    [7.99, 4],
    [8, 5],
    [9.99, 5],
    [10, 5],
  ])('puts %d into cohort %d', (score, cohort) => {
    expect(cohortOf(score)).toBe(cohort);
  });

  it('agrees with a search through the bands in whole hundredths', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1000 }), (hundredths) => {
        const bands = [200, 400, 600, 800, Infinity];
        expect(cohortOf(hundredths / 100)).toBe(bands.findIndex((end) => hundredths < end) + 1);
      }),
    );
  });
});
