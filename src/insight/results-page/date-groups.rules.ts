import type { DatePrecision } from '../../campaigns/questions/question.types';
import type { Interval } from '../../platform/statistics/interval.rules';
import { sumOf } from '../../platform/statistics/linear-algebra.rules';
import type { DatedDto } from '../results/measure-results.dto';
import { shareOf } from '../results/shares.rules';

/** Rows of a plot of dates that can be seen at once. */
export const PLOTTED_MAXIMUM = 24;

/** What the dates of a plot are put into, the shortest first, and the name of the one of a date. */
const UNITS = [
  ['day', (date: string) => date],
  ['month', (date: string) => date.slice(0, 7)],
  ['quarter', (date: string) => `${date.slice(0, 4)} Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`],
  ['year', (date: string) => date.slice(0, 4)],
  ['decade', (date: string) => `${date.slice(0, 3)}0 to ${date.slice(0, 3)}9`],
  ['century', (date: string) => `${date.slice(0, 2)}00 to ${date.slice(0, 2)}99`],
] as const;

type Dated = Pick<DatedDto, 'period' | 'count' | 'share'>;

interface Plotted {
  unit: (typeof UNITS)[number][0];
  groups: readonly { name: string; count: number; share: number | null; interval: Interval }[];
}

/**
 * Puts periods into longer ones until no more than {@link PLOTTED_MAXIMUM} are left, or into
 * centuries. Each respondent is in one of them, so the shares add up.
 *
 * @param periods the oldest first, each of the length that `precision` says
 * @param size how many responses of equal weight the shares are worth
 */
export function plottedDates(
  periods: readonly Dated[],
  precision: DatePrecision,
  size: number,
): Plotted {
  const longer = UNITS.slice(UNITS.findIndex(([unit]) => unit === precision));
  let plotted: Plotted = { unit: precision, groups: [] };
  for (const [unit, nameOf] of longer) {
    const groups = groupedBy(periods, nameOf);
    plotted = {
      unit,
      groups: [...groups].map(([name, members]) => ({
        name,
        count: sumOf(members.map(({ count }) => count)),
        // The rounded shares can add up to a little more than 1.
        ...shareOf(Math.min(1, sumOf(members.map(({ share }) => share ?? 0))), 1, size),
      })),
    };
    if (groups.size <= PLOTTED_MAXIMUM) {
      break;
    }
  }
  return plotted;
}

function groupedBy(periods: readonly Dated[], nameOf: (date: string) => string) {
  const groups = new Map<string, Dated[]>();
  for (const each of periods) {
    const name = nameOf(each.period);
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(each);
  }
  return groups;
}
