import fc from 'fast-check';
import { PLOTTED_MAXIMUM, plottedDates } from './date-groups.rules';

const given = (period: string) => ({ period, count: 1, share: 0.01 });

/** So many months from January 2020 on. */
const months = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    given(new Date(Date.UTC(2020, index)).toISOString().slice(0, 7)),
  );

describe('the dates of a plot', () => {
  it('are the periods themselves up to 24', () => {
    const { unit, groups } = plottedDates(months(PLOTTED_MAXIMUM), 'month', 100);
    expect(unit).toBe('month');
    expect(groups.map(({ name }) => name)).toEqual(months(24).map(({ period }) => period));
  });

  it('are quarters of more months, with the sums of their shares and the intervals of these', () => {
    const { unit, groups } = plottedDates(months(70), 'month', 100);
    expect(unit).toBe('quarter');
    expect(groups).toHaveLength(24);
    expect(groups[0]).toMatchObject({ name: '2020 Q1', count: 3, share: 0.03 });
    // Wilson's interval of 3 of 100.
    expect(groups[0]?.interval).toEqual([0.010255, 0.084519]);
    expect(groups.at(-1)).toMatchObject({ name: '2025 Q4', count: 1 });
  });

  it.each([
    ['day', ['2020-02-28', '2021-12-31'], 40, 'month'],
    ['day', ['2020-01-01', '2025-06-01'], 400, 'quarter'],
    ['month', ['2000-01', '2023-12'], 200, 'year'],
    ['year', ['1900', '2019'], 120, 'decade'],
    ['year', ['1000', '2019'], 900, 'century'],
  ] as const)('are longer than a %s from %j, if there are %d', (precision, [from, to], n, unit) => {
    const [start, end] = [Date.parse(from), Date.parse(to)];
    const periods = Array.from({ length: n }, (_, index) =>
      new Date(start + ((end - start) * index) / (n - 1)).toISOString().slice(0, from.length),
    );
    const found = plottedDates([...new Set(periods)].map(given), precision, 100);
    expect(found.unit).toBe(unit);
    expect(found.groups.length).toBeLessThanOrEqual(PLOTTED_MAXIMUM);
  });

  it('keep every answer, and their order', () => {
    const days = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(fc.array(days, { maxLength: 60 }), (dates) => {
        const texts = new Set(dates.map((date) => date.toISOString().slice(0, 10)));
        const periods = [...texts].sort().map(given);
        const { groups } = plottedDates(periods, 'day', 100);
        expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(periods.length);
        const names = groups.map(({ name }) => name);
        expect(names).toEqual([...new Set(names)].sort());
      }),
    );
  });
});
