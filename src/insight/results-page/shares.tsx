import type { Content } from '../../platform/site/html';
import type { Interval } from '../../platform/statistics/interval.rules';
import { axisEnd, BarPlot } from './bar-plot';
import { between, decimal, percent, wholePercent } from './figures.rules';
import { Table } from './table';

/** What stands in place of a plot that has nothing to show. */
export const Nothing = () => <p class="nothing">No responses yet.</p>;

/** How many gave an answer, or are in a group. */
export interface Share {
  /** Its name in the table. */
  name: Content;
  /** Its name in the plot, if that is another one. */
  label?: Content;
  count: number;
  share: number | null;
  interval: Interval;
  /** Further cells of the table, before the others. */
  more?: readonly Content[];
}

interface Numbers {
  /** What the plot shows. */
  name: string;
  /** The names of the columns of the table, without those of the interval and the share. */
  head: readonly string[];
  shares: readonly Share[];
  /** What the plot has in place of the shares, if they are too many for it. */
  plotted?: readonly Share[];
}

/** Below this share, an axis to 100% would leave nothing to see. */
const SMALL = 0.5;

/** The ticks of an axis to 100%, few enough for a phone. */
const QUARTERS = [0, 0.25, 0.5, 0.75, 1];

/** The end of the axis: 1, unless all shares and their intervals are small. */
function endOf(shares: readonly Share[]): number {
  const end = axisEnd(shares.map(({ interval }) => interval[1]));
  return end < SMALL ? end : 1;
}

/** A plot of shares with their intervals, and a table below it. */
export function Shares({ name, head, shares, plotted = shares }: Numbers) {
  const end = endOf(plotted);
  return (
    <>
      {shares.every(({ share }) => share === null) ? (
        <Nothing />
      ) : (
        <BarPlot
          name={`${name}, with 95% intervals; the table has the numbers`}
          bars={plotted.map((each) => ({
            label: each.label ?? each.name,
            value: each.share,
            interval: each.interval,
            text: percent(each.share),
            count: decimal(each.count),
          }))}
          domain={[0, end]}
          ticks={end === 1 ? QUARTERS : undefined}
          format={wholePercent}
        />
      )}
      <Table
        head={[...head, 'Share', '95% interval']}
        rows={shares.map(({ name: own, more = [], count, share, interval }) => [
          own,
          ...more,
          decimal(count),
          percent(share),
          between(share === null ? null : interval, percent),
        ])}
        isFolded
      />
    </>
  );
}
