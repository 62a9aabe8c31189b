import { Problem, problem } from '../../platform/validation/fields/field';
import type { DatePrecision, DateQuestion } from './question.types';

export const DATE_EXAMPLES: Readonly<Record<DatePrecision, string>> = {
  day: '2026-11-27',
  month: '2026-11',
  year: '2026',
};

const DATE_PATTERNS: Readonly<Record<DatePrecision, RegExp>> = {
  day: /^\d{4}-\d\d-\d\d$/,
  month: /^\d{4}-\d\d$/,
  year: /^\d{4}$/,
};

/** Whether a value is a date of a precision that exists in the Gregorian calendar. */
export function isDate(value: unknown, precision: DatePrecision): value is string {
  if (typeof value !== 'string' || !DATE_PATTERNS[precision].test(value)) {
    return false;
  }
  // JavaScript turns 30 February into 2 March.
  const time = new Date(`${value}${'-01-01'.slice(0, 10 - value.length)}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(value);
}

/** Returns what is wrong with an answer to a question for a date. */
export function checkDate(
  { precision = 'day', minimum, maximum }: Omit<DateQuestion, 'type' | 'question'>,
  value: unknown,
): Problem[] {
  if (!isDate(value, precision)) {
    return problem('invalid_date', `must be a date like ${DATE_EXAMPLES[precision]}`);
  }
  // Dates of the same precision are in the order of their texts.
  if (minimum !== undefined && value < minimum) {
    return problem('too_small', `must be at least ${minimum}`);
  }
  return maximum !== undefined && value > maximum
    ? problem('too_large', `must be at most ${maximum}`)
    : [];
}
