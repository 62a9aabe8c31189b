import type { Answer } from '../../campaigns/questions/answer.rules';
import { identityOf, otherOf } from '../../campaigns/questions/option.rules';
import {
  ByType,
  callByType,
  MatrixValue,
  MultipleChoiceQuestion,
  Option,
  Question,
  SingleChoiceQuestion,
} from '../../campaigns/questions/question.types';
import { normalizeText } from '../../platform/validation/fields/unicode';

/** In every cell of what conditions hid from the respondent. */
export const NOT_SHOWN = 'not_shown';

/** A cell: text, a number, or nothing. */
export type Cell = string | number | null;

/** A column of a question. */
export interface QuestionColumn {
  /** Readable. */
  name: string;
  /** What tells it from the other columns of the question. */
  about: string | undefined;
  /** The cell of a response with an answer to the question. */
  cell: (answer: Reading) => Cell;
}

/** The options and rows of a question that were not shown, by what answers name them by. */
export interface HiddenParts {
  options?: readonly string[];
  rows?: readonly string[];
}

/** An answer whose ticked or ranked options are found at once, however many columns read them. */
export class Reading {
  private found: ReadonlyMap<unknown, number> | undefined;
  private readonly hidden: Partial<Record<keyof HiddenParts, ReadonlySet<string>>>;

  /** @param hidden what of the question was not shown */
  constructor(
    readonly answer: Answer,
    { options, rows }: HiddenParts = {},
  ) {
    this.hidden = { options: options && new Set(options), rows: rows && new Set(rows) };
  }

  /** Whether an option or a row was not shown. */
  hides(list: keyof HiddenParts, name: string): boolean {
    return this.hidden[list]?.has(name) === true;
  }

  /** The place of an option among those that were ticked or ranked, from 1. */
  placeOf(option: string): number | undefined {
    this.found ??= new Map([this.answer.value].flat().map((each, index) => [each, index + 1]));
    return this.found.get(option);
  }

  /** What was chosen in a row of a matrix. */
  inRow(row: string): MatrixValue[string] | undefined {
    return (this.answer.value as MatrixValue)[row];
  }
}

/** Maximum number of characters of its question in the name of an option's column. */
const QUESTION_LENGTH = 200;

/**
 * The columns of a question: one, or one for each option of a multiple choice or a ranking, for
 * each row of a matrix, and for each text that respondents can add.
 */
export function columnsOfQuestion(question: Question, position: number): QuestionColumn[] {
  const name = `${position}. ${shortened(question.question)}`;
  return callByType(COLUMNS, question).map((column) => ({
    ...column,
    name: column.about === undefined ? `${position}. ${question.question}` : name + column.name,
  }));
}

const whole: QuestionColumn = {
  name: '',
  about: undefined,
  cell: ({ answer }) => toCell(answer.value),
};

const COLUMNS: ByType<[], QuestionColumn[]> = {
  descriptive: () => [whole],
  text: () => [whole],
  single_choice: (question) => [whole, ...ownTexts(question)],
  multiple_choice: (question) => [
    ...perOption(
      question.options,
      (option) => (answer) => Number(answer.placeOf(option) !== undefined),
    ),
    ...ownTexts(question),
  ],
  rating: () => [whole],
  nps: () => [whole],
  number: () => [whole],
  date: () => [whole],
  ranking: ({ options }) =>
    perOption(options, (option) => (answer) => answer.placeOf(option) ?? null),
  matrix: ({ rows, options = [], several }) =>
    several === true
      ? rows.flatMap((row) => {
          const key = normalizeText(identityOf(row));
          const cellOf = (option: string) => (answer: Reading) =>
            answer.hides('rows', key) ? NOT_SHOWN : ticked(answer, key, option);
          return perOption(options, cellOf, { within: [row] });
        })
      : perOption(
          rows,
          (row) => (answer) => {
            const cell = answer.inRow(row);
            return cell === undefined ? null : toCell(cell);
          },
          { list: 'rows' },
        ),
  checkbox: () => [whole],
  statement: () => [],
};

function ticked(answer: Reading, row: string, option: string): Cell {
  const cell = answer.inRow(row);
  return Array.isArray(cell) ? Number(cell.includes(option)) : null;
}

/**
 * @param cellOf gets an option as answers have it: options of sets that were stored earlier need
 *   not be normalised
 * @param within what the options are options of
 * @param list what they are themselves
 */
function perOption(
  options: readonly Option[],
  cellOf: (option: string) => QuestionColumn['cell'],
  { within = [], list = 'options' }: { within?: readonly Option[]; list?: 'options' | 'rows' } = {},
): QuestionColumn[] {
  return options.map((option) => {
    const about = [...within, option].map((each) => `[${identityOf(each)}]`).join(' ');
    const name = normalizeText(identityOf(option));
    const cell = cellOf(name);
    return {
      name: ` ${about}`,
      about,
      cell: (answer) => (answer.hides(list, name) ? NOT_SHOWN : cell(answer)),
    };
  });
}

/** The columns of the texts that can be added to a choice. */
function ownTexts(question: SingleChoiceQuestion | MultipleChoiceQuestion): QuestionColumn[] {
  const texts = [
    ...(otherOf(question) === undefined ? [] : (['other'] as const)),
    ...(question.comment === true ? (['comment'] as const) : []),
  ];
  return texts.map((text) => ({
    name: ` (${text})`,
    about: `(${text})`,
    cell: ({ answer }) => answer[text] ?? null,
  }));
}

/** Returns a question for the names of its options, which would repeat all of a long one. */
function shortened(question: string): string {
  const characters = Array.from(question);
  return characters.length > QUESTION_LENGTH
    ? `${characters.slice(0, QUESTION_LENGTH).join('')}…`
    : question;
}

export function toCell(value: Answer['value']): Cell {
  if (Array.isArray(value)) {
    return value.join(', ');
  }
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
}
