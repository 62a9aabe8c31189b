import { Big, RoundingMode } from 'big.js';
import type { Scale, Undecided } from '../campaign/image-survey.rules';
import { isPlainObject, placed, Problem, problem } from '../../platform/validation/fields/field';
import { checkDecimal } from '../../platform/validation/fields/number.fields';
import { checkDate } from './date.rules';
import { checkOpen } from './open-answer.rules';
import { identitiesOf, identityOf, optionOf } from './option.rules';
import {
  AnswerValue,
  ByType,
  callByType,
  MatrixQuestion,
  MultipleChoiceQuestion,
  NumberQuestion,
  Option,
  Question,
} from './question.types';

/** Maximum number of characters of an answer in open text, and of one in short text. */
export const DESCRIPTIVE_MAXIMUM = 5_000;
export const TEXT_MAXIMUM = 1_000;

/** Maximum number of characters of a text of one's own, or beside a choice. */
export const OWN_TEXT_MAXIMUM = 1_000;

/** The largest number that can be answered or asked for, and the smallest is its negative. */
export const NUMBER_MAXIMUM = 1_000_000_000_000;

export const NPS_SCALE: Scale = { min: 0, max: 10, step: 1 };

/** The numbers that a question accepts; there are none if `min` is above `max`. */
/** What the answers to a number can be, if both ends are known. */
export function answerRange({ minimum, maximum }: NumberQuestion): [number, number] | undefined {
  return minimum !== undefined && maximum !== undefined && minimum < maximum
    ? [minimum, maximum]
    : undefined;
}

export function numberScale({
  minimum = -NUMBER_MAXIMUM,
  maximum = NUMBER_MAXIMUM,
  decimals = 0,
}: Pick<NumberQuestion, 'minimum' | 'maximum' | 'decimals'>): Scale {
  const inward = (bound: number, towards: RoundingMode) =>
    new Big(bound).round(decimals, towards).toNumber();
  return {
    min: inward(minimum, minimum < 0 ? Big.roundDown : Big.roundUp),
    max: inward(maximum, maximum < 0 ? Big.roundUp : Big.roundDown),
    step: new Big(10).pow(-decimals).toNumber(),
  };
}

/** Returns what is wrong with the value of the answer to a question. */
export function checkAnswer(question: Question, value: AnswerValue): Problem[] {
  return callByType(CHECKS, question, value);
}

const CHECKS: ByType<[value: AnswerValue], Problem[]> = {
  descriptive: (question, value) => checkOpen(question, value, DESCRIPTIVE_MAXIMUM),
  text: (question, value) => checkOpen(question, value, TEXT_MAXIMUM),
  single_choice: ({ options }, value) =>
    typeof value === 'string' ? checkOptions([value], options) : notOf('a string'),
  multiple_choice: (question, value) =>
    Array.isArray(value) ? checkTicks(question, value) : notOf('an array of strings'),
  rating: ({ scale }, value) => checkRating(scale, value),
  nps: (_, value) => checkRating(NPS_SCALE, value),
  number: ({ minimum = -NUMBER_MAXIMUM, maximum = NUMBER_MAXIMUM, decimals = 0 }, value) =>
    checkDecimal(value, { minimum, maximum, places: decimals }),
  date: checkDate,
  ranking: ({ options, rank_at_most }, value) =>
    Array.isArray(value)
      ? [
          ...checkOptions(value, options, inArray),
          ...(rank_at_most === undefined
            ? checkCount(value.length, options.length, options.length)
            : checkCount(value.length, 1, rank_at_most)),
        ]
      : notOf('an array of strings'),
  matrix: checkMatrix,
  checkbox: ({ must_be_true }, value) => {
    if (typeof value !== 'boolean') {
      return notOf('a boolean');
    }
    return value || must_be_true !== true ? [] : problem('not_allowed', 'must be true');
  },
  statement: () => problem('not_allowed', 'is an answer to a statement, which has none'),
};

const inArray = (index: number) => `[${index}]`;

function checkOptions(
  values: readonly unknown[],
  options: readonly Option[],
  placeOf?: (index: number) => string,
): Problem[] {
  const allowed = new Set<unknown>(identitiesOf(options));
  const seen = new Set<unknown>();
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

function checkTicks(
  { options, minimum_choices = 1, maximum_choices = options.length }: MultipleChoiceQuestion,
  values: readonly string[],
): Problem[] {
  const problems = checkOptions(values, options, inArray);
  if (problems.length > 0) {
    return problems;
  }
  const alone = options.find(
    (option) => optionOf(option).exclusive === true && values.includes(identityOf(option)),
  );
  if (alone !== undefined) {
    return values.length === 1
      ? []
      : problem(
          'not_allowed',
          `must have no other option than ${JSON.stringify(identityOf(alone))}`,
        );
  }
  return checkCount(values.length, minimum_choices, maximum_choices);
}

function checkCount(count: number, minimum: number, maximum: number): Problem[] {
  if (count < minimum) {
    return problem('too_few', `must have at least ${minimum} of the options`);
  }
  return count > maximum ? problem('too_many', `must have at most ${maximum} of the options`) : [];
}

/** An answer that is required has every row; otherwise it has at least one. */
function checkMatrix(question: MatrixQuestion, value: AnswerValue): Problem[] {
  if (!isPlainObject(value)) {
    return notOf('an object with a member for each row');
  }
  const { required } = question;
  const rows = identitiesOf(question.rows);
  const known = new Set(rows);
  const allowed = new Set<unknown>(identitiesOf(question.options ?? []));
  const problems = Object.entries(value).flatMap(([row, cell]): Problem[] => {
    const at = memberOf(row);
    return known.has(row)
      ? placed(at, checkCell(question, allowed, cell))
      : problem('not_allowed', 'must be one of the rows of the question', at);
  });
  if (problems.length > 0) {
    return problems;
  }
  if (required === false) {
    return Object.keys(value).length > 0 ? [] : problem('too_few', 'must have at least 1 row');
  }
  const left = rows.filter((row) => !Object.hasOwn(value, row));
  return left
    .slice(0, MISSING_ROWS)
    .flatMap((row) => problem('required', 'is required', memberOf(row)));
}

/** How many rows without an answer are named. */
const MISSING_ROWS = 20;

/** The path of a row. Rows that have no key are named by their texts, which can be long. */
export function memberOf(row: string): string {
  return /^\w+$/.test(row) ? `.${row}` : `[${JSON.stringify(row.slice(0, 100))}]`;
}

function checkCell(
  { scale, several }: MatrixQuestion,
  allowed: ReadonlySet<unknown>,
  cell: unknown,
): Problem[] {
  if (scale !== undefined) {
    return checkRating(scale, cell);
  }
  if (several !== true) {
    if (typeof cell !== 'string') {
      return notOf('a string');
    }
    return allowed.has(cell) ? [] : problem('not_allowed', 'must be one of the options');
  }
  if (!Array.isArray(cell)) {
    return notOf('an array of strings');
  }
  if (cell.length === 0) {
    return problem('too_few', 'must have at least 1 entry');
  }
  const seen = new Set<unknown>();
  return cell.flatMap((entry: unknown, index) => {
    if (seen.has(entry)) {
      return problem('duplicate', 'must differ from the entries before it', inArray(index));
    }
    seen.add(entry);
    return allowed.has(entry)
      ? []
      : problem('not_allowed', 'must be one of the options', inArray(index));
  });
}

/**
 * Returns what is wrong with the position of a preferred image.
 *
 * @param undecided what an answer can be instead
 */
export function checkPosition(
  value: AnswerValue,
  positions: readonly number[],
  undecided: readonly Undecided[],
): Problem[] {
  if (typeof value !== 'number' && undecided.length === 0) {
    return notOf('a whole number');
  }
  const allowed: (number | string)[] = [...positions, ...undecided];
  return allowed.some((each) => each === value)
    ? []
    : problem('not_allowed', `must be one of ${allowed.join(', ')}`);
}

/** Returns what is wrong with a rating. */
export function checkRating(scale: Scale | undefined, value: unknown): Problem[] {
  if (typeof value !== 'number') {
    return notOf('a number');
  }
  if (scale === undefined) {
    throw new Error('a rating without a scale');
  }
  const { min, max, step } = scale;
  if (value < min) {
    return problem('too_small', `must be at least ${min}`);
  }
  if (value > max) {
    return problem('too_large', `must be at most ${max}`);
  }
  if (Number.isNaN(value)) {
    return problem('too_precise', 'has more digits than can be kept exactly');
  }
  return new Big(value).minus(min).mod(step).eq(0)
    ? []
    : problem('not_allowed', `must be ${min} plus a multiple of ${step}`);
}

const notOf = (type: string) => problem('invalid_type', `must be ${type}`);
