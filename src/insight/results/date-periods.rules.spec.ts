import { DATE_PERIODS_MAXIMUM, periodsOf } from './date-periods.rules';

const from = (days: number) =>
  Array.from({ length: days }, (_, day) =>
    new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10),
  );

describe('the periods of dates', () => {
  it('are as short as the dates, the oldest first', () => {
    const { precision, periods } = periodsOf(['2020-03-01', '2019-12-31'], 'day');
    expect(precision).toBe('day');
    expect([...periods]).toEqual([
      ['2019-12-31', ['2019-12-31']],
      ['2020-03-01', ['2020-03-01']],
    ]);
    expect(periodsOf([], 'month')).toEqual({ precision: 'month', periods: new Map() });
  });

  it('are longer where there would be too many', () => {
    expect(periodsOf(from(DATE_PERIODS_MAXIMUM), 'day').precision).toBe('day');
    const { precision, periods } = periodsOf(from(DATE_PERIODS_MAXIMUM + 1), 'day');
    expect(precision).toBe('month');
    expect(periods.get('2020-02')).toHaveLength(29);
    const years = Array.from({ length: 500 }, (_, year) => String(1500 + year));
    expect(periodsOf(years, 'year').periods.size).toBe(500);
  });

  it('are those of dates that are counted by month or year', () => {
    expect(periodsOf(['2020-03', '2020-04'], 'day').precision).toBe('month');
    expect(periodsOf(['2020', '2021'], 'month').precision).toBe('year');
  });
});
