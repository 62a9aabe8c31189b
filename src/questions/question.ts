import type { Problem } from '../http/fields/field';

/** The kinds of question (section 2.4). */
export const QUESTION_TYPES = ['descriptive', 'text', 'single_choice', 'multiple_choice'] as const;

export type QuestionType = (typeof QUESTION_TYPES)[number];

/** A question as it is stored (section 2.4). `options` is there for choice questions only. */
export interface Question {
  type: QuestionType;
  question: string;
  options?: string[];
}

/** How many options a choice question has (sections 2.4 and 8). */
export const OPTIONS_MINIMUM = 2;
export const OPTIONS_MAXIMUM = 250;

/** How many questions a set has (section 8). */
export const QUESTIONS_MINIMUM = 1;
export const QUESTIONS_MAXIMUM = 100;

/** Whether the respondent picks from options. */
export function isChoice(type: unknown): boolean {
  return type === 'single_choice' || type === 'multiple_choice';
}

/**
 * What is wrong with options that a question of this type should not have. `undefined` where they
 * have to be looked at one by one. A type that is itself wrong says nothing about the options.
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

/** A question as it is stored: without options unless they are what it is about. */
export function toStoredQuestion({ type, question, options }: Question): Question {
  return isChoice(type) ? { type, question, options } : { type, question };
}
