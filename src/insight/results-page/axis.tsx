import type { Interval } from '../../platform/statistics/interval.rules';

/*
 * What plots have in common. Their lengths are in hundredths of an axis.
 */

/** At most two decimals, so that a path has few bytes. */
export const short = (value: number): string => String(Number(value.toFixed(2)));

/** Where the text of a tick stands, so that those at the ends are not cut off. */
function anchorAt(position: number) {
  return position < 3 ? 'start' : position > 97 ? 'end' : 'middle';
}

/** A text below an axis, at its place in hundredths of the width. */
export interface TickText {
  at: number;
  text: string;
}

/** The texts of an axis. */
export function Axis({ texts }: { texts: readonly TickText[] }) {
  return (
    <svg class="axis">
      {texts.map(({ at, text }) => (
        <text x={`${short(at)}%`} y="12" text-anchor={anchorAt(at)}>
          {text}
        </text>
      ))}
    </svg>
  );
}

/** A line from one end of an interval to the other, with its ends; `y` is its height. */
export function whiskerPath([low, high]: Interval, at: (value: number) => number, y: number) {
  const [from, to] = [short(at(low)), short(at(high))];
  const end = `${y / 2}v${y}`;
  return `M${from} ${y}H${to}M${from} ${end}M${to} ${end}`;
}
