import { scaleLinear } from 'd3-scale';
import type { Content } from '../../platform/site/html';
import type { Interval } from '../../platform/statistics/interval.rules';

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
}

interface Plot {
  /** What the plot shows, for those who cannot see it. */
  name: string;
  bars: readonly Bar[];
  /** The ends of the axis. */
  domain: readonly [low: number, high: number];
  /** A tick of the axis as text. */
  format: (value: number) => string;
  /** A dot in place of a bar, for values that do not begin at 0. */
  dots?: boolean;
}

const TICKS = 4;

/** At most two decimals, so that a path has few bytes. */
export const short = (value: number): string => String(Number(value.toFixed(2)));

/** The end of an axis from 0, a little beyond the largest of these values. */
export function axisEnd(values: readonly number[]): number {
  const [, end = 1] = scaleLinear()
    .domain([0, Math.max(0, ...values) || 1])
    .nice(TICKS)
    .domain();
  return end;
}

/** Where the text of a tick stands, so that those at the ends are not cut off. */
function anchorAt(position: number) {
  return position < 6 ? 'start' : position > 94 ? 'end' : 'middle';
}

/** A line from one end of an interval to the other, with its ends; `y` is its height. */
export function whiskerPath([low, high]: Interval, at: (value: number) => number, y: number) {
  const [from, to] = [short(at(low)), short(at(high))];
  const end = `${y / 2}v${y}`;
  return `M${from} ${y}H${to}M${from} ${end}M${to} ${end}`;
}

/** Draws values with their intervals, a row each, above one axis. */
export function BarPlot({ name, bars, domain, format, dots = false }: Plot) {
  const scale = scaleLinear().domain(domain).range([0, 100]).clamp(true);
  const at = (value: number) => short(scale(value));
  const ticks = scale.ticks(TICKS);
  const grid = ticks.map((tick) => `M${at(tick)} 0v20`).join('');
  return (
    <div class="plot" role="img" aria-label={name}>
      {bars.map(({ label, value, interval, more = 0, text }) => {
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
          </div>
        );
      })}
      <div class="row">
        <Axis ticks={ticks.map((tick) => ({ at: scale(tick), text: format(tick) }))} />
      </div>
    </div>
  );
}

/** The texts of an axis, each at its place in hundredths of the width. */
export function Axis({ ticks }: { ticks: readonly { at: number; text: string }[] }) {
  return (
    <svg class="axis">
      {ticks.map(({ at, text }) => (
        <text x={`${short(at)}%`} y="12" text-anchor={anchorAt(at)}>
          {text}
        </text>
      ))}
    </svg>
  );
}
