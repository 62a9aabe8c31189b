import { Big } from 'big.js';
import type { Scale } from '../campaign/image-survey.rules';
import { checkAnswer, NPS_SCALE, NUMBER_MAXIMUM } from './answer-value.rules';
import { questionInRow, Value } from './condition.rules';
import { DATE_EXAMPLES } from './date.rules';
import { identitiesOf, identityOf, optionOf } from './option.rules';
import {
  AnswerValue,
  ByType,
  callByType,
  DatePrecision,
  MatrixQuestion,
  MatrixValue,
  Question,
} from './question.types';
import type { Condition } from './shown.rules';

/** From this many ticks named by conditions on, each counts as independent of the others. */
const TICKS_MAXIMUM = 6;

/** From this many combinations of rows on, each counts as independent of the others. */
const ROWS_MAXIMUM = 256;

/**
 * Returns answers to a question, one of each kind that conditions tell apart; `undefined` is no
 * answer. Returns nothing if there are too many kinds.
 */
export function valuesOf(
  question: Question,
  conditions: readonly Condition[],
): (AnswerValue | undefined)[] | undefined {
  const values =
    question.type === 'matrix'
      ? valuesInRows(question, conditions)
      : callByType(VALUES, question, namedIn(conditions));
  const isOptional = question.type !== 'statement' && question.required === false;
  return isOptional && values !== undefined ? [undefined, ...values] : values;
}

/** The values with which conditions compare. */
const namedIn = (conditions: readonly Condition[]): Value[] => [
  ...new Set(conditions.flatMap(({ value }) => (value === undefined ? [] : [value]))),
];

/** All combinations of answers to the rows that conditions name. The others are filled in. */
function valuesInRows(
  matrix: MatrixQuestion,
  conditions: readonly Condition[],
): MatrixValue[] | undefined {
  const rows = identitiesOf(matrix.rows);
  const cell = questionInRow(matrix);
  let values: MatrixValue[] = [{}];
  for (const row of rows.filter((each) => conditions.some((condition) => condition.row === each))) {
    const cells = valuesOf(
      cell,
      conditions.filter((condition) => condition.row === row),
    );
    if (cells === undefined || values.length * cells.length > ROWS_MAXIMUM) {
      return undefined;
    }
    values = values.flatMap((value) =>
      cells.map((each) =>
        each === undefined ? value : { ...value, [row]: each as MatrixValue[string] },
      ),
    );
  }
  const other = rows.find((row) => conditions.every((condition) => condition.row !== row));
  const [some] = valuesOf(cell, [])?.filter((each) => each !== undefined) ?? [];
  return other === undefined
    ? values.filter((value) => Object.keys(value).length > 0)
    : values.map((value) => ({ ...value, [other]: some as MatrixValue[string] }));
}

const VALUES: ByType<[named: readonly Value[]], AnswerValue[] | undefined> = {
  descriptive: () => ['text'],
  text: () => ['text'],
  single_choice: ({ options }, named) => {
    const wanted = new Set(named);
    const names = identitiesOf(options);
    const other = names.find((option) => !wanted.has(option));
    const known = names.filter((option) => wanted.has(option));
    return [...known, ...(other === undefined ? [] : [other])];
  },
  multiple_choice: ({ options, minimum_choices = 1, maximum_choices = options.length }, named) => {
    const alone = new Set(
      options.filter((option) => optionOf(option).exclusive === true).map(identityOf),
    );
    const free = identitiesOf(options).filter((option) => !alone.has(option));
    const subsets = subsetsOf(
      free.filter((option) => named.includes(option)),
      free.filter((option) => !named.includes(option)),
      [minimum_choices, maximum_choices],
    );
    return subsets && [...subsets, ...[...alone].map((option) => [option])];
  },
  rating: ({ scale }, named) => around(scale, named as number[]),
  nps: (_, named) => around(NPS_SCALE, named as number[]),
  number: ({ minimum = -NUMBER_MAXIMUM, maximum = NUMBER_MAXIMUM, decimals = 0 }, named) => {
    const step = new Big(10).pow(-decimals).toNumber();
    return around({ min: minimum, max: maximum, step }, named as number[]);
  },
  date: (question, named) => {
    const { precision = 'day', minimum, maximum } = question;
    const ends = [minimum, maximum].filter((end) => end !== undefined);
    const known = [...(named as string[]), ...ends];
    const dates =
      known.length === 0 ? [FIRST_DATE.slice(0, DATE_EXAMPLES[precision].length)] : known;
    return dates
      .flatMap((date) => [date, ...[-1, 1].map((far) => dateBeside(date, far, precision))])
      .filter((date) => checkAnswer(question, date).length === 0);
  },
  ranking: ({ options, rank_at_most }, named) =>
    rank_at_most === undefined
      ? [identitiesOf(options)]
      : subsetsOf(
          identitiesOf(options).filter((option) => named.includes(option)),
          identitiesOf(options).filter((option) => !named.includes(option)),
          [1, rank_at_most],
        ),
  matrix: () => undefined,
  checkbox: ({ must_be_true }) => (must_be_true === true ? [true] : [true, false]),
  statement: () => [''],
};

/** Numbers on a scale: its ends, some values, and what is beside them. */
function around({ min, max, step }: Scale, named: readonly number[]): number[] {
  return [min, max, ...named]
    .flatMap((value) => [-1, 0, 1].map((steps) => new Big(step).times(steps).plus(value)))
    .filter((value) => value.gte(min) && value.lte(max))
    .map((value) => value.toNumber());
}

const FIRST_DATE = '2000-01-01';

/** The date before or after another one, as text. */
function dateBeside(date: string, distance: number, precision: DatePrecision): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const add = { year: 0, month: 0, day: 0, [precision]: distance };
  const beside = new Date(0);
  beside.setUTCFullYear(year + add.year, month - 1 + add.month, day + add.day);
  return beside.toISOString().slice(0, date.length);
}

/** All ways to tick options that conditions name, filled up with others where that is needed. */
function subsetsOf(
  named: readonly string[],
  others: readonly string[],
  [minimum, maximum]: readonly [number, number],
): string[][] | undefined {
  if (named.length > TICKS_MAXIMUM) {
    return undefined;
  }
  return Array.from({ length: 2 ** named.length }, (_, bits) =>
    named.filter((_option, index) => (bits & (1 << index)) !== 0),
  )
    .map((ticked) => [...ticked, ...others.slice(0, Math.max(0, minimum - ticked.length))])
    .filter(({ length }) => length >= minimum && length <= maximum);
}
