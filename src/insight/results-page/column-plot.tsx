import { scaleLinear } from 'd3-scale';
import type { Interval } from '../../platform/statistics/interval.rules';
import { Axis, short, TickText, whiskerPath } from './axis';
import { decimal } from './figures.rules';

interface Column {
  from: number;
  to: number;
  count: number;
}

interface Plot {
  /** What the plot shows, for those who cannot see it. */
  name: string;
  columns: readonly Column[];
  /** The ends of the axis below. */
  domain: readonly [low: number, high: number];
  /** The texts of the axis below, each at its value, in one or several lines. */
  ticks: readonly (readonly TickText[])[];
  /** The highest count of all plots that have one axis; by default, that of this plot. */
  most?: number;
  /** A value that is marked above the columns, with its interval. */
  mark?: { value: number; interval: Interval | null };
  /** Places on the axis that a line marks. */
  lines?: readonly number[];
}

const TICKS = 4;

/** Room above the highest column, in hundredths of the height. */
const MARGIN = 20;

/** Fewer columns than this do not get the whole width. */
const COLUMNS_MINIMUM = 8;

/**
 * Draws counts as columns. The SVG stretches: lengths are in hundredths of the axes, lines keep
 * their width, and the texts are in SVGs beside it that do not stretch.
 */
export function ColumnPlot(plot: Plot) {
  const { name, columns, domain, ticks, mark, lines = [] } = plot;
  const { most = Math.max(1, ...columns.map(({ count }) => count)) } = plot;
  const x = scaleLinear().domain(domain).range([0, 100]);
  const y = scaleLinear()
    .domain([0, most])
    .range([100, mark === undefined ? 4 : MARGIN]);
  // Counts are whole.
  const counts = y.ticks(TICKS).filter((tick) => Number.isInteger(tick));
  const path = columns
    .filter(({ count }) => count > 0)
    .map(({ from, to, count }) => `M${short(x(from))} 100V${short(y(count))}H${short(x(to))}V100z`)
    .join('');
  const [first] = columns;
  const room = first === undefined ? 0 : (domain[1] - domain[0]) / (first.to - first.from);
  const size = room < COLUMNS_MINIMUM ? ' few' : '';
  return (
    <div class={`plot columns${size}`} role="img" aria-label={name}>
      <svg class="counts">
        {counts.map((tick) => (
          <text x="100%" y={`${short(y(tick))}%`} dy="4" text-anchor="end">
            {decimal(tick)}
          </text>
        ))}
      </svg>
      <svg class="field" viewBox="0 0 100 100" preserveAspectRatio="none">
        <path class="grid" d={counts.map((tick) => `M0 ${short(y(tick))}h100`).join('')} />
        <path class="bar" d={path} />
        {mark?.interval && <path class="whisker" d={whiskerPath(mark.interval, x, 8)} />}
        {mark && <path class="dot" d={`M${short(x(mark.value))} 8h0`} />}
        {lines.length > 0 && (
          <path class="line" d={lines.map((at) => `M${short(x(at))} 0V100`).join('')} />
        )}
      </svg>
      {ticks.map((line) => (
        <Axis texts={line.map(({ at, text }) => ({ at: x(at), text }))} />
      ))}
    </div>
  );
}
