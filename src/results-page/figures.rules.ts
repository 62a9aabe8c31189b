import type { Interval } from '../statistics/interval.rules';

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
const MONEY = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const STRENGTH = new Intl.NumberFormat('en', {
  minimumFractionDigits: 3,
  maximumFractionDigits: 3,
});
const PERCENT = new Intl.NumberFormat('en', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const TIME = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

type Format = (value: number) => string;

const formatted =
  (format: Format) =>
  (value: number | null | undefined): string =>
    value === null || value === undefined ? NONE : format(value);

export const decimal = formatted((value) => DECIMAL.format(value));
/** An amount with its currency, such as `1,234.50 EUR`. */
export const money = (amount: number | null | undefined, currency: string): string =>
  formatted((value) => `${MONEY.format(value)} ${currency}`)(amount);
export const strength = formatted((value) => STRENGTH.format(value));
/** A share from 0 to 1, such as `60.4%`. */
export const percent = formatted((value) => PERCENT.format(value));

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

const HOUR_OF_DAY = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });
const DAY_OF_YEAR = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const MONTH = new Intl.DateTimeFormat('en-GB', {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

const DAY = 86_400_000;

/** A tick of an axis of so many milliseconds, such as `18:00`, `22 Nov` or `Nov 2026`. */
export function tickName(time: Date, length: number): string {
  if (length > 300 * DAY) {
    return MONTH.format(time);
  }
  return (time.getTime() % DAY === 0 ? DAY_OF_YEAR : HOUR_OF_DAY).format(time);
}

/** A word with its number, such as `1 response` or `2 responses`. */
export function counted(count: number, word: string): string {
  return `${DECIMAL.format(count)} ${word}${count === 1 ? '' : 's'}`;
}

/** Words as a sentence lists them, such as `3, 4 and 5`. */
export function listed(words: readonly (string | number)[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
