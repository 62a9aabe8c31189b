import fc from 'fast-check';
import type { Question } from '../../src/campaigns/questions/question.types';
import {
  multipleChoice,
  nameOf,
  namesIn,
  optionsWith,
  ranking,
  singleChoice,
} from './option-kinds';
import {
  equality,
  Fields,
  Kind,
  maybe,
  membership,
  order,
  presence,
  between,
  values,
} from './question-kind';

/*
 * The types of questions: random fields, and answers that are right and wrong by construction.
 */

const rounded = (value: number) => Number(value.toFixed(1));

const FORMATS: Record<string, [right: string, wrong: string]> = {
  email: ['a@example.org', 'nobody'],
  url: ['http://e.org/abcde', 'example'],
  integer: ['-123456789012', '1.5'],
  time: ['23:59', '24:00'],
};

const open: Kind = {
  fields: fc
    .tuple(
      maybe(fc.constantFrom('email', 'url', 'integer', 'time')),
      maybe(fc.nat(12)),
      maybe(fc.nat(40)),
    )
    .map(([format, minimum, more]) =>
      format === 'time'
        ? { format }
        : {
            format,
            minimum_length: minimum === undefined ? undefined : minimum + 1,
            maximum_length: more === undefined ? undefined : Math.max(18, minimum ?? 0) + more,
          },
    ),
  conditions: () => presence,
  right: ({ format, minimum_length = 1 }) => [
    { value: FORMATS[format]?.[0] ?? 'x'.repeat(minimum_length) },
  ],
  wrong: ({ format, minimum_length = 1, maximum_length }) => [
    ...values(...(maximum_length === undefined ? [] : ['y'.repeat(maximum_length + 1)])),
    { value: 7 },
    { value: 'text', comment: 'none is asked for' },
    ...(minimum_length > 1 ? [{ value: '1'.repeat(minimum_length - 1) }] : []),
    ...values(...(format === undefined ? [] : [FORMATS[format]?.[1]])),
  ],
};

/** A scale with its values. */
const scale = fc
  .tuple(fc.integer({ min: -3, max: 3 }), fc.constantFrom(1, 0.5, 0.1), fc.integer(between(1, 6)))
  .map(([min, step, steps]) => ({ min, max: Number((min + step * steps).toFixed(1)), step }));

/** The values of a scale. */
const pointsOf = ({ min, max, step = 1 }: Fields): number[] =>
  Array.from({ length: Math.round((max - min) / step) + 1 }, (_, index) =>
    Number((min + step * index).toFixed(1)),
  );

const KINDS: Record<Question['type'], Kind> = {
  descriptive: open,
  text: open,
  single_choice: singleChoice,
  multiple_choice: multipleChoice,
  ranking,
  rating: {
    fields: fc.record({ scale }),
    conditions: ({ scale: { min, max } }) => [...equality(min), ...order(max), ...presence],
    right: ({ scale: own }) => values(...pointsOf(own)),
    wrong: ({ scale: { min, max } }) => values(min - 1, max + 1, min + 0.05, 'much', true),
  },
  nps: {
    fields: fc.constant({}),
    conditions: () => [...equality(10), ...order(7), ...presence],
    right: () => values(0, 6, 7, 9, 10),
    wrong: () => values(-1, 11, 5.5, '5'),
  },
  number: {
    fields: fc
      .tuple(
        maybe(fc.integer(between(-50, 50))),
        maybe(fc.nat(300)),
        maybe(fc.integer(between(1, 3))),
      )
      .map(([minimum, range, decimals]) => ({
        minimum,
        maximum: range === undefined ? undefined : (minimum ?? 0) + range,
        decimals,
      })),
    conditions: ({ minimum = 0 }) => [...equality(minimum), ...order(minimum), ...presence],
    right: ({ minimum, maximum, decimals = 0 }) => {
      const [low, high] = [minimum ?? (maximum ?? 3) - 3, maximum ?? (minimum ?? -3) + 3];
      const between = decimals > 0 ? [low + 0.1, low + 0.3] : [low + 1, low + 2];
      return values(low, ...between.filter((each) => each < high).map(rounded), high);
    },
    wrong: ({ minimum, maximum }) => [
      ...values((minimum ?? maximum ?? 0) + 0.00005, '1', [1]),
      ...(minimum === undefined ? [] : values(minimum - 1)),
      ...(maximum === undefined ? [] : values(maximum + 1)),
    ],
  },
  date: {
    fields: fc
      .record({ precision: fc.constantFrom(undefined, 'month', 'year'), isLimited: fc.boolean() })
      .map(({ precision, isLimited }) => {
        const dates = datesOf(precision);
        return { precision, ...(isLimited ? { minimum: dates[0], maximum: dates[2] } : {}) };
      }),
    conditions: ({ precision }) => [
      ...order({ month: '2010-06', year: '2010' }[precision as string] ?? '2010-06-15'),
      ...presence,
    ],
    right: ({ precision }) => values(...datesOf(precision)),
    wrong: ({ precision, minimum }) => [
      ...values('today', 2010, precision === undefined ? '2023-02-29' : '2010-06-15'),
      ...(minimum === undefined
        ? []
        : ['1998-12-31', '2025-01-01'].map((date) => ({ value: date.slice(0, minimum.length) }))),
    ],
  },
  matrix: {
    fields: fc
      .record({
        rows: optionsWith('key'),
        options: optionsWith('key'),
        cells: fc.constantFrom('one', 'several', 'scale'),
        scale,
      })
      .map(({ rows, options, cells, scale: own }) => ({
        rows,
        ...(cells === 'scale' ? { scale: own } : { options }),
        ...(cells === 'several' ? { several: true } : {}),
      })),
    conditions: (question) => [
      ...presence,
      ...[...presence, ...conditionsOfRow(question)].map((condition) => ({
        ...condition,
        row: namesIn(question.rows)[1]!,
      })),
    ],
    right: (question) => [
      ...values(...[0, 1, 2].map((turn) => filled(question, namesIn(question.rows), turn))),
      ...(question.required === false && question.rows.length > 1
        ? values(filled(question, namesIn(question.rows).slice(1)))
        : []),
    ],
    wrong: (question) => [
      ...values({}, 'text', [], { nowhere: cellsOf(question)[0] }),
      ...values({ ...filled(question, namesIn(question.rows)), nowhere: cellsOf(question)[0] }),
      ...values({ ...filled(question, namesIn(question.rows)), [nameOf(question.rows[0])]: 99 }),
      ...(question.required === false
        ? []
        : values(filled(question, namesIn(question.rows).slice(1)))),
    ],
  },
  checkbox: {
    fields: fc.record({ must_be_true: fc.constantFrom(undefined, true) }),
    conditions: () => [...equality(true), ...presence],
    right: ({ must_be_true }) => values(true, ...(must_be_true ? [] : [false])),
    wrong: ({ must_be_true }) => values('true', 1, ...(must_be_true ? [false] : [])),
  },
  statement: {
    fields: fc.constant({}),
    conditions: () => [],
    right: () => [],
    wrong: () => values('text', true),
  },
};

const datesOf = (precision?: string) =>
  ({ month: ['2009-01', '2010-06', '2024-12'], year: ['1999', '2010', '2011'] })[precision!] ?? [
    '2010-06-14',
    '2010-06-15',
    '2024-02-29',
  ];

const conditionsOfRow = ({ scale: own, options, several }: Fields) =>
  own === undefined
    ? (several ? membership : equality)(nameOf(options[1]))
    : [...equality(own.min), ...order(own.max)];

/** What a row can be filled with. */
const cellsOf = ({ scale: own, options, several }: Fields): unknown[] => {
  const names = namesIn(options ?? []);
  return own ? pointsOf(own) : several ? [...names.map((name) => [name]), names] : names;
};

/** Fills the rows of a matrix, each with another cell than the one before. */
const filled = (question: Fields, rows: string[], turn = 0) => {
  const cells = cellsOf(question);
  return Object.fromEntries(rows.map((row, index) => [row, cells[(index + turn) % cells.length]]));
};

export const kindOf = ({ type }: Question): Kind => KINDS[type];

/** Questions of a type, without what questions of all types have. */
export const fieldsOf = (type: Question['type']): fc.Arbitrary<Fields> =>
  KINDS[type].fields.map((fields) => ({ type, ...fields }));
