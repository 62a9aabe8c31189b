import { RefineSchema } from '../../platform/openapi/schema-refinements';
import { NestedObject } from '../../platform/validation/fields/array.fields';
import { Flag, OneOf } from '../../platform/validation/fields/choice.fields';
import { Problem, problem } from '../../platform/validation/fields/field';
import { Text } from '../../platform/validation/fields/text.fields';
import { Key } from './option.field';
import { QUESTION_TYPES, QuestionType } from './question.types';
import { ShowIfDto } from './show-if.dto';

export const QUESTION_LENGTH = 1_000;
export const SECTION_LENGTH = 200;
export const UNIT_LENGTH = 40;
export const DECIMALS_MAXIMUM = 6;

/** The type of a variant in the document, by which generators tell the variants apart. */
export function ofType(type: string): ClassDecorator {
  return RefineSchema(({ properties, ...schema }) => ({
    ...schema,
    properties: { ...properties, type: { type: 'string', enum: [type] } },
  }));
}

/** What all questions have. */
export class QuestionFieldsDto {
  /** Decides what else the question has. */
  @OneOf(QUESTION_TYPES, 'QuestionType', { example: 'single_choice' })
  type!: QuestionType;

  /** The question's text. `{{key}}` in it shows an earlier answer, if the set has keys. */
  @Text({ maximum: QUESTION_LENGTH, example: 'How many cups do you drink a day?' })
  question!: string;

  /**
   * Your own name for the question, unique in the set. Answers, conditions and translations can name it;
   * by default it is `q1`, `q2`, … by its position.
   */
  @Key({ optional: true })
  key?: string;

  /** A heading. Consecutive questions with the same one are one page. */
  @Text({ maximum: SECTION_LENGTH, optional: true, example: 'About you' })
  section?: string;

  /** When the question is shown; always, by default. */
  @NestedObject(() => ShowIfDto, { optional: true })
  show_if?: ShowIfDto;
}

/** A question that has an answer. */
export class AnswerableDto extends QuestionFieldsDto {
  /** Whether respondents must answer the question if it is shown; `true` by default. */
  @Flag({ optional: true })
  required?: boolean;
}

/** Finds a limit that is above another one. */
export function checkOrder<Limit extends number | string>(
  low: Limit | undefined,
  high: Limit | undefined,
  at: string,
): Problem[] {
  return low !== undefined && high !== undefined && low > high
    ? problem('too_small', 'must not be below its minimum', at)
    : [];
}
