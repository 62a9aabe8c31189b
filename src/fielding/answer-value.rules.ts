import { Big } from 'big.js';
import type { Scale } from '../campaign/image-survey.rules';
import type { Question } from '../questions/question.rules';
import { Problem, problem } from '../validation/fields/field';
import { checkText } from '../validation/fields/text.fields';
import { normalizeText } from '../validation/fields/unicode';

/** Maximum number of characters of an answer in open text, and of one in short text. */
export const DESCRIPTIVE_MAXIMUM = 5_000;
export const TEXT_MAXIMUM = 1_000;

export type AnswerValue = string | string[] | number;

/** Returns what is wrong with the answer to a question. */
export function checkAnswer({ type, options = [] }: Question, value: AnswerValue): Problem[] {
  switch (type) {
    case 'descriptive':
      return checkText(value, DESCRIPTIVE_MAXIMUM);
    case 'text':
      return checkText(value, TEXT_MAXIMUM);
    case 'single_choice':
      return typeof value === 'string' ? checkOptions([value], options) : notOf('a string');
    case 'multiple_choice':
      return Array.isArray(value)
        ? checkOptions(value, options, (index) => `[${index}]`)
        : notOf('an array of strings');
  }
}

/** Options of sets that were stored earlier need not be normalised, as values are. */
function checkOptions(
  values: readonly string[],
  options: readonly string[],
  placeOf?: (index: number) => string,
): Problem[] {
  const allowed = new Set(options.map(normalizeText));
  const seen = new Set<string>();
  return values.flatMap((value, index) => {
    const at = placeOf?.(index);
    if (seen.has(value)) {
      return problem('duplicate', 'must differ from the entries before it', at);
    }
    seen.add(value);
    return allowed.has(value)
      ? []
      : problem('not_allowed', 'must be one of the options of the question', at);
  });
}

/** Returns what is wrong with the position of a preferred image. */
export function checkPosition(value: AnswerValue, positions: readonly number[]): Problem[] {
  if (typeof value !== 'number') {
    return notOf('a whole number');
  }
  return positions.includes(value)
    ? []
    : problem('not_allowed', `must be one of ${positions.join(', ')}`);
}

/** Returns what is wrong with the rating of an image. */
export function checkRating(scale: Scale | undefined, value: AnswerValue): Problem[] {
  if (typeof value !== 'number') {
    return notOf('a number');
  }
  if (scale === undefined) {
    throw new Error('a slider without a scale');
  }
  const { min, max, step } = scale;
  if (value < min) {
    return problem('too_small', `must be at least ${min}`);
  }
  if (value > max) {
    return problem('too_large', `must be at most ${max}`);
  }
  return new Big(value).minus(min).mod(step).eq(0)
    ? []
    : problem('not_allowed', `must be ${min} plus a multiple of ${step}`);
}

const notOf = (type: string) => problem('invalid_type', `must be ${type}`);
