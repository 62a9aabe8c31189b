import type { PeriodDto } from './results-parts.dto';

const HOUR = 3_600_000;

/** From a Monday to the first hour of 1970, which was a Thursday. */
const SINCE_MONDAY = 3 * 24;

/** Periods of a timeline, in hours: hour, day, week, 4 and 52 weeks. Each divides the next. */
const WIDTHS = [1, 24, 7 * 24, 28 * 24, 364 * 24] as const;

/** Maximum number of periods of a timeline. */
export const PERIODS_MAXIMUM = 400;

/**
 * Groups hours into the shortest periods of which a timeline needs no more than `maximum`. Days
 * begin at midnight in UTC, and weeks on Monday. Periods in which nothing was submitted are left out.
 *
 * @param submitted responses by hours since 1970
 * @param spent money by hours since 1970
 */
export function timelineOf(
  submitted: ReadonlyMap<string, number>,
  spent: ReadonlyMap<string, number>,
  maximum = PERIODS_MAXIMUM,
): PeriodDto[] {
  const hours = [...submitted.keys()].map(Number);
  const first = hours.reduce((least, hour) => Math.min(least, hour), Infinity);
  const last = hours.reduce((most, hour) => Math.max(most, hour), -Infinity);
  const periodOf = (hour: number, width: number) => Math.floor((hour + SINCE_MONDAY) / width);
  const width =
    WIDTHS.find((each) => periodOf(last, each) - periodOf(first, each) < maximum) ??
    WIDTHS[WIDTHS.length - 1] ??
    1;
  const periods = new Map<number, PeriodDto>();
  for (const hour of hours.toSorted((a, b) => a - b)) {
    const from = periodOf(hour, width) * width - SINCE_MONDAY;
    const period = periods.get(from) ?? {
      from: new Date(from * HOUR),
      to: new Date((from + width) * HOUR),
      submitted: 0,
      spent: 0,
    };
    period.submitted += submitted.get(String(hour)) ?? 0;
    // Cents, so that amounts add up exactly.
    period.spent += Math.round((spent.get(String(hour)) ?? 0) * 100);
    periods.set(from, period);
  }
  return [...periods.values()].map((each) => ({ ...each, spent: each.spent / 100 }));
}

/** Groups the periods of a timeline into longer ones, of which there are no more than `maximum`. */
export function regrouped(timeline: readonly PeriodDto[], maximum: number): PeriodDto[] {
  const byHour = (amount: (period: PeriodDto) => number) =>
    new Map(timeline.map((each) => [String(each.from.getTime() / HOUR), amount(each)]));
  return timelineOf(
    byHour(({ submitted }) => submitted),
    byHour(({ spent }) => spent),
    maximum,
  );
}
