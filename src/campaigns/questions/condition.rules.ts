import { Big } from 'big.js';
import { checkAnswer, NPS_SCALE, NUMBER_MAXIMUM } from './answer-value.rules';
import { identityOf } from './option.rules';
import {
  ByType,
  callByType,
  MatrixQuestion,
  MultipleChoiceQuestion,
  Option,
  Question,
  QuestionType,
  RatingQuestion,
  SingleChoiceQuestion,
} from './question.types';
import type { Condition, Operator } from './shown.rules';
import type { Scale } from '../campaign/image-survey.rules';
import { Problem, problem } from '../../platform/validation/fields/field';

const PRESENCE = ['answered', 'not_answered'] as const;
const EQUALITY = ['is', 'is_not'] as const;
const MEMBERSHIP = ['includes', 'excludes'] as const;
const ORDER = ['at_least', 'at_most'] as const;

/** The operators of conditions on each type of question. */
export const OPERATORS: Readonly<Record<QuestionType, readonly Operator[]>> = {
  descriptive: PRESENCE,
  text: PRESENCE,
  single_choice: [...EQUALITY, ...PRESENCE],
  multiple_choice: [...MEMBERSHIP, ...PRESENCE],
  rating: [...EQUALITY, ...ORDER, ...PRESENCE],
  nps: [...EQUALITY, ...ORDER, ...PRESENCE],
  number: [...EQUALITY, ...ORDER, ...PRESENCE],
  date: [...EQUALITY, ...ORDER, ...PRESENCE],
  ranking: [...MEMBERSHIP, ...PRESENCE],
  matrix: PRESENCE,
  checkbox: [...EQUALITY, ...PRESENCE],
  statement: [],
};

/** All operators. */
export const ALL_OPERATORS: readonly Operator[] = [
  ...EQUALITY,
  ...MEMBERSHIP,
  ...ORDER,
  ...PRESENCE,
];

export function takesValue(op: Operator): boolean {
  return op !== 'answered' && op !== 'not_answered';
}

/** Returns what is wrong with a condition on a question, with paths from the condition. */
export function checkCondition(condition: Condition, question: Question): Problem[] {
  const { row, op, value } = condition;
  const source = row === undefined ? question : rowOf(question, row);
  if (source === undefined) {
    return problem('not_allowed', 'must be a row of the question', '.row');
  }
  const allowed = OPERATORS[source.type];
  if (!allowed.includes(op)) {
    return problem(
      'not_allowed',
      allowed.length === 0
        ? `must not be about a ${source.type}, which has no answer`
        : `must be one of ${allowed.join(', ')} for a question of type ${source.type}`,
      '.op',
    );
  }
  if (!takesValue(op)) {
    return value === undefined ? [] : problem('not_allowed', `must be absent with ${op}`, '.value');
  }
  if (value === undefined) {
    return problem('required', 'is required', '.value');
  }
  return callByType(CAN_BE, source, value)
    ? []
    : problem('not_allowed', 'is no value that the question can have', '.value');
}

/** A row of a matrix as a question of its own; `undefined` if there is no such row. */
function rowOf(question: Question, row: string): Question | undefined {
  return question.type === 'matrix' && hasOption(question.rows, row)
    ? questionInRow(question)
    : undefined;
}

/** What a matrix asks in each of its rows. */
export function questionInRow(matrix: MatrixQuestion): RowQuestion {
  const { question, required, options = [], scale, several } = matrix;
  const common = { question, ...(required === undefined ? {} : { required }) };
  if (scale !== undefined) {
    return { type: 'rating', ...common, scale };
  }
  return { type: several === true ? 'multiple_choice' : 'single_choice', ...common, options };
}

type RowQuestion = SingleChoiceQuestion | MultipleChoiceQuestion | RatingQuestion;

/** What a condition compares an answer with. */
export type Value = NonNullable<Condition['value']>;

/** Whether the answer to a question can be, or include, a value. */
const CAN_BE: ByType<[value: Value], boolean> = {
  descriptive: () => false,
  text: () => false,
  single_choice: ({ options }, value) => hasOption(options, value),
  multiple_choice: ({ options }, value) => hasOption(options, value),
  rating: ({ scale }, value) => isOnScale(scale, value),
  nps: (_, value) => isOnScale(NPS_SCALE, value),
  number: ({ minimum = -NUMBER_MAXIMUM, maximum = NUMBER_MAXIMUM, decimals = 0 }, value) =>
    typeof value === 'number' &&
    value >= minimum &&
    value <= maximum &&
    new Big(value).round(decimals).eq(value),
  date: (question, value) => checkAnswer(question, value).length === 0,
  ranking: ({ options }, value) => hasOption(options, value),
  matrix: () => false,
  checkbox: (_, value) => typeof value === 'boolean',
  statement: () => false,
};

function hasOption(options: readonly Option[], value: Value): boolean {
  return options.some((option) => identityOf(option) === value);
}

function isOnScale({ min, max, step }: Scale, value: Value): boolean {
  return (
    typeof value === 'number' &&
    value >= min &&
    value <= max &&
    new Big(value).minus(min).mod(step).eq(0)
  );
}
