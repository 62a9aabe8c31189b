import type { SurveyFormat } from '../campaign/campaign.types';
import type { ImageSurvey, Scale } from '../campaign/image-survey.rules';
import type { ShowIf } from './shown.rules';

/** The types of question: the four of section 2.4, and eight more. */
export const QUESTION_TYPES = [
  'descriptive',
  'text',
  'single_choice',
  'multiple_choice',
  'rating',
  'nps',
  'number',
  'date',
  'ranking',
  'matrix',
  'checkbox',
  'statement',
] as const;

export type QuestionType = (typeof QUESTION_TYPES)[number];

/** What the text of a short or long text must be. */
export const TEXT_FORMATS = ['email', 'url', 'integer', 'time'] as const;

/** How a rating is drawn. */
export const RATING_DISPLAYS = ['buttons', 'stars', 'slider'] as const;

/** What a date consists of. */
export const DATE_PRECISIONS = ['day', 'month', 'year'] as const;

export type TextFormat = (typeof TEXT_FORMATS)[number];
export type RatingDisplay = (typeof RATING_DISPLAYS)[number];
export type DatePrecision = (typeof DATE_PRECISIONS)[number];

/*
 * Questions as they are stored. Defaults are absent: a question that uses nothing of what section
 * 2.4 does not have is stored as it always was.
 */

/** An option or a row with more than its text. */
export interface OptionObject {
  text: string;
  /** What answers, conditions and translations name it by; its text by default. */
  key?: string;
  /** The respondent adds a text of their own. */
  other?: true;
  /** It cannot be ticked together with another one. */
  exclusive?: true;
  /** `shuffle` does not move it. */
  fixed?: true;
  show_if?: ShowIf;
}

export type Option = string | OptionObject;

/** What every question has. */
interface Common<Type extends QuestionType> {
  type: Type;
  question: string;
  key?: string;
  section?: string;
  show_if?: ShowIf;
}

/** What every question with an answer has. */
interface Answerable<Type extends QuestionType> extends Common<Type> {
  /** Absent if an answer is required, as for most questions. */
  required?: false;
}

/** What questions have that can have a right answer, which nobody sees but the company. */
interface Checkable<Value> {
  correct?: Value;
}

interface OpenQuestion<Type extends QuestionType> extends Answerable<Type> {
  minimum_length?: number;
  maximum_length?: number;
  format?: TextFormat;
}

interface ChoiceQuestion<Type extends QuestionType> extends Answerable<Type> {
  options: Option[];
  /** The options are shown in another order to each respondent. */
  shuffle?: true;
  /** A text can be added to the choice. */
  comment?: true;
}

export type DescriptiveQuestion = OpenQuestion<'descriptive'>;
export type TextQuestion = OpenQuestion<'text'>;
export type SingleChoiceQuestion = ChoiceQuestion<'single_choice'> & Checkable<string>;

export interface MultipleChoiceQuestion
  extends ChoiceQuestion<'multiple_choice'>, Checkable<string[]> {
  minimum_choices?: number;
  maximum_choices?: number;
}

export interface RatingQuestion extends Answerable<'rating'>, Checkable<number> {
  /** Complete. */
  scale: Scale;
  /** `buttons` by default. */
  display?: RatingDisplay;
}

export type NpsQuestion = Answerable<'nps'> & Checkable<number>;

export interface NumberQuestion extends Answerable<'number'>, Checkable<number> {
  minimum?: number;
  maximum?: number;
  /** 0 by default. */
  decimals?: number;
  unit?: string;
}

export interface DateQuestion extends Answerable<'date'> {
  /** `day` by default. */
  precision?: DatePrecision;
  /** The first and the last date, of that precision. */
  minimum?: string;
  maximum?: string;
}

export interface RankingQuestion extends Answerable<'ranking'> {
  options: Option[];
  shuffle?: true;
  /** All options are ranked by default. */
  rank_at_most?: number;
}

/** Has `options` or a `scale`. */
export interface MatrixQuestion extends Answerable<'matrix'> {
  rows: Option[];
  options?: Option[];
  /** Several options a row, instead of one. */
  several?: true;
  /** Complete. */
  scale?: Scale;
  /** The rows are shown in another order to each respondent. */
  shuffle?: true;
}

export interface CheckboxQuestion extends Answerable<'checkbox'> {
  must_be_true?: true;
}

export type StatementQuestion = Common<'statement'>;

/** A question as it is stored. */
export type Question =
  | DescriptiveQuestion
  | TextQuestion
  | SingleChoiceQuestion
  | MultipleChoiceQuestion
  | RatingQuestion
  | NpsQuestion
  | NumberQuestion
  | DateQuestion
  | RankingQuestion
  | MatrixQuestion
  | CheckboxQuestion
  | StatementQuestion;

export type QuestionOf<Type extends QuestionType> = Extract<Question, { type: Type }>;

/** One entry for each type: unlike a switch, a table without an entry does not compile. */
export type ByType<Parameters extends unknown[], Result> = {
  readonly [Type in QuestionType]: (
    question: QuestionOf<Type>,
    ...parameters: Parameters
  ) => Result;
};

/** Calls the entry of a question's type. */
export function callByType<Parameters extends unknown[], Result>(
  table: ByType<Parameters, Result>,
  question: Question,
  ...parameters: Parameters
): Result {
  const entry = table[question.type] as (question: Question, ...rest: Parameters) => Result;
  return entry(question, ...parameters);
}

/** The heading of consecutive questions, with what holds for them together. */
export interface Section {
  section: string;
  /** Its questions are shown in another order to each respondent. */
  shuffle?: true;
}

/** The texts of a question in another language. Texts that are absent are shown untranslated. */
export interface QuestionTranslation {
  question?: string;
  /** At the first question of a section only. */
  section?: string;
  /** The texts of options, by their keys, or by their texts if they have none. */
  options?: Record<string, string>;
  rows?: Record<string, string>;
  min_label?: string;
  max_label?: string;
  unit?: string;
}

/** The texts of a set in other languages: by language, then by the key of the question. */
export type Translations = Record<string, Record<string, QuestionTranslation>>;

/** How a set is shown, besides its questions; each is `null` in a set without it. */
export interface Presentation {
  /** A language tag (BCP 47) in its canonical form. */
  language: string | null;
  translations: Translations | null;
  sections: Section[] | null;
}

/** Everything that a set consists of. */
export interface SetContent extends Presentation {
  questions: Question[];
}

/** What a respondent is asked. */
export interface Asked {
  /** `null` for advertisements. */
  format: SurveyFormat | null;
  /** `null` for an image survey, and for a campaign without questions. */
  questions: readonly Question[] | null;
  imageSurvey: ImageSurvey | null;
}

/** An answer to a matrix: by row, an option, several options, or a rating. */
export type MatrixValue = Record<string, string | string[] | number>;

export type AnswerValue = string | string[] | number | boolean | MatrixValue;

/** Minimum and maximum number of options of a choice question (sections 2.4 and 8). */
export const OPTIONS_MINIMUM = 2;
export const OPTIONS_MAXIMUM = 2_000;

/** Minimum and maximum number of questions in a set (section 8). */
export const QUESTIONS_MINIMUM = 1;
export const QUESTIONS_MAXIMUM = 300;

/** Maximum number of options in a set; each row of a matrix has all of its options. */
export const CELLS_MAXIMUM = 25_000;

/** Maximum number of conditions of a question, an option or a row. */
export const CONDITIONS_MAXIMUM = 50;
