import type { SurveyFormat } from '../campaign/campaign.types';
import type { ImageSurvey } from '../campaign/image-survey.rules';
import type { Problem } from '../validation/fields/field';

/** The kinds of question (section 2.4). */
export const QUESTION_TYPES = ['descriptive', 'text', 'single_choice', 'multiple_choice'] as const;

export type QuestionType = (typeof QUESTION_TYPES)[number];

/** A question as it is stored (section 2.4). Only choice questions have `options`. */
export interface Question {
  type: QuestionType;
  question: string;
  options?: string[];
  /** Absent if an answer is required, as for most questions. */
  required?: false;
}

/** What a respondent is asked. */
export interface Asked {
  /** `null` for advertisements. */
  format: SurveyFormat | null;
  /** `null` for an image survey, and for a campaign without questions. */
  questions: readonly Question[] | null;
  imageSurvey: ImageSurvey | null;
}

/** Minimum and maximum number of options of a choice question (sections 2.4 and 8). */
export const OPTIONS_MINIMUM = 2;
export const OPTIONS_MAXIMUM = 250;

/** Maximum number of characters of an option. */
export const OPTION_MAXIMUM = 500;

/** Minimum and maximum number of questions in a set (section 8). */
export const QUESTIONS_MINIMUM = 1;
export const QUESTIONS_MAXIMUM = 100;

/** Whether the respondent picks from options. */
export function isChoice(type: unknown): boolean {
  return type === 'single_choice' || type === 'multiple_choice';
}

/**
 * Returns the problem with the options of a question. `undefined` means that the options must be
 * checked one by one. The options of a question of unknown type are not checked.
 */
export function checkOptionsFit(type: unknown, options: readonly unknown[]): Problem[] | undefined {
  if (isChoice(type)) {
    return undefined;
  }
  return options.length === 0 || !QUESTION_TYPES.includes(type as QuestionType)
    ? []
    : [
        {
          code: 'not_allowed',
          message: 'must be absent or empty for a question that is not a choice',
        },
      ];
}

/**
 * Returns a question as it is stored: only choice questions keep their options, and only optional
 * ones say that no answer is required.
 */
export function toStoredQuestion({
  type,
  question,
  options,
  required,
}: Omit<Question, 'required'> & { required?: boolean }): Question {
  return {
    type,
    question,
    ...(isChoice(type) ? { options } : {}),
    ...(required === false ? { required } : {}),
  };
}
