import { scaleLinear } from 'd3-scale';
import { Content, html, Html } from '../site/html';
import type { Interval } from '../statistics/interval.rules';

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

interface BarPlot {
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
export function anchorAt(position: number): string {
  return position < 6 ? 'start' : position > 94 ? 'end' : 'middle';
}

/** A line from one end of an interval to the other, with its ends. */
export function whiskerPath([low, high]: Interval, at: (value: number) => number): string {
  const [from, to] = [short(at(low)), short(at(high))];
  return `M${from} 10H${to}M${from} 5v10M${to} 5v10`;
}

/** Draws values with their intervals, a row each, above one axis. */
export function barPlot({ name, bars, domain, format, dots = false }: BarPlot): Html {
  const scale = scaleLinear().domain(domain).range([0, 100]).clamp(true);
  const ticks = scale.ticks(TICKS);
  const grid = ticks.map((tick) => `M${short(scale(tick))} 0v20`).join('');
  const row = ({ label, value, interval, more = 0, text }: Bar) => {
    const x = value === null ? 0 : scale(value);
    const rest = value === null ? 0 : scale(value + more);
    return html`<div class="row">
      <span class="label" dir="auto">${label}</span
      ><svg viewBox="0 0 100 20" preserveAspectRatio="none">
        <path class="grid" d="${grid}" />
        ${
          value !== null &&
          (dots
            ? html`<path class="dot" d="M${short(x)} 10h0" />`
            : html`<path class="bar" d="M0 3H${short(x)}V17H0z" />`)
        }${more > 0 && html`<path class="more" d="M${short(x)} 3H${short(rest)}V17H${short(x)}z" />`}${
          interval != null && html`<path class="whisker" d="${whiskerPath(interval, scale)}" />`
        }</svg
      ><b>${text}</b>
    </div>`;
  };
  return html`<div class="plot" role="img" aria-label="${name}">
    ${bars.map(row)}
    <div class="row">
      <svg class="axis">
        ${ticks.map(
          (tick) =>
            html`<text x="${short(scale(tick))}%" y="12" text-anchor="${anchorAt(scale(tick))}"
              >${format(tick)}</text
            >`,
        )}
      </svg>
    </div>
  </div>`;
}
