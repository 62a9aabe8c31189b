import { DATE_PRECISIONS, DatePrecision } from '../../campaigns/questions/question.types';
import { DATE_EXAMPLES } from '../../campaigns/questions/date.rules';

/** Months and days that dates are counted by at most; beyond that, longer periods are. */
export const DATE_PERIODS_MAXIMUM = 400;

/** Years that the results of a question have at most: the most frequent ones. */
export const PERIODS_MAXIMUM = 1_000;

/**
 * Puts dates into periods, the oldest first: those of the shortest length of which no more than
 * {@link DATE_PERIODS_MAXIMUM} are needed, or years.
 *
 * @param dates each once; some can be truncated to a month or a year
 * @param finest the precision of the question
 */
export function periodsOf(
  dates: readonly string[],
  finest: DatePrecision,
): { precision: DatePrecision; periods: ReadonlyMap<string, readonly string[]> } {
  const shortest = Math.min(10, ...dates.map(({ length }) => length));
  const longer = DATE_PRECISIONS.slice(DATE_PRECISIONS.indexOf(finest)).filter(
    (precision) => DATE_EXAMPLES[precision].length <= shortest,
  );
  for (const precision of longer) {
    const periods = groupBy(dates, DATE_EXAMPLES[precision].length);
    if (periods.size <= DATE_PERIODS_MAXIMUM) {
      return { precision, periods };
    }
  }
  return { precision: 'year', periods: groupBy(dates, DATE_EXAMPLES.year.length) };
}

function groupBy(dates: readonly string[], length: number): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const date of dates.toSorted()) {
    const period = date.slice(0, length);
    const group = groups.get(period) ?? [];
    groups.set(period, group);
    group.push(date);
  }
  return groups;
}
