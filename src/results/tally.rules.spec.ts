import { meanWithInterval } from '../statistics/mean.rules';
import { meanAmount, Tallied } from './tally.rules';

const NONE = { cohort_1: '0', cohort_2: '0', cohort_3: '0', cohort_4: '0' };

describe('the moments of ratings', () => {
  const row = (kind: string, key: string, amount: string) => ({
    kind,
    item: '1',
    key,
    ...NONE,
    cohort_5: amount,
  });

  it.each([
    ['far from 0, and close together', '100', '99999999.5', '99999999000000.005', 0.005025],
    ['that are equal', '2', '1400000.2', '980000280000.02', 0],
  ])('are exact for ratings %s', (_, n, sum, squares, deviation) => {
    const rows = [
      row('answered', '', n),
      row('rating', 'sum', sum),
      row('rating', 'squares', squares),
    ];
    for (const weights of [undefined, [1, 1, 1, 1, 0.3]]) {
      const tallied = new Tallied(rows, { cohorts: [1, 2, 3, 4, 5], weights });
      const moments = tallied.moments(['answered', 1], 'rating', 1);
      const { standardDeviation } = meanWithInterval(moments, tallied.size('answered', 1));
      expect(standardDeviation).toBeCloseTo(deviation, 6);
    }
  });
});

describe('a mean amount', () => {
  it('is rounded half up, like every other amount', () => {
    expect(meanAmount(8.03, 2)).toBe(4.02);
    expect(meanAmount(8.02, 2)).toBe(4.01);
    expect(meanAmount(10, 3)).toBe(3.33);
    expect(meanAmount(0, 0)).toBeNull();
  });
});
