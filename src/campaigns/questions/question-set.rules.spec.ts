import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { checkAnswers, SentAnswer } from './answer.rules';
import { toStoredAnswers } from './stored-answer.rules';
import { findPaths } from './paths.rules';
import { lookUp, translated, untranslated } from './languages.rules';
import { present } from './presented.rules';
import { checkSet, pipesOf } from './question-set.rules';
import { reviewSet } from './set-review.rules';
import { logicOf } from './logic.rules';
import { identitiesOf, optionOf, optionsIn, rowsIn } from './option.rules';
import { CONDITIONS_MAXIMUM, Option, OptionObject, Question, SetContent } from './question.types';
import { Condition, holds, keyOf, ShowIf, shownContent, shownQuestions } from './shown.rules';
import { shuffled } from './shuffle.rules';

const set = (questions: unknown[], rest: Partial<SetContent> = {}): SetContent => ({
  questions: questions as Question[],
  language: null,
  translations: null,
  sections: null,
  ...rest,
});

const placesOf = (content: SetContent) =>
  checkSet(content).map(({ at, code }) => [at, code] as const);

const agree = { type: 'checkbox', question: 'Do you agree?', key: 'agree' };
const cups = {
  type: 'single_choice',
  question: 'How many?',
  key: 'cups',
  options: ['0', '1', '2'],
};
const grid = {
  type: 'matrix',
  question: 'Which?',
  key: 'grid',
  rows: ['a', { text: 'B', key: 'b' }],
  options: ['x', 'y'],
};
const why = { type: 'text', question: 'Why?' };
const onlyIf = (...all: Condition[]) => ({ show_if: { all } });

describe('a set of questions', () => {
  it.each<[string, SetContent, [string, string]]>([
    ['a key twice', set([agree, agree]), ['questions[1].key', 'duplicate']],
    [
      'the key that another question has by default',
      set([{ ...why, key: 'q2' }, why]),
      ['questions[0].key', 'duplicate'],
    ],
    [
      'a condition on no question',
      set([agree, { ...why, ...onlyIf({ question: 'age', op: 'answered' }) }]),
      ['questions[1].show_if.all[0].question', 'not_allowed'],
    ],
    [
      'a condition on itself',
      set([{ ...agree, ...onlyIf({ question: 'agree', op: 'answered' }) }]),
      ['questions[0].show_if.all[0].question', 'not_allowed'],
    ],
    [
      'a condition on a later question',
      set([{ ...why, ...onlyIf({ question: 'agree', op: 'answered' }) }, agree]),
      ['questions[0].show_if.all[0].question', 'not_allowed'],
    ],
    [
      'a value that the question does not have',
      set([cups, { ...why, ...onlyIf({ question: 'cups', op: 'is', value: '3' }) }]),
      ['questions[1].show_if.all[0].value', 'not_allowed'],
    ],
    [
      'an operator of other types',
      set([cups, { ...why, ...onlyIf({ question: 'cups', op: 'at_least', value: 1 }) }]),
      ['questions[1].show_if.all[0].op', 'not_allowed'],
    ],
    [
      'a value where none is compared',
      set([cups, { ...why, ...onlyIf({ question: 'cups', op: 'answered', value: '1' }) }]),
      ['questions[1].show_if.all[0].value', 'not_allowed'],
    ],
    [
      'a condition on a row that the matrix does not have',
      set([grid, { ...why, ...onlyIf({ question: 'grid', row: 'c', op: 'is', value: 'x' }) }]),
      ['questions[1].show_if.all[0].row', 'not_allowed'],
    ],
    [
      'a condition on a row of a question without rows',
      set([cups, { ...why, ...onlyIf({ question: 'cups', row: 'a', op: 'is', value: '1' }) }]),
      ['questions[1].show_if.all[0].row', 'not_allowed'],
    ],
    [
      'an operator for a row with a scale',
      set([grid, { ...why, ...onlyIf({ question: 'grid', row: 'a', op: 'at_least', value: 1 }) }]),
      ['questions[1].show_if.all[0].op', 'not_allowed'],
    ],
    [
      'an operator for a row about a whole matrix',
      set([grid, { ...why, ...onlyIf({ question: 'grid', op: 'is', value: 'x' }) }]),
      ['questions[1].show_if.all[0].op', 'not_allowed'],
    ],
    [
      'a value that the row does not have',
      set([grid, { ...why, ...onlyIf({ question: 'grid', row: 'a', op: 'is', value: 'z' }) }]),
      ['questions[1].show_if.all[0].value', 'not_allowed'],
    ],
    [
      'conditions on a row that exclude each other',
      set([
        grid,
        {
          ...why,
          ...onlyIf(
            { question: 'grid', row: 'a', op: 'is', value: 'x' },
            { question: 'grid', row: 'a', op: 'is', value: 'y' },
          ),
        },
      ]),
      ['questions[1].show_if', 'unreachable'],
    ],
    [
      'conditions that exclude each other',
      set([
        cups,
        {
          ...why,
          ...onlyIf(
            { question: 'cups', op: 'is', value: '1' },
            { question: 'cups', op: 'is', value: '2' },
          ),
        },
      ]),
      ['questions[1].show_if', 'unreachable'],
    ],
    [
      'a condition that excludes what its source is shown for',
      set([
        cups,
        { ...agree, ...onlyIf({ question: 'cups', op: 'is', value: '1' }) },
        {
          ...why,
          ...onlyIf(
            { question: 'agree', op: 'is', value: true },
            { question: 'cups', op: 'is', value: '2' },
          ),
        },
      ]),
      ['questions[2].show_if', 'unreachable'],
    ],
    [
      'a date that is out of the limits of its question',
      set([
        { type: 'date', question: 'When?', key: 'when', precision: 'year', minimum: '1990' },
        { ...why, ...onlyIf({ question: 'when', op: 'at_least', value: '1989' }) },
      ]),
      ['questions[1].show_if.all[0].value', 'not_allowed'],
    ],
    [
      'dates of which none is before the first',
      set([
        { type: 'date', question: 'When?', key: 'when', precision: 'month', minimum: '1990-02' },
        {
          ...why,
          ...onlyIf(
            { question: 'when', op: 'at_most', value: '1990-02' },
            { question: 'when', op: 'is_not', value: '1990-02' },
          ),
        },
      ]),
      ['questions[1].show_if', 'unreachable'],
    ],
    [
      'an option that no respondent is shown',
      set([
        cups,
        {
          type: 'multiple_choice',
          question: 'Which?',
          options: [
            'a',
            {
              text: 'b',
              ...onlyIf(
                { question: 'cups', op: 'is', value: '1' },
                { question: 'cups', op: 'is', value: '2' },
              ),
            },
          ],
        },
      ]),
      ['questions[1].options[1].show_if', 'unreachable'],
    ],
    [
      'a condition on an answer that the same condition of an option excludes',
      set([
        cups,
        {
          ...cups,
          key: 'again',
          options: ['x', { text: 'y', ...onlyIf({ question: 'cups', op: 'is', value: '1' }) }],
        },
        {
          ...why,
          ...onlyIf(
            { question: 'again', op: 'is', value: 'y' },
            { question: 'cups', op: 'is', value: '2' },
          ),
        },
      ]),
      ['questions[2].show_if', 'unreachable'],
    ],
    [
      'a condition of a row on a question that there is not',
      set([{ ...grid, rows: [{ text: 'a', ...onlyIf({ question: 'cups', op: 'answered' }) }] }]),
      ['questions[0].rows[0].show_if.all[0].question', 'not_allowed'],
    ],
    [
      '15,001 conditions',
      set([
        agree,
        {
          ...cups,
          options: Array.from({ length: 301 }, (_, option) => ({
            text: `o${option}`,
            show_if: {
              any: Array.from({ length: 50 }, () => ({ question: 'agree', op: 'answered' })),
            },
          })).slice(0, 301),
        },
      ]),
      ['questions', 'too_many'],
    ],
    [
      'an answer in a text that not all are asked for',
      set([
        cups,
        { ...why, key: 'why', ...onlyIf({ question: 'cups', op: 'is', value: '1' }) },
        { ...why, question: 'You said {{why}}?' },
      ]),
      ['questions[2].question', 'not_allowed'],
    ],
    [
      'an answer in a text that there is no question for',
      set([cups, { ...why, question: 'You said {{cup}}?' }]),
      ['questions[1].question', 'not_allowed'],
    ],
    [
      'a condition within a shuffled section',
      set(
        [
          { ...cups, section: 'a' },
          { ...why, section: 'a', ...onlyIf({ question: 'cups', op: 'answered' }) },
        ],
        { sections: [{ section: 'a', shuffle: true }] },
      ),
      ['questions[1].show_if.all[0].question', 'not_allowed'],
    ],
    [
      'a section without a question',
      set([why], { sections: [{ section: 'a' }] }),
      ['sections[0].section', 'not_allowed'],
    ],
    [
      'translations from no language',
      set([why], { translations: { de: { q1: { question: 'Warum?' } } } }),
      ['language', 'required'],
    ],
    [
      'a translation of no question',
      set([why], { language: 'en', translations: { de: { q2: { question: 'Warum?' } } } }),
      ['translations.de.q2', 'not_allowed'],
    ],
    [
      'a translation of no option',
      set([cups], { language: 'en', translations: { de: { cups: { options: { '3': 'drei' } } } } }),
      ['translations.de.cups.options["3"]', 'not_allowed'],
    ],
    [
      '25,001 options',
      set([
        {
          type: 'matrix',
          question: 'How?',
          rows: Array.from({ length: 1_087 }, (_, row) => `r${row}`),
          options: Array.from({ length: 23 }, (_, option) => `o${option}`),
        },
      ]),
      ['questions', 'too_many'],
    ],
  ])('is refused for %s', (_, content, place) => {
    expect(placesOf(content)).toEqual([place]);
  });

  it('is accepted with 25,000 options', () => {
    const rows = Array.from({ length: 1_000 }, (_, row) => `r${row}`);
    const options = Array.from({ length: 25 }, (_, option) => `o${option}`);
    expect(placesOf(set([{ type: 'matrix', question: 'How?', rows, options }]))).toEqual([]);
  });

  it('shows braces as they are if no question has a key (section 2.4)', () => {
    expect(placesOf(set([{ ...why, question: 'What does {{name}} do?' }]))).toEqual([]);
  });

  it('reports conditions that always and never hold, and its shortest and longest path', () => {
    const content = set([
      cups,
      { ...why, ...onlyIf({ question: 'cups', op: 'answered' }) },
      {
        ...why,
        show_if: {
          any: [
            { question: 'cups', op: 'not_answered' },
            { question: 'cups', op: 'is', value: '2' },
          ],
        },
      },
    ]);
    const { doubts, paths } = reviewSet(content);
    expect(doubts.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'condition_always_holds questions[1].show_if holds for every respondent.',
      'condition_never_holds questions[2].show_if.any[0] never holds.',
    ]);
    expect(paths).toEqual({ shortest: 2, longest: 3, exact: true });
  });

  it('reports the outcomes of conditions in groups by their places', () => {
    const is = (value: string): Condition => ({ question: 'cups', op: 'is', value });
    const either = { any: [is('0'), is('1')] };
    const content = (one: string, other: string) =>
      set([
        cups,
        { ...agree, ...onlyIf({ question: 'cups', op: 'is_not', value: '2' }) },
        { ...why, show_if: { all: [{ question: 'agree', op: 'is', value: true }, either] } },
        { ...why, show_if: { any: [{ all: [is(one), is(other)] }, is('2')] } },
      ]);
    expect(reviewSet(content('0', '1')).doubts.map(({ message }) => message)).toEqual([]);
    expect(reviewSet(content('2', '2')).paths).toEqual({ shortest: 2, longest: 3, exact: true });
    const never = set([cups, { ...why, show_if: { all: [is('0'), { any: [is('1'), is('2')] }] } }]);
    expect(placesOf(never)).toEqual([['questions[1].show_if', 'unreachable']]);
    const wrong = set([cups, { ...why, show_if: { any: [is('0'), { all: [is('0'), is('3')] }] } }]);
    expect(placesOf(wrong)).toEqual([['questions[1].show_if.any[1].all[1].value', 'not_allowed']]);
  });

  it('is searched in bounded time, whatever its conditions', () => {
    const chain = Array.from({ length: 300 }, (_, index) => ({
      ...agree,
      key: `k${index}`,
      ...(index === 0 ? {} : onlyIf({ question: `k${index - 1}`, op: 'is', value: true })),
    }));
    const options = Array.from({ length: 2_000 }, (_, option) => `o${option}`);
    const wide = Array.from({ length: 12 }, (_, index) => ({
      type: 'single_choice',
      question: 'Which?',
      key: `k${index}`,
      options,
      ...(index === 0
        ? {}
        : {
            show_if: {
              any: Array.from({ length: CONDITIONS_MAXIMUM }, (_each, place) => ({
                question: `k${(place + index) % index}`,
                op: place % 2 === 0 ? 'is' : 'is_not',
                value: `o${(place * index) % 2_000}`,
              })),
            },
          }),
    }));
    const parts = {
      type: 'single_choice',
      question: 'Which one?',
      key: 'parts',
      options: Array.from({ length: 2_000 }, (_, place) => ({
        text: `p${place}`,
        show_if: {
          any: Array.from({ length: 5 }, (_each, condition) => ({
            question: `k${(place + condition) % 10}`,
            op: condition % 2 === 0 ? 'is' : 'is_not',
            value: `o${(place * (condition + 1)) % 2_000}`,
          })),
        },
      })),
    };
    const about = Array.from({ length: 40 }, (_, index) => ({
      ...why,
      show_if: {
        any: Array.from({ length: CONDITIONS_MAXIMUM }, (_each, place) => ({
          question: 'parts',
          op: 'is',
          value: `p${index * CONDITIONS_MAXIMUM + place}`,
        })),
      },
    }));
    const began = process.cpuUsage();
    for (const questions of [chain, wide, [...wide.slice(0, 10), parts, ...about]]) {
      expect(placesOf(set(questions))).toEqual([]);
    }
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1_000).toBeLessThan(3_000);
  });
});

/** Questions of each kind that conditions tell apart, with all their answers. */
const SOURCES: {
  question: object;
  answers: unknown[];
  conditions: Omit<Condition, 'question'>[];
}[] = [
  {
    question: {
      type: 'single_choice',
      question: 'One?',
      options: ['a', 'b', { text: 'C', key: 'c' }],
    },
    answers: ['a', 'b', 'c'],
    conditions: [{ op: 'is', value: 'a' }, { op: 'is_not', value: 'c' }, { op: 'answered' }],
  },
  {
    question: { type: 'multiple_choice', question: 'Some?', options: ['a', 'b'] },
    answers: [['a'], ['b'], ['a', 'b']],
    conditions: [
      { op: 'includes', value: 'a' },
      { op: 'excludes', value: 'b' },
      { op: 'not_answered' },
    ],
  },
  {
    question: { type: 'rating', question: 'How?', scale: { min: 1, max: 3, step: 1 } },
    answers: [1, 2, 3],
    conditions: [
      { op: 'at_least', value: 2 },
      { op: 'at_most', value: 1 },
      { op: 'is', value: 3 },
    ],
  },
  {
    question: { type: 'checkbox', question: 'Yes?' },
    answers: [true, false],
    conditions: [
      { op: 'is', value: true },
      { op: 'is_not', value: true },
    ],
  },
  {
    question: {
      type: 'matrix',
      question: 'Each?',
      rows: ['a', 'b', 'c'],
      options: ['x', 'y'],
      required: true,
    },
    answers: ['x', 'y'].flatMap((a) =>
      ['x', 'y'].flatMap((b) => ['x', 'y'].map((c) => ({ a, b, c }))),
    ),
    conditions: [
      { row: 'a', op: 'is', value: 'x' },
      { row: 'b', op: 'is_not', value: 'x' },
      { row: 'c', op: 'answered' },
      { op: 'answered' },
    ],
  },
  {
    question: {
      type: 'matrix',
      question: 'Any?',
      rows: ['a', 'b'],
      scale: { min: 1, max: 3, step: 1 },
      required: false,
    },
    answers: [undefined, 1, 2, 3].flatMap((a) =>
      [undefined, 1, 2, 3].flatMap((b) =>
        a === undefined && b === undefined
          ? []
          : { ...(a === undefined ? {} : { a }), ...(b === undefined ? {} : { b }) },
      ),
    ),
    conditions: [
      { row: 'a', op: 'at_least', value: 2 },
      { row: 'b', op: 'not_answered' },
      { row: 'b', op: 'is', value: 1 },
    ],
  },
  {
    question: { type: 'statement', question: 'Thanks.' },
    answers: [],
    conditions: [],
  },
];

interface Drawn {
  source: number;
  isOptional: boolean;
  isKeyed: boolean;
  mode: 'all' | 'any';
  conditions: { about: number; which: number; isGrouped: boolean }[];
  /** Of options and rows. */
  parts: { part: number; about: number; which: number }[];
}

const drawn = fc.record<Drawn>({
  source: fc.nat({ max: SOURCES.length - 1 }),
  isOptional: fc.boolean(),
  isKeyed: fc.boolean(),
  mode: fc.constantFrom('all', 'any'),
  conditions: fc.array(fc.record({ about: fc.nat(9), which: fc.nat(9), isGrouped: fc.boolean() }), {
    maxLength: 4,
  }),
  parts: fc.array(fc.record({ part: fc.nat(9), about: fc.nat(9), which: fc.nat(9) }), {
    maxLength: 2,
  }),
});

/** Whether a question with the same answers can also be left out. */
const takesOptional = (question: object) =>
  !('required' in question) && (question as Question).type !== 'statement';

/** Makes a set of what was drawn: conditions on earlier questions, by the conditions they take. */
function questionsOf(all: readonly Drawn[]): Question[] {
  const questions: Question[] = [];
  for (const [index, { source, isOptional, isKeyed, mode, ...drawnHere }] of all.entries()) {
    const conditionOf = ({ about, which }: { about: number; which: number }) => {
      const position = index === 0 ? -1 : about % index;
      const choices = SOURCES[all[position]?.source ?? -1]?.conditions ?? [];
      const condition = choices[which % Math.max(1, choices.length)];
      const key = questions[position] && keyOf(questions[position], position + 1);
      return condition === undefined || key === undefined
        ? undefined
        : { question: key, ...condition };
    };
    const [inGroup, alone] = [true, false].map((wanted) =>
      drawnHere.conditions
        .filter(({ isGrouped }) => isGrouped === wanted)
        .map(conditionOf)
        .filter((condition) => condition !== undefined),
    ) as [Condition[], Condition[]];
    const group = { [mode === 'all' ? 'any' : 'all']: inGroup };
    const entries = [...alone, ...(inGroup.length === 0 ? [] : [group])];
    const { question } = SOURCES[source]!;
    const whole = {
      ...structuredClone(question),
      ...(isKeyed ? { key: `key_${index}` } : {}),
      ...(isOptional && takesOptional(question) ? { required: false } : {}),
      ...(entries.length === 0 ? {} : { show_if: { [mode]: entries } }),
    } as Question;
    const lists = [optionsIn(whole), rowsIn(whole)].filter(({ length }) => length > 0);
    for (const { part, ...place } of drawnHere.parts) {
      const list = lists[part % Math.max(1, lists.length)] as OptionObject[] | undefined;
      const condition = conditionOf(place);
      if (list !== undefined && condition !== undefined) {
        const at = part % list.length;
        list[at] = { ...optionOf(list[at]!), show_if: { all: [condition] } };
      }
    }
    questions.push(whole);
  }
  return questions;
}

/** What answers name the options or rows by that are shown, and those that are not. */
function parted(options: readonly Option[], values: Readonly<Record<string, unknown>>) {
  const isHere = (option: Option) => {
    const { show_if: showIf } = optionOf(option);
    return showIf === undefined || isMet(showIf, values);
  };
  return {
    shown: identitiesOf(options.filter(isHere)),
    hidden: identitiesOf(options.filter((option) => !isHere(option))),
  };
}

/** The answers to a question that name nothing hidden, of all answers to the whole question. */
function answersLeft(
  answers: readonly unknown[],
  hiddenOptions: readonly unknown[],
  hiddenRows: readonly string[],
): unknown[] {
  const left = answers.map((answer) =>
    typeof answer === 'object' && !Array.isArray(answer)
      ? Object.fromEntries(Object.entries(answer!).filter(([row]) => !hiddenRows.includes(row)))
      : answer,
  );
  return left.filter((answer, index) => {
    const isMatrix = typeof answer === 'object' && !Array.isArray(answer);
    const named = isMatrix ? Object.values(answer).flat() : [answer].flat();
    return (
      !named.some((name) => hiddenOptions.includes(name)) &&
      (!isMatrix || Object.keys(answer).length > 0) &&
      left.findIndex((each) => isDeepStrictEqual(each, answer)) === index
    );
  });
}

function isMet({ all, any = [] }: ShowIf, values: Readonly<Record<string, unknown>>): boolean {
  const results = (all ?? any).map((each) =>
    'op' in each ? holds(each, values[each.question]) : isMet(each, values),
  );
  return all === undefined ? results.includes(true) : !results.includes(false);
}

/** All ways to answer a set, as a plain interpreter of the rules finds them. */
function* waysThrough(
  questions: readonly Question[],
  answersTo: (index: number) => readonly unknown[],
  values: Readonly<Record<string, unknown>> = {},
  shown: readonly number[] = [],
  index = 0,
): Generator<{ shown: readonly number[]; values: Readonly<Record<string, unknown>> }> {
  const question = questions[index];
  if (question === undefined) {
    yield { shown, values };
    return;
  }
  const [options, rows] = [parted(optionsIn(question), values), parted(rowsIn(question), values)];
  const isEmpty = [options, rows].some(
    ({ shown, hidden }) => shown.length === 0 && hidden.length > 0,
  );
  if (isEmpty || (question.show_if !== undefined && !isMet(question.show_if, values))) {
    yield* waysThrough(questions, answersTo, values, shown, index + 1);
    return;
  }
  const key = keyOf(question, index + 1);
  const isRequired = question.type !== 'statement' && question.required !== false;
  const left = answersLeft(answersTo(index), options.hidden, rows.hidden);
  for (const value of [...(isRequired ? [] : [undefined]), ...left]) {
    const next = value === undefined ? values : { ...values, [key]: value };
    yield* waysThrough(questions, answersTo, next, [...shown, index + 1], index + 1);
  }
}

it('the SDK decides by the same text what is shown', () => {
  const read = (file: string) => readFileSync(join(__dirname, file), 'utf8');
  expect(read('../../../clients/typescript/src/shown-questions.ts')).toBe(read('shown.rules.ts'));
});

describe('random sets of questions', () => {
  const sets = fc.array(drawn, { minLength: 1, maxLength: 6 });
  const answersOf = (all: readonly Drawn[]) => (index: number) =>
    SOURCES[all[index]?.source ?? 0]?.answers ?? [];

  it('have the reachable questions, outcomes and paths that an interpreter finds', () => {
    fc.assert(
      fc.property(sets, (all) => {
        const questions = questionsOf(all);
        const ways = [...waysThrough(questions, answersOf(all))];
        const found = findPaths(questions, pipesOf(questions));
        const counts = ways.map(({ shown }) => shown.length);
        expect(found.reachable).toEqual(
          questions.map((_, index) => ways.some(({ shown }) => shown.includes(index + 1))),
        );
        expect(found.always).toEqual(
          questions.map((_, index) => ways.every(({ shown }) => shown.includes(index + 1))),
        );
        // An option is shown to some if its conditions are met where its question is shown.
        const neverShown = questions.map((question, index) =>
          logicOf(question).parts.flatMap(({ option, path }) => {
            const isSeen = ways.some(
              ({ shown, values }) =>
                shown.includes(index + 1) && isMet(optionOf(option).show_if!, values),
            );
            return isSeen ? [] : [path];
          }),
        );
        expect(found.hidden).toEqual(neverShown);
        // There can be more ways than a function takes arguments.
        const [shortest, longest] = [
          counts.reduce((least, count) => Math.min(least, count)),
          counts.reduce((most, count) => Math.max(most, count)),
        ];
        expect([found.shortest, found.longest]).toEqual([shortest, longest]);
        expect(found.exact).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('take exactly the answers of a way through them', () => {
    const choice = fc.array(fc.nat(99), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(sets, choice, choice, (all, picks, names) => {
        const questions = questionsOf(all);
        // Any answer, or none, to any question, by its position or its key.
        const answers = questions.flatMap((question, index): SentAnswer[] => {
          const values = [undefined, ...answersOf(all)(index)];
          const value = values[(picks[index] ?? 0) % values.length];
          const name = (names[index] ?? 0) % 2 === 0 ? index + 1 : keyOf(question, index + 1);
          return value === undefined ? [] : [{ question: name, value: value as string }];
        });
        const asked = { format: 'questionnaire' as const, questions, imageSurvey: null };
        const given = Object.fromEntries(
          toStoredAnswers(asked, answers).map(({ question = 0, value }) => [
            keyOf(questions[question - 1]!, question),
            value,
          ]),
        );
        const way = [...waysThrough(questions, answersOf(all))].find(
          ({ values }) =>
            Object.keys(values).length === Object.keys(given).length &&
            Object.entries(values).every(([key, value]) => isDeepStrictEqual(given[key], value)),
        );
        const wrong = checkAnswers(asked, answers);
        expect(wrong.length === 0).toBe(way !== undefined);
        if (way !== undefined) {
          expect(shownQuestions({ questions }, answers)).toEqual(way.shown);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('an answer to what is shown in part', () => {
  const isCups = (value: string) => onlyIf({ question: 'cups', op: 'is', value });
  const { questions } = set([
    cups,
    {
      type: 'multiple_choice',
      question: 'Which?',
      key: 'which',
      options: ['a', { text: 'b', ...isCups('1') }, { text: 'c', ...isCups('1') }],
      minimum_choices: 2,
    },
    {
      ...grid,
      rows: ['x', { text: 'y', ...isCups('1') }],
      options: ['m', { text: 'n', key: 'n', ...isCups('1') }],
    },
    {
      type: 'single_choice',
      question: 'And?',
      options: [
        { text: 'd', ...onlyIf({ question: 'which', op: 'includes', value: 'b' }) },
        { text: 'e', ...onlyIf({ question: 'which', op: 'includes', value: 'c' }) },
      ],
    },
  ]);
  const asked = { format: 'questionnaire' as const, questions, imageSurvey: null };
  const given = (...values: unknown[]) =>
    values.flatMap((value, index): SentAnswer[] =>
      value === undefined ? [] : [{ question: index + 1, value: value as string }],
    );

  it.each<[string, unknown[], string[]]>([
    ['all of it', ['1', ['a', 'b'], { x: 'm', y: 'n' }, 'd'], []],
    ['its part, without the question that has none left', ['0', ['a'], { x: 'm' }], []],
    ['hidden options', ['0', ['a', 'c'], { x: 'n' }], ['[1].value[1]', '[2].value.x']],
    ['a hidden row', ['0', ['a'], { x: 'm', y: 'm' }], ['[2].value.y']],
    ['a question without options', ['0', ['a'], { x: 'm' }, 'd'], ['[3].question']],
    [
      'an option that the one before hides',
      ['1', ['a', 'b'], { x: 'm', y: 'm' }, 'e'],
      ['[3].value'],
    ],
  ])('is checked: %s', (_, values, places) => {
    const wrong = checkAnswers(asked, given(...values));
    expect(wrong.map(({ at, code }) => [at, code])).toEqual(
      places.map((place) => [place, 'not_shown']),
    );
  });

  it('needs as few options as there are, and every row that is shown', () => {
    const codesOf = (...values: unknown[]) =>
      checkAnswers(asked, given(...values)).map(({ code, at }) => [code, at]);
    expect(codesOf('1', ['a'], { x: 'm' })).toEqual([
      ['too_few', '[1].value'],
      ['required', '[2].value.y'],
    ]);
    expect(codesOf('1', ['a', 'b'], { x: 'm', y: 'm' })).toEqual([['required', undefined]]);
  });

  it('counts nothing that is hidden in the conditions of others', () => {
    const content = { questions };
    const shown = shownContent(content, given('0', ['a', 'b'], { x: 'n', y: 'm' }));
    expect([...shown.keys()]).toEqual([1, 2, 3]);
    expect(shown.get(2)).toEqual({ ...questions[1], options: ['a'], minimum_choices: 1 });
    expect(shown.get(3)).toMatchObject({ rows: ['x'], options: ['m'] });
    expect(shownContent(content, given('1', ['a', 'b'])).get(2)).toBe(questions[1]);
  });
});

describe('a language', () => {
  it.each([
    ['de-AT', 'de'],
    ['zh-Hant-CN-x-private1', 'zh-Hant'],
    ['pt-BR', 'pt-BR'],
    ['fr', undefined],
  ])('is looked up by its subtags (RFC 4647, section 3.4): %s', (wanted, found) => {
    expect(lookUp(wanted, ['en', 'de', 'pt-BR', 'zh-Hant'])).toBe(found);
  });

  it('has its texts, and those of the set where there is none', () => {
    const questions = set([
      { ...cups, section: 'You' },
      { ...why, section: 'You' },
    ]).questions;
    const byKey = { cups: { question: 'Wie viele?', section: 'Sie', options: { '0': 'keine' } } };
    expect(translated(questions, byKey)).toEqual([
      {
        ...cups,
        question: 'Wie viele?',
        section: 'Sie',
        options: [{ text: 'keine', key: '0' }, '1', '2'],
      },
      { ...why, section: 'Sie' },
    ]);
    expect(untranslated(questions, byKey)).toEqual([
      'cups.options.1',
      'cups.options.2',
      'q2.question',
    ]);
  });
});

describe('a shuffled list', () => {
  const seedOf = (name: string) => Buffer.from(name.padEnd(16, '.').slice(-16));

  it('has all of its entries, and those that are fixed at their places', () => {
    const seed = fc.uint8Array({ minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(fc.array(fc.nat()), seed, (list, bytes) => {
        const isEven = (each: number) => each % 2 === 0;
        const order = shuffled(list, Buffer.from(bytes), isEven);
        expect(order.toSorted()).toEqual(list.toSorted());
        expect(order.map((each) => isEven(each) && each)).toEqual(
          list.map((each) => isEven(each) && each),
        );
      }),
    );
  });

  it('has each entry at each place equally often', () => {
    const counts = [0, 0, 0];
    for (let seed = 0; seed < 3_000; seed += 1) {
      const bytes = createHash('sha256').update(String(seed)).digest().subarray(0, 16);
      const place = shuffled(['a', 'b', 'c'], bytes).indexOf('a');
      counts[place] = (counts[place] ?? 0) + 1;
    }
    for (const count of counts) {
      expect(Math.abs(count - 1_000)).toBeLessThan(150);
    }
  });

  it('keeps questions at their positions, and says in which order to show a section', () => {
    const content = set(
      ['a', 'a', 'a', 'b', 'b'].map((section, index) => ({ ...why, section, key: `k${index}` })),
      { sections: [{ section: 'a', shuffle: true }] },
    );
    const presented = present(content, undefined, seedOf);
    expect(presented.questions).toEqual(content.questions);
    expect(presented.order?.slice(0, 3).toSorted()).toEqual([1, 2, 3]);
    expect(presented.order?.slice(3)).toEqual([4, 5]);
    expect(present(content, undefined, seedOf)).toEqual(presented);
  });
});
