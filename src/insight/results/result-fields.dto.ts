import { ApiProperty } from '@nestjs/swagger';
import { IMAGE_QUESTION } from '../../campaigns/campaign/campaign.fields';
import { SURVEY_FORMATS } from '../../campaigns/campaign/campaign.types';
import { KEY_PATTERN, OPTION_LENGTH } from '../../campaigns/questions/option.dto';
import { QUESTION_TYPES, QUESTIONS_MAXIMUM } from '../../campaigns/questions/question.types';
import {
  ResponseEnum,
  ResponseInteger,
  ResponseInterval,
  ResponseNumber,
  ResponseObject,
  ResponseText,
} from '../../platform/openapi/response-fields';
import type { Interval } from '../../platform/statistics/interval.rules';

/** The types of question, and the formats of image surveys. */
export const QUESTION_RESULT_TYPES = [
  ...QUESTION_TYPES,
  ...SURVEY_FORMATS.filter((format) => format !== 'questionnaire'),
] as const;

export type QuestionResultType = (typeof QUESTION_RESULT_TYPES)[number];

export const COUNT = { minimum: 0, maximum: 2_147_483_647 } as const;
export const PART = { minimum: 0, maximum: 1 } as const;
export const RATING = { minimum: -1_000_000, maximum: 1_000_000 } as const;

/** How many gave an answer, of those who answered. */
export class ShareDto {
  /** Responses with this answer, without weights. */
  @ResponseInteger()
  count!: number;

  /** The share of those who answered, with the weights; `null` if nobody did. */
  @ResponseNumber(PART)
  share!: number | null;

  /** The 95 % interval of the share. */
  @ResponseInterval()
  interval!: Interval;
}

/** A mean of answers. */
export class MeanDto {
  /** `null` without answers. */
  @ResponseNumber(RATING)
  mean!: number | null;

  /** `null` below two answers. */
  @ResponseNumber({ minimum: 0, maximum: 2 * RATING.maximum })
  standard_deviation!: number | null;

  /** The 95 % interval of the mean; `null` below three answers. */
  @ResponseInterval({ nullable: true })
  interval!: Interval | null;
}

/** An answer of which something is counted. */
export class CountedAnswerDto {
  /** The answer: an option, a rating, a group, a range of numbers or a period. */
  @ResponseText({ maximum: OPTION_LENGTH })
  value!: string;

  /** The text of an option with a key. */
  @ResponseText({ maximum: OPTION_LENGTH })
  text?: string;
}

export class OptionResultDto extends ShareDto {
  /** What answers name the option by: its key, or else its text. */
  @ResponseText({ maximum: OPTION_LENGTH })
  value!: string;

  /** The text of an option with a key. */
  @ResponseText({ maximum: OPTION_LENGTH })
  text?: string;

  /**
   * Of an option with conditions: those who answered and were shown it, without weights. Its share is a
   * part of them.
   */
  @ResponseInteger()
  offered?: number;
}

export class RatedDto {
  /** The rating, or the lowest of the ratings of a step. */
  @ResponseNumber(RATING)
  value!: number;

  /** How many rated so. */
  @ResponseInteger()
  count!: number;
}

/** What the result of every question has. */
export class QuestionResultFieldsDto {
  /** The position of the question, from 1. */
  @ResponseInteger({ minimum: 1, maximum: QUESTIONS_MAXIMUM })
  question!: number;

  /** The type of the question, or the format of an image survey. */
  @ResponseEnum(QUESTION_RESULT_TYPES, 'QuestionResultType')
  type!: QuestionResultType;

  @ResponseText(IMAGE_QUESTION)
  text!: string;
}

/** What the result of every question of a set has. */
export class ShownResultDto extends QuestionResultFieldsDto {
  /** The key of the question; absent if its author gave it none. */
  @ApiProperty({ type: 'string', minLength: 1, maxLength: 40, pattern: KEY_PATTERN })
  key?: string;

  /** Responses to which the question was shown, without weights. */
  @ResponseInteger()
  asked!: number;

  /** Responses to which conditions did not show it, without weights. */
  @ResponseInteger()
  not_shown!: number;
}

/** What the result of every question with an answer has. */
export class AnsweredResultDto extends ShownResultDto {
  /** Responses with an answer to it, without weights. */
  @ResponseInteger()
  answered!: number;
}

/** What the result of every question has whose answers are counted. */
export class SizedResultDto extends AnsweredResultDto {
  /** About how many responses of equal weight would be as precise. */
  @ResponseNumber(COUNT)
  effective_size!: number;
}

/** What the result of every question has that can have a right answer. */
export class CheckedResultDto extends SizedResultDto {
  /** Those who gave the right answer; absent if the question has no `correct`. */
  @ResponseObject(() => ShareDto)
  right?: ShareDto;
}
