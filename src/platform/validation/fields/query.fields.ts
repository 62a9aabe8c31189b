import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { Flag } from './choice.fields';
import { Field, problem } from './field';
import { Decimal, DecimalLimits, WholeNumber, WholeNumberLimits } from './number.fields';
import { Trimmed } from './text.fields';

/*
 * Query parameters arrive as text. These fields convert text that stands for a value; any other
 * text stays as it is and is refused.
 */

/** Room for each word of a list, and more. */
const WORDS_MAX_LENGTH = 1_000;

const FromQuery = (read: (text: string) => unknown) =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? read(value) : value));

/** A whole number in the query string. */
export function WholeNumberParameter(limits: Omit<WholeNumberLimits, 'optional'>) {
  return applyDecorators(
    FromQuery((text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text)),
    WholeNumber({ ...limits, optional: true }),
  );
}

/** A decimal number in the query string. */
export function DecimalParameter(limits: Omit<DecimalLimits, 'optional'>) {
  return applyDecorators(
    FromQuery((text) => (/^-?\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text) : text)),
    Decimal({ ...limits, optional: true }),
  );
}

/** `true` or `false` in the query string. */
export function FlagParameter() {
  return applyDecorators(
    FromQuery((text) => (text === 'true' ? true : text === 'false' ? false : text)),
    Flag({ optional: true }),
  );
}

interface WordsLimits {
  /** The closed list. */
  values: readonly string[];
  example: string;
}

/** Words from a closed list, separated by commas. */
export function WordsParameter({ values, example }: WordsLimits) {
  const word = `(?:${values.map((value) => value.replaceAll('.', '\\.')).join('|')})`;
  const pattern = `^${word}(?:,${word})*$`;
  const words = new RegExp(pattern);
  return applyDecorators(
    Trimmed(),
    Field(
      (value) =>
        typeof value === 'string' && value.length <= WORDS_MAX_LENGTH && words.test(value)
          ? []
          : problem(
              'not_allowed',
              `must be some of these, separated by commas: ${values.join(', ')}`,
            ),
      { type: 'string', minLength: 1, maxLength: WORDS_MAX_LENGTH, pattern, example },
      { optional: true },
    ),
  );
}
