import { meanWithInterval } from '../../platform/statistics/mean.rules';
import { meanAmount, Tallied, TallyRow } from './tally.rules';

describe('the moments of ratings', () => {
  const row = (kind: string, key: string, amount: string): TallyRow => ({
    kind,
    item: '1',
    keys: [key],
    amounts: `0 0 0 0 ${amount}`,
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
      const tallied = new Tallied({ cohorts: [1, 2, 3, 4, 5], weights });
      rows.forEach((each) => {
        tallied.add(each);
      });
      const moments = tallied.moments(['answered', 1], 'rating', 1);
      const { standardDeviation } = meanWithInterval(moments, tallied.sample('answered', 1));
      expect(standardDeviation).toBeCloseTo(deviation, 6);
    }
  });
});

describe('a mean amount', () => {
  it('is rounded half up, like every other amount', () => {
    expect(meanAmount(8.03, 2, 'EUR')).toBe(4.02);
    expect(meanAmount(8.02, 2, 'EUR')).toBe(4.01);
    expect(meanAmount(10, 3, 'EUR')).toBe(3.33);
    expect(meanAmount(0, 0, 'EUR')).toBeNull();
  });
});
