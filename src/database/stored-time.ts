import { types } from 'pg';

const parseDate = types.getTypeParser(types.builtins.TIMESTAMPTZ) as (text: string) => Date;

const ZERO = '0'.charCodeAt(0);

/**
 * A time that prints itself from the database's text. A `Date` takes two microseconds longer to be
 * read from text and printed again, and a list has dozens of times.
 */
class StoredTime extends Date {
  constructor(
    moment: number,
    private readonly text: string,
  ) {
    super(moment);
  }

  override toJSON(): string {
    return this.text;
  }
}

/**
 * Reads a time of PostgreSQL, such as `2026-01-31 12:00:00.123456+00`, to the millisecond.
 */
export function parseTime(text: string): Date {
  if (!isPlainUtc(text)) {
    return parseDate(text);
  }
  // PostgreSQL leaves out the zeros at the end of a fraction.
  const fraction = text.slice(20, -3).slice(0, 3).padEnd(3, '0');
  const moment = Date.UTC(
    pair(text, 0) * 100 + pair(text, 2),
    pair(text, 5) - 1,
    pair(text, 8),
    pair(text, 11),
    pair(text, 14),
    pair(text, 17),
    Number(fraction),
  );
  return new StoredTime(moment, `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`);
}

/** Whether a time is in UTC and in a year from 1000 to 9999, as JSON writes it with four digits. */
function isPlainUtc(text: string): boolean {
  return text.endsWith('+00') && text[4] === '-' && text[10] === ' ' && !text.startsWith('0');
}

/** The number that two digits make. */
function pair(text: string, at: number): number {
  return (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
}
