import { scaleLinear } from 'd3-scale';
import type { Content } from '../../platform/site/html';
import type { Interval } from '../../platform/statistics/interval.rules';
import { Axis, short, TickText, whiskerPath } from './axis';
import { evenly } from './figures.rules';

/*
 * Plots with a row for each value. An SVG stretches with its row: lengths are in hundredths of the
 * axis, and lines keep their width. Labels are HTML, so that they wrap and keep their size.
 */

interface Bar {
  label: Content;
  /** `null` without answers. */
  value: number | null;
  interval?: Interval | null;
  /** A part after the bar, such as what is held besides what is spent. */
  more?: number;
  /** The value as text. */
  text: string;
  /** A number beside it, such as that of the answers. */
  count?: string;
}

interface Plot {
  /** What the plot shows, for those who cannot see it. */
  name: string;
  bars: readonly Bar[];
  /** The ends of the axis. */
  domain: readonly [low: number, high: number];
  /** The values that the axis names; by default, round ones. */
  ticks?: readonly number[];
  /** The ticks of the axis as texts; by default, with equally many decimals. */
  format?: (value: number) => string;
  /** A dot in place of a bar, for values that do not begin at 0. */
  dots?: boolean;
}

const TICKS = 4;

/** The end of an axis from 0, a little beyond the largest of these values. */
export function axisEnd(values: readonly number[]): number {
  const [, end = 1] = scaleLinear()
    .domain([0, Math.max(0, ...values) || 1])
    .nice(TICKS)
    .domain();
  return end;
}

/** Draws values with their intervals, a row each, above one axis. */
export function BarPlot({ name, bars, domain, ticks, format, dots = false }: Plot) {
  const scale = scaleLinear().domain(domain).range([0, 100]).clamp(true);
  const at = (value: number) => short(scale(value));
  const named = ticks ?? scale.ticks(TICKS);
  const textOf = format ?? evenly(named);
  const grid = named.map((tick) => `M${at(tick)} 0v20`).join('');
  const hasCounts = bars.some(({ count }) => count !== undefined);
  const texts: TickText[] = named.map((tick) => ({ at: scale(tick), text: textOf(tick) }));
  return (
    <div class={`plot${hasCounts ? ' counted' : ''}`} role="img" aria-label={name}>
      {bars.map(({ label, value, interval, more = 0, text, count }) => {
        const end = at(value ?? 0);
        const shape = dots ? `M${end} 10h0` : `M0 3H${end}V17H0z`;
        return (
          <div class="row">
            <span class="label" dir="auto">
              {label}
            </span>
            <svg viewBox="0 0 100 20" preserveAspectRatio="none">
              <path class="grid" d={grid} />
              {value !== null && <path class={dots ? 'dot' : 'bar'} d={shape} />}
              {more > 0 && (
                <path class="more" d={`M${end} 3H${at((value ?? 0) + more)}V17H${end}z`} />
              )}
              {interval && <path class="whisker" d={whiskerPath(interval, scale, 10)} />}
            </svg>
            <b>{text}</b>
            {count !== undefined && <i>{count}</i>}
          </div>
        );
      })}
      <div class="row">
        <Axis texts={texts} />
      </div>
    </div>
  );
}
