import type { PeriodDto } from './results-parts.dto';

const HOUR = 3_600_000;

/** From a Monday to the first hour of 1970, which was a Thursday. */
const SINCE_MONDAY = 3 * 24;

/** Periods of a timeline, in hours: hour, day, week, 4 and 52 weeks. Each divides the next. */
const WIDTHS = [1, 24, 7 * 24, 28 * 24, 364 * 24] as const;

/** Maximum number of periods of a timeline. */
export const PERIODS_MAXIMUM = 400;

const periodOf = (hour: number, width: number) => Math.floor((hour + SINCE_MONDAY) / width);

/** Hours of the shortest periods of which these hours need no more than `maximum`. */
function widthOf(hours: Iterable<string>, maximum: number): number {
  let first = Infinity;
  let last = -Infinity;
  for (const hour of hours) {
    first = Math.min(first, Number(hour));
    last = Math.max(last, Number(hour));
  }
  return (
    WIDTHS.find((each) => periodOf(last, each) - periodOf(first, each) < maximum) ??
    WIDTHS[WIDTHS.length - 1] ??
    1
  );
}

/** A timeline that is made hour by hour: there can be tens of thousands of them. */
export class Timeline {
  /** By the hour in which they begin; `cents`, so that amounts add up exactly. */
  private readonly found = new Map<number, { submitted: number; cents: number }>();
  private readonly width: number;

  /**
   * @param hours those since 1970 in which something was submitted
   * @param maximum of periods
   */
  constructor(hours: Iterable<string>, maximum = PERIODS_MAXIMUM) {
    this.width = widthOf(hours, maximum);
  }

  addSubmitted(hour: string, responses: number): void {
    this.at(hour).submitted += responses;
  }

  addSpent(hour: string, amount: number): void {
    this.at(hour).cents += Math.round(amount * 100);
  }

  /**
   * The periods in order. Days begin at midnight in UTC, and weeks on Monday. Empty
   * periods are left out.
   */
  periods(): PeriodDto[] {
    return [...this.found]
      .toSorted(([a], [b]) => a - b)
      .map(([from, { submitted, cents }]) => ({
        from: new Date(from * HOUR),
        to: new Date((from + this.width) * HOUR),
        submitted,
        spent: cents / 100,
      }));
  }

  private at(hour: string) {
    const from = periodOf(Number(hour), this.width) * this.width - SINCE_MONDAY;
    const period = this.found.get(from) ?? { submitted: 0, cents: 0 };
    this.found.set(from, period);
    return period;
  }
}

/**
 * Groups hours into a timeline.
 *
 * @param submitted responses by hours since 1970
 * @param spent money by hours since 1970
 */
export function timelineOf(
  submitted: ReadonlyMap<string, number>,
  spent: ReadonlyMap<string, number>,
  maximum = PERIODS_MAXIMUM,
): PeriodDto[] {
  const timeline = new Timeline(submitted.keys(), maximum);
  submitted.forEach((responses, hour) => {
    timeline.addSubmitted(hour, responses);
    timeline.addSpent(hour, spent.get(hour) ?? 0);
  });
  return timeline.periods();
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
