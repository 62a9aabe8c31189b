import { completeScale } from '../campaign/image-survey.dto';
import type { Question, QuestionType, Section, SetContent } from './question.types';
import type { QuestionFieldsDto } from './question-fields.dto';
import type { QuestionSetContentDto } from './question-set.dto';

const COMMON = ['type', 'question', 'key', 'section', 'show_if'] as const;
const OPEN = [...COMMON, 'required', 'minimum_length', 'maximum_length', 'format'] as const;
const CHOICE = [...COMMON, 'options', 'required', 'shuffle', 'comment'] as const;

/** The fields that a question of each type is stored with. */
const FIELDS: Readonly<Record<QuestionType, readonly string[]>> = {
  descriptive: OPEN,
  text: OPEN,
  single_choice: [...CHOICE, 'correct'],
  multiple_choice: [...CHOICE, 'correct', 'minimum_choices', 'maximum_choices'],
  rating: [...COMMON, 'required', 'scale', 'display', 'correct'],
  nps: [...COMMON, 'required', 'correct'],
  number: [...COMMON, 'required', 'minimum', 'maximum', 'decimals', 'unit', 'correct'],
  date: [...COMMON, 'required', 'precision', 'minimum', 'maximum'],
  ranking: [...COMMON, 'options', 'required', 'shuffle', 'rank_at_most'],
  matrix: [...COMMON, 'rows', 'options', 'several', 'scale', 'required', 'shuffle'],
  checkbox: [...COMMON, 'required', 'must_be_true'],
  statement: COMMON,
};

/** What is not stored, because it is what an absent field means. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  required: true,
  shuffle: false,
  comment: false,
  minimum_choices: 1,
  display: 'buttons',
  decimals: 0,
  precision: 'day',
  several: false,
  must_be_true: false,
};

const CHANGES: Readonly<Record<string, (value: never) => unknown>> = {
  options: toStoredOptions,
  rows: toStoredOptions,
  scale: completeScale,
  show_if: (value: object) => toPlain(value),
};

/** Returns a valid question as it is stored: plain, and without defaults. */
export function toStoredQuestion(question: QuestionFieldsDto | Question): Question {
  const fields = question as unknown as Readonly<Record<string, unknown>>;
  const stored: Record<string, unknown> = {};
  for (const name of FIELDS[question.type]) {
    const value = fields[name];
    if (value !== undefined && value !== DEFAULTS[name]) {
      const change = CHANGES[name] as ((value: unknown) => unknown) | undefined;
      stored[name] = change === undefined ? value : change(value);
    }
  }
  return stored as unknown as Question;
}

/** An option that is only a text is stored as a text. */
function toStoredOptions(options: readonly (string | object)[]): unknown[] {
  return options.map((option) => {
    if (typeof option === 'string') {
      return option;
    }
    const fields = Object.entries(option).filter(
      ([, value]) => value !== undefined && value !== false,
    );
    return fields.length === 1
      ? (fields[0]?.[1] as unknown)
      : 'show_if' in option
        ? toPlain(Object.fromEntries(fields))
        : Object.fromEntries(fields);
  });
}

/** Returns a valid set as it is stored. */
export function toStoredSet({
  questions,
  language,
  translations,
  sections,
}: QuestionSetContentDto): SetContent {
  return {
    questions: questions.map(toStoredQuestion),
    language: language ?? null,
    translations: toPlainUnlessEmpty(translations),
    sections:
      sections == null || sections.length === 0
        ? null
        : sections.map(({ section, shuffle }): Section => ({
            section,
            ...(shuffle === true ? { shuffle } : {}),
          })),
  };
}

const toPlainUnlessEmpty = <T extends object>(value: T | null | undefined): T | null =>
  value == null || Object.keys(value).length === 0 ? null : toPlain(value);

/** Returns what JSON makes of a value: without classes, and without what is absent. */
export function toPlain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
