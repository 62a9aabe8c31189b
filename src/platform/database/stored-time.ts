import { types } from 'pg';

type ParseDate = (text: string) => Date | number | null;

const parseDate = types.getTypeParser(types.builtins.TIMESTAMPTZ) as ParseDate;

/**
 * Reads a time of PostgreSQL, such as `2026-01-31 12:00:00.123456+00`, to the millisecond. It is
 * printed from the same text: a `Date` takes one microsecond more to be read from text and printed
 * again, and a list has dozens. In all else it is the `Date` that it is equal to.
 *
 * @returns `Infinity` or `-Infinity` for a time that is infinite
 * @throws Error if the text is in another `DateStyle`, which pg reads as `null`
 */
export function parseTime(text: string): Date {
  if (!isPlainUtc(text)) {
    const time = parseDate(text);
    if (time === null || Number.isNaN(Number(time))) {
      throw new Error(`the database returned a time in an unknown format: ${text}`);
    }
    return time as Date;
  }
  // PostgreSQL leaves out the zeros at the end of a fraction.
  const fraction = text.slice(20, -3).slice(0, 3).padEnd(3, '0');
  const printed = `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`;
  // A property that is enumerable, or a class, would make it unequal to every other `Date`.
  return Object.defineProperty(new Date(printed), 'toJSON', { value: () => printed });
}

/** Whether a time is in UTC and in a year from 1000 to 9999, as JSON writes it with four digits. */
function isPlainUtc(text: string): boolean {
  return text.endsWith('+00') && text[4] === '-' && text[10] === ' ' && !text.startsWith('0');
}
