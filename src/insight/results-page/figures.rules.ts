import { placesOf } from '../../access/company/currency.field';
import type { Interval } from '../../platform/statistics/interval.rules';

/*
 * Numbers and times as the page shows them. Nothing depends on the language of the machine.
 */

/** In place of a number that does not exist. */
export const NONE = '–';

const DECIMAL = new Intl.NumberFormat('en', {
  maximumFractionDigits: 2,
  // No -0 for what is rounded to 0.
  signDisplay: 'negative',
});
/** Always so many decimal places. */
const places = (digits: number, style?: 'percent') =>
  new Intl.NumberFormat('en', {
    style,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: 'negative',
  });
const PLACES = [places(0), places(1), places(2)] as const;
const MONEY = { 0: PLACES[0], 2: PLACES[2] };
const STRENGTH = places(3);
const PERCENT = places(1, 'percent');
const WHOLE_PERCENT = places(0, 'percent');

const inUtc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
const DATE = inUtc({ dateStyle: 'medium' });
const TIME = inUtc({ dateStyle: 'medium', timeStyle: 'short' });
const HOUR_OF_DAY = inUtc({ timeStyle: 'short' });
const DAY_OF_YEAR = inUtc({ day: 'numeric', month: 'short' });
const MONTH = inUtc({ month: 'short', year: 'numeric' });

type Format = (value: number) => string;

const formatted =
  (format: Format) =>
  (value: number | null | undefined): string =>
    value === null || value === undefined ? NONE : format(value);

export const decimal = formatted((value) => DECIMAL.format(value));
/** An amount with its currency, such as `1,234.50 EUR`. */
export const money = (amount: number | null | undefined, currency: string): string =>
  formatted((value) => `${MONEY[placesOf(currency)].format(value)} ${currency}`)(amount);
/** A mean, or what is compared with one. */
export const mean = formatted((value) => PLACES[2].format(value));
export const strength = formatted((value) => STRENGTH.format(value));
/** A share from 0 to 1, such as `60.4%`. */
export const percent = formatted((value) => PERCENT.format(value));
/** A share where there is little room, such as `60%`. */
export const wholePercent = formatted((value) => WHOLE_PERCENT.format(value));

/** Writes all of these numbers with as many decimals as one of them needs, and at most two. */
export function evenly(values: readonly (number | null)[]): (value: number | null) => string {
  const digits = values.map((value) => {
    const hundredths = Math.round((value ?? 0) * 100);
    return hundredths % 100 === 0 ? 0 : hundredths % 10 === 0 ? 1 : 2;
  });
  const format = PLACES[Math.max(0, ...digits) as 0 | 1 | 2];
  return formatted((value) => format.format(value));
}

/** Below this many seconds, a duration is in seconds. */
const MINUTES_FROM = 120;

/** A duration in seconds, such as `41.5 s` or `3 min 20 s`. */
export const duration = formatted((value) => {
  if (value < MINUTES_FROM) {
    return `${DECIMAL.format(value)} s`;
  }
  const seconds = Math.round(value);
  return `${DECIMAL.format(Math.floor(seconds / 60))} min ${seconds % 60} s`;
});

/** An interval, such as `55.0% to 65.5%`. */
export function between(interval: Interval | null | undefined, format: Format): string {
  return interval == null ? NONE : `${format(interval[0])} to ${format(interval[1])}`;
}

/** A moment in UTC, such as `22 Nov 2026, 18:14`. */
export const moment = (time: Date): string => TIME.format(time);

/** A day in UTC, such as `22 Nov 2026`. */
export const day = (time: Date): string => DATE.format(time);

const DAY = 86_400_000;

/** A tick of an axis of so many milliseconds, such as `18:00`, `22 Nov` or `Nov 2026`. */
export function tickName(time: Date, length: number): string {
  if (length > 300 * DAY) {
    return MONTH.format(time);
  }
  return (time.getTime() % DAY === 0 ? DAY_OF_YEAR : HOUR_OF_DAY).format(time);
}

/** A word with its number, such as `1 response` or `2 responses`. */
export function counted(count: number, word: string, words = `${word}s`): string {
  return `${DECIMAL.format(count)} ${count === 1 ? word : words}`;
}

/** Words as a sentence lists them, such as `3, 4 and 5`. */
export function listed(words: readonly (string | number)[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
