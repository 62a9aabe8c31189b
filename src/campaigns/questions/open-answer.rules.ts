import { Problem, problem } from '../../platform/validation/fields/field';
import { checkText, EMAIL_MAX_LENGTH, isEmail } from '../../platform/validation/fields/text.fields';
import { checkUrl } from '../../platform/validation/fields/url.field';
import type { AnswerValue, TextFormat } from './question.types';

/** Checks an answer in text, which has its own limits within those of its type. */
export function checkOpen(
  {
    minimum_length = 0,
    maximum_length,
    format,
  }: { minimum_length?: number; maximum_length?: number; format?: TextFormat },
  value: AnswerValue,
  maximum: number,
): Problem[] {
  const problems = checkText(value, Math.min(maximum, maximum_length ?? maximum));
  if (problems.length > 0) {
    return problems;
  }
  const text = value as string;
  return [
    // Unlike `length`, an iterator counts code points.
    ...(minimum_length > 0 && Array.from(text).length < minimum_length
      ? problem('too_short', `must be at least ${minimum_length} characters`)
      : []),
    ...(format === undefined ? [] : FORMATS[format](text)),
  ];
}

/** The fewest and the most characters of a text of each format. */
export const FORMAT_LENGTHS: Readonly<Record<TextFormat, readonly [number, number]>> = {
  email: ['a@b.co'.length, EMAIL_MAX_LENGTH],
  url: ['http://a'.length, Infinity],
  integer: [1, Infinity],
  time: ['00:00'.length, '00:00'.length],
};

const FORMATS: Readonly<Record<TextFormat, (text: string) => Problem[]>> = {
  email: (text) => (isEmail(text) ? [] : problem('invalid_email', 'must be an email address')),
  url: checkUrl,
  integer: (text) =>
    /^[+-]?\d+$/.test(text) ? [] : problem('not_an_integer', 'must be a whole number'),
  time: (text) =>
    /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text)
      ? []
      : problem('not_allowed', 'must be a time of day like 14:30'),
};
