import fc from 'fast-check';
import { checkSet } from '../../src/campaigns/questions/question-set.rules';
import type { Option, Question } from '../../src/campaigns/questions/question.types';
import type { Condition } from '../../src/campaigns/questions/shown.rules';

/*
 * Random sets of questions of all types, with answers that are right and wrong by construction, and
 * a plain interpreter of the rules in docs/questionnaires.md. It shares no code with the service.
 */

/** What an answer consists of besides the name of its question. */
export interface Given {
  value: unknown;
  other?: string;
  comment?: string;
}

type Fields = Record<string, any>;

interface Kind {
  fields: fc.Arbitrary<Fields>;
  /** Conditions that a later question can have on one of this type. */
  conditions: (question: Fields) => Omit<Condition, 'question'>[];
  right: (question: Fields) => Given[];
  wrong: (question: Fields) => Given[];
}

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const values = (...all: unknown[]): Given[] => all.map((value) => ({ value }));

const nameOf = (option: Option) =>
  typeof option === 'string' ? option : (option.key ?? option.text);
const namesIn = (options: Option[]) => options.map(nameOf);
const marked = (options: Option[], mark: 'other' | 'exclusive') =>
  options.filter((option) => typeof option !== 'string' && option[mark]).map(nameOf);

/** Options, some of which are objects with marks. */
const optionsWith = (...marks: ('other' | 'exclusive' | 'fixed' | 'key')[]) =>
  fc.array(fc.constantFrom('text', ...marks), { minLength: 2, maxLength: 5 }).map((kinds) =>
    kinds.map((kind, index): Option => {
      const text = `Option ${index}`;
      if (kind === 'text' || (kind === 'other' && kinds.indexOf('other') < index)) {
        return text;
      }
      const key = { text, key: `o${index}` };
      return kind === 'key' ? key : { ...key, [kind]: true };
    }),
  );

const presence: Omit<Condition, 'question'>[] = [{ op: 'answered' }, { op: 'not_answered' }];
const equality = (value: string | number | boolean): Omit<Condition, 'question'>[] => [
  { op: 'is', value },
  { op: 'is_not', value },
];
const order = (value: string | number): Omit<Condition, 'question'>[] => [
  { op: 'at_least', value },
  { op: 'at_most', value },
];
const membership = (value: string): Omit<Condition, 'question'>[] => [
  { op: 'includes', value },
  { op: 'excludes', value },
];

/** Adds the text that the option with `other` asks for. */
const withOther = (options: Option[], value: string | string[]): Given => {
  const isOther = [value].flat().some((each) => marked(options, 'other').includes(each));
  return isOther ? { value, other: 'my own' } : { value };
};

const FORMATS: Record<string, [right: string, wrong: string]> = {
  email: ['a@example.org', 'nobody'],
  url: ['http://e.org/abcde', 'example'],
  integer: ['-123456789012', '1.5'],
};

const open: Kind = {
  fields: fc
    .tuple(maybe(fc.constantFrom('email', 'url', 'integer')), maybe(fc.nat(12)), maybe(fc.nat(40)))
    .map(([format, minimum, more]) => ({
      format,
      minimum_length: minimum === undefined ? undefined : minimum + 1,
      maximum_length: more === undefined ? undefined : Math.max(18, minimum ?? 0) + more,
    })),
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
  .tuple(fc.integer({ min: -3, max: 3 }), fc.constantFrom(1, 0.5, 0.1), fc.integer(RANGE(1, 6)))
  .map(([min, step, steps]) => ({ min, max: Number((min + step * steps).toFixed(1)), step }));

function RANGE(min: number, max: number) {
  return { min, max };
}

const KINDS: Record<Question['type'], Kind> = {
  descriptive: open,
  text: open,
  single_choice: {
    fields: fc.record({
      options: optionsWith('other', 'fixed', 'key'),
      comment: fc.constantFrom(undefined, true),
      shuffle: fc.constantFrom(undefined, true),
    }),
    conditions: ({ options }) => [...equality(namesIn(options)[0]!), ...presence],
    right: ({ options, comment }) => [
      ...namesIn(options).map((value) => withOther(options, value)),
      ...(comment ? [{ ...withOther(options, namesIn(options)[1]!), comment: 'so' }] : []),
    ],
    wrong: ({ options, comment }) => [
      ...values('nothing', 1, namesIn(options), ...marked(options, 'other')),
      ...(comment ? [] : [{ ...withOther(options, namesIn(options)[0]!), comment: 'so' }]),
      ...(marked(options, 'other').length > 0 ? [] : [{ value: nameOf(options[0]), other: 'x' }]),
    ],
  },
  multiple_choice: {
    fields: fc
      .record({
        options: optionsWith('other', 'exclusive', 'fixed', 'key'),
        comment: fc.constantFrom(undefined, true),
        least: maybe(fc.nat(4)),
        most: maybe(fc.nat(4)),
      })
      .map(({ options, comment, least, most }) => {
        const free = options.length - marked(options, 'exclusive').length;
        const minimum = least === undefined ? undefined : 1 + (least % Math.max(1, free));
        return {
          options,
          comment,
          minimum_choices: minimum === 1 ? undefined : minimum,
          maximum_choices:
            most === undefined ? undefined : Math.min(options.length, (minimum ?? 1) + most),
        };
      }),
    conditions: ({ options }) => [...membership(namesIn(options)[1]!), ...presence],
    right: ({ options, minimum_choices = 1, maximum_choices = options.length }) => {
      const alone = marked(options, 'exclusive');
      const free = namesIn(options).filter((name) => !alone.includes(name));
      const ticks = [free.slice(0, minimum_choices), free.slice(0, maximum_choices).toReversed()];
      return [
        ...ticks.filter(({ length }) => length > 0).map((value) => withOther(options, value)),
        ...values(...alone.map((name) => [name])),
      ];
    },
    wrong: ({ options, minimum_choices = 1, maximum_choices = options.length }) => {
      const alone = marked(options, 'exclusive');
      const free = namesIn(options).filter((name) => !alone.includes(name));
      return [
        ...values([], ['nothing'], 'text', [free[0] ?? 'x', free[0] ?? 'x']),
        ...(minimum_choices > 1 ? values(free.slice(0, minimum_choices - 1)) : []),
        ...(maximum_choices < free.length
          ? [withOther(options, free.slice(0, maximum_choices + 1))]
          : []),
        ...(alone[0] && free[0] ? [withOther(options, [alone[0], free[0]])] : []),
        ...(alone.length > 1 ? values(alone) : []),
      ];
    },
  },
  rating: {
    fields: fc.record({ scale }),
    conditions: ({ scale: { min, max } }) => [...equality(min), ...order(max), ...presence],
    right: ({ scale: { min, max, step } }) => values(min, max, Number((min + step).toFixed(1))),
    wrong: ({ scale: { min, max } }) => values(min - 1, max + 1, min + 0.05, 'much', true),
  },
  nps: {
    fields: fc.constant({}),
    conditions: () => [...equality(10), ...order(7), ...presence],
    right: () => values(0, 6, 7, 10),
    wrong: () => values(-1, 11, 5.5, '5'),
  },
  number: {
    fields: fc
      .tuple(maybe(fc.integer(RANGE(-50, 50))), maybe(fc.nat(300)), maybe(fc.integer(RANGE(1, 3))))
      .map(([minimum, range, decimals]) => ({
        minimum,
        maximum: range === undefined ? undefined : (minimum ?? 0) + range,
        decimals,
      })),
    conditions: ({ minimum = 0 }) => [...equality(minimum), ...order(minimum), ...presence],
    right: ({ minimum, maximum }) => values(minimum ?? maximum ?? 0, maximum ?? minimum ?? 3),
    wrong: ({ minimum, maximum }) => [
      ...values((minimum ?? maximum ?? 0) + 0.00005, '1', [1]),
      ...(minimum === undefined ? [] : values(minimum - 1)),
      ...(maximum === undefined ? [] : values(maximum + 1)),
    ],
  },
  date: {
    fields: fc.record({ precision: fc.constantFrom(undefined, 'month', 'year') }),
    conditions: ({ precision }) => [
      ...order({ month: '2010-06', year: '2010' }[precision as string] ?? '2010-06-15'),
      ...presence,
    ],
    right: ({ precision }) =>
      values(
        ...({ month: ['2009-01', '2010-06', '2024-12'], year: ['1999', '2010', '2011'] }[
          precision as string
        ] ?? ['2010-06-14', '2010-06-15', '2024-02-29']),
      ),
    wrong: ({ precision }) =>
      values('today', 2010, precision === undefined ? '2023-02-29' : '2010-06-15'),
  },
  ranking: {
    fields: fc
      .record({ options: optionsWith('fixed', 'key'), most: maybe(fc.nat(4)) })
      .map(({ options, most }) => ({
        options,
        rank_at_most: most === undefined ? undefined : 1 + (most % options.length),
      })),
    conditions: ({ options }) => [...membership(namesIn(options)[0]!), ...presence],
    right: ({ options, rank_at_most }) => [
      ...values(namesIn(options).slice(0, rank_at_most)),
      ...values(namesIn(options).toReversed().slice(0, rank_at_most)),
      ...(rank_at_most === undefined ? [] : values([namesIn(options)[1]])),
    ],
    wrong: ({ options, rank_at_most }) => [
      ...values([], 'text', ['nothing'], [...namesIn(options), nameOf(options[0])]),
      ...(rank_at_most === undefined ? values([nameOf(options[0])]) : []),
      ...(rank_at_most < options.length ? values(namesIn(options).slice(0, rank_at_most + 1)) : []),
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
      { value: filled(question, namesIn(question.rows)) },
      ...(question.required === false
        ? values(filled(question, namesIn(question.rows).slice(1)))
        : []),
    ],
    wrong: (question) => [
      ...values({}, 'text', [], { nowhere: cellOf(question) }),
      ...values({ ...filled(question, namesIn(question.rows)), nowhere: cellOf(question) }),
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

const conditionsOfRow = ({ scale: own, options, several }: Fields) =>
  own === undefined
    ? (several ? membership : equality)(nameOf(options[1]))
    : [...equality(own.min), ...order(own.max)];

const cellOf = ({ scale: own, options, several }: Fields) => {
  const cell = own?.max ?? nameOf(options[1]);
  return several ? [cell] : cell;
};

const filled = (question: Fields, rows: string[]) =>
  Object.fromEntries(rows.map((row) => [row, cellOf(question)]));

export const kindOf = ({ type }: Question): Kind => KINDS[type];

const typed = fc
  .constantFrom(...(Object.keys(KINDS) as Question['type'][]))
  .chain((type) => KINDS[type].fields.map((fields) => ({ type, ...fields })));

const drawn = fc.record({
  fields: typed,
  isOptional: fc.boolean(),
  isKeyed: fc.boolean(),
  mode: fc.constantFrom('all', 'any'),
  conditions: fc.array(fc.record({ about: fc.nat(99), which: fc.nat(99) }), { maxLength: 2 }),
});

/** Sets of questions as they are stored, which the service also takes, with conditions. */
export const questionSets = (maxLength: number): fc.Arbitrary<Question[]> =>
  fc
    .array(drawn, { minLength: 1, maxLength })
    .map((all) => {
      const questions: Fields[] = [];
      for (const [index, { fields, isOptional, isKeyed, mode, conditions }] of all.entries()) {
        const list = conditions.flatMap(({ about, which }) => {
          const source = questions[about % Math.max(1, index)];
          const possible = source === undefined ? [] : KINDS[source.type as Question['type']];
          const choices = 'conditions' in possible ? possible.conditions(source!) : [];
          const condition = choices[which % Math.max(1, choices.length)];
          const position = (about % Math.max(1, index)) + 1;
          return condition ? [{ question: source!.key ?? `q${position}`, ...condition }] : [];
        });
        questions.push({
          question: `Question ${index + 1}?`,
          ...JSON.parse(JSON.stringify(fields)),
          ...(isKeyed ? { key: `key_${index}` } : {}),
          ...(isOptional && fields.type !== 'statement' ? { required: false } : {}),
          ...(list.length === 0 ? {} : { show_if: { [mode]: list } }),
        });
      }
      return questions as unknown as Question[];
    })
    .filter(
      (questions) =>
        checkSet({ questions, language: null, translations: null, sections: null }).length === 0,
    );

/** A question that is answered, with what is answered, and whether that is right by itself. */
export interface Chosen extends Given {
  position: number;
  isRight: boolean;
}

/** Answers to a set: some right, some wrong, some to what is hidden. */
export function answersTo(questions: readonly Question[]): fc.Arbitrary<Chosen[]> {
  const each = questions.map((question, index) => {
    const { right, wrong } = kindOf(question);
    const as = (isRight: boolean) => (given: Given) => ({
      ...given,
      position: index + 1,
      isRight,
    });
    const rights = right(question).map(as(true));
    return fc.record({
      // Mostly what a respondent would do, so that whole submissions are often right.
      way: fc.integer(RANGE(0, 39)),
      right: rights.length === 0 ? fc.constant(undefined) : fc.constantFrom(...rights),
      wrong: fc.constantFrom(...wrong(question).map(as(false))),
    });
  });
  return fc.tuple(...each).map((picks) => {
    const chosen: Chosen[] = [];
    for (const [index, { way, right, wrong }] of picks.entries()) {
      const question = questions[index]!;
      const values = valuesByKey(questions, chosen);
      const isAsked = isShown(question, values);
      const answers = way === 0 ? wrong : right;
      const isLeftOut =
        way === 1 || (question as Fields).required === false ? way % 3 === 1 : false;
      if (answers !== undefined && !isLeftOut && (isAsked || way === 2)) {
        chosen.push(answers);
      }
    }
    return chosen;
  });
}

const keyAt = (questions: readonly Question[], position: number) =>
  questions[position - 1]?.key ?? `q${position}`;

function valuesByKey(questions: readonly Question[], answers: readonly Chosen[]) {
  return new Map(answers.map(({ position, value }) => [keyAt(questions, position), value]));
}

/** Whether a question is shown, as the table in docs/questionnaires.md says. */
function isShown({ show_if: showIf }: Question, values: ReadonlyMap<string, any>): boolean {
  if (showIf === undefined) {
    return true;
  }
  const results = (showIf.all ?? showIf.any ?? []).map(({ question, row, op, value }) => {
    const answer = values.get(question);
    const given = row === undefined ? answer : answer?.[row];
    const isGiven = given !== undefined;
    const outcomes: Record<string, boolean> = {
      answered: isGiven,
      not_answered: !isGiven,
      is: isGiven && given === value,
      is_not: !(isGiven && given === value),
      includes: isGiven && given.includes?.(value) === true,
      excludes: !(isGiven && given.includes?.(value) === true),
      at_least: isGiven && given >= value!,
      at_most: isGiven && given <= value!,
    };
    return outcomes[op];
  });
  return showIf.all ? !results.includes(false) : results.includes(true);
}

/** Returns whether answers are accepted, as docs/questionnaires.md says. */
export function areAccepted(questions: readonly Question[], answers: readonly Chosen[]): boolean {
  const shown = new Map<string, unknown>();
  return (
    answers.every(({ isRight }) => isRight) &&
    questions.every((question, index) => {
      const answer = answers.find(({ position }) => position === index + 1);
      if (!isShown(question, shown)) {
        return answer === undefined;
      }
      if (answer === undefined) {
        return question.type === 'statement' || question.required === false;
      }
      shown.set(keyAt(questions, index + 1), answer.value);
      return true;
    })
  );
}
