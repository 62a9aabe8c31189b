import fc from 'fast-check';
import { shownQuestions } from '../../src/campaigns/questions/shown.rules';

type Question = Record<string, any>;

const only = (question: string, op: string, value?: unknown) => ({
  all: [{ question, op, value }],
});

/** Questions of every type. Those with a condition need the one that it names before them. */
const POOL: Question[] = [
  { type: 'statement', question: 'Welcome.' },
  { type: 'text', key: 'bean', question: 'Which bean?', required: false },
  { type: 'descriptive', question: 'Why?', required: false, show_if: only('bean', 'answered') },
  {
    type: 'single_choice',
    key: 'milk',
    question: 'Which milk?',
    options: ['Cow', { text: 'Other', key: 'other', other: true }],
    comment: true,
  },
  {
    type: 'multiple_choice',
    key: 'places',
    question: 'Where?',
    options: ['Home', 'Work', { text: 'Nowhere', key: 'none', exclusive: true }],
    required: false,
    show_if: only('milk', 'is_not', 'other'),
  },
  { type: 'rating', key: 'taste', question: 'Taste?', scale: { min: -2, max: 2, step: 0.5 } },
  {
    type: 'rating',
    question: 'Price?',
    scale: { min: 0, max: 1_000, step: 5 },
    show_if: only('places', 'excludes', 'Home'),
  },
  { type: 'nps', key: 'nps', question: 'Recommend it?', show_if: only('taste', 'at_least', 0) },
  { type: 'number', key: 'cups', question: 'Cups?', decimals: 2, minimum: -50, maximum: 50 },
  { type: 'checkbox', key: 'agree', question: 'Agree?', show_if: only('cups', 'at_most', 10) },
  {
    type: 'date',
    key: 'since',
    question: 'Since when?',
    precision: 'month',
    show_if: {
      any: [
        { question: 'agree', op: 'is', value: true },
        { question: 'cups', op: 'not_answered' },
      ],
    },
  },
  {
    type: 'ranking',
    key: 'ranked',
    question: 'What matters?',
    options: ['Taste', { text: 'Price', key: 'price' }, 'Smell', 'Colour'],
    rank_at_most: 3,
    show_if: only('since', 'at_least', '2021-06'),
  },
  { type: 'ranking', question: 'In which order?', options: ['a', 'b', 'c'], required: false },
  {
    type: 'matrix',
    question: 'How good?',
    rows: ['Taste', { text: 'Price', key: 'price' }],
    options: ['Bad', 'Good'],
    required: false,
    show_if: only('ranked', 'includes', 'price'),
  },
  {
    type: 'matrix',
    key: 'which',
    question: 'Which?',
    rows: ['one', 'two'],
    options: ['x', 'y', 'z'],
    several: true,
  },
  {
    type: 'matrix',
    key: 'grid',
    question: 'How much?',
    rows: ['one', { text: 'Two', key: 'two' }, 'three'],
    scale: { min: 1, max: 5, step: 1 },
    show_if: { all: [{ question: 'which', row: 'two', op: 'includes', value: 'z' }] },
  },
  {
    type: 'checkbox',
    question: 'Sure?',
    show_if: { any: [{ question: 'grid', row: 'two', op: 'at_least', value: 3 }] },
  },
  {
    type: 'matrix',
    question: 'How much?',
    rows: ['one', 'two', 'three'],
    scale: { min: 1, max: 5, step: 1 },
    show_if: only('nps', 'is', 9),
  },
];

/** Each of them, so with all of their conditions. */
export const ALL_TYPES = POOL;

/** Random questions in a random order; each condition names an earlier one. */
export const randomQuestions = fc
  .shuffledSubarray(POOL, { minLength: 6 })
  .map((questions) => questions.map((each, index) => fitting(each, questions.slice(0, index))));

function fitting({ show_if, ...question }: Question, earlier: readonly Question[]): Question {
  const conditions: Question[] = show_if?.all ?? show_if?.any ?? [];
  const fits = conditions.every(({ question: key }) => earlier.some((each) => each.key === key));
  return conditions.length > 0 && fits ? { ...question, show_if } : question;
}

const keysOf = (options: (string | Question)[]): string[] =>
  options.map((option) => (typeof option === 'string' ? option : (option.key ?? option.text)));

const rated = ({ min, max, step }: Question, n: number): number =>
  min + step * (n % Math.round((max - min) / step + 1));

/** An answer that follows from a number. */
function valueOf(question: Question, n: number): unknown {
  const options = keysOf(question.options ?? []);
  const turned = [...options.slice(n % (options.length || 1)), ...options].slice(0, options.length);
  switch (question.type) {
    case 'single_choice':
      return options[n % 2];
    case 'multiple_choice':
      return n % 3 === 2 ? ['none'] : options.slice(0, 1 + (n % 2));
    case 'rating':
      return rated(question.scale, n);
    case 'nps':
      return n % 2 === 0 ? 9 : n % 11;
    case 'number':
      return ((n % 100) - 50) / (n % 2 === 0 ? 1 : 4);
    case 'checkbox':
      return n % 2 === 0;
    case 'date':
      return `202${n % 5}-0${1 + (n % 9)}`;
    case 'ranking':
      return question.rank_at_most === undefined ? turned : turned.slice(0, 1 + (n % 3));
    case 'matrix': {
      const rows = keysOf(question.rows).slice(question.required === false ? n % 2 : 0);
      const cell = (index: number) =>
        question.scale === undefined
          ? question.several === true
            ? options.slice(0, 1 + ((n + index) % 3))
            : options[(n + index) % 2]
          : rated(question.scale, n + index);
      return Object.fromEntries(rows.map((row, index) => [row, cell(index)]));
    }
    default:
      return `An answer of ${n % 7} words`;
  }
}

/** Answers to what a respondent is shown, which follow from a number. */
export function answersFrom(questions: readonly Question[], n: number): Question[] {
  const answers: Question[] = [];
  questions.forEach((question, index) => {
    const position = index + 1;
    const isLeftOut = question.required === false && (n >> index) % 3 === 0;
    if (
      question.type !== 'statement' &&
      !isLeftOut &&
      shownQuestions({ questions: [...questions] }, answers).includes(position)
    ) {
      const value = valueOf(question, n + 7 * index);
      answers.push({
        question: position,
        value,
        ...(value === 'other' ? { other: 'Oat milk' } : {}),
        ...(question.comment === true && n % 4 === 0 ? { comment: 'Always' } : {}),
      });
    }
  });
  return answers;
}
