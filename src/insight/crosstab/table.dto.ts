import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { IMAGE_QUESTION } from '../../campaigns/campaign/campaign.fields';
import { KEY_PATTERN, OPTION_LENGTH } from '../../campaigns/questions/option.dto';
import {
  QUESTION_TYPES,
  QUESTIONS_MAXIMUM,
  QuestionType,
} from '../../campaigns/questions/question.types';
import {
  ResponseEnum,
  ResponseFlag,
  ResponseInteger,
  ResponseInterval,
  ResponseList,
  ResponseNumber,
  ResponseObject,
  ResponseText,
} from '../../platform/openapi/response-fields';
import type { Interval } from '../../platform/statistics/interval.rules';
import {
  COUNT,
  CountedAnswerDto,
  MeanDto,
  PART,
  RATING,
  ShareDto,
} from '../results/result-fields.dto';
import { COLUMNS_MAXIMUM } from './comparison.rules';

/** Room for the key of a question. */
export const KEY_LENGTH = 40;

/** A question of a table. */
export class TableQuestionDto {
  /** The position of the question, from 1. */
  @ResponseInteger({ minimum: 1, maximum: QUESTIONS_MAXIMUM })
  question!: number;

  /** The key of the question; absent if its author gave it none. */
  @ApiProperty({ type: 'string', minLength: 1, maxLength: KEY_LENGTH, pattern: KEY_PATTERN })
  key?: string;

  @ResponseEnum(QUESTION_TYPES, 'QuestionType')
  type!: QuestionType;

  @ResponseText(IMAGE_QUESTION)
  text!: string;

  /** Of a matrix: the row that the table is about. */
  @ResponseText({ maximum: OPTION_LENGTH })
  row?: string;
}

/** How a share or a mean differs from that of the responses outside the column. */
export class DifferenceDto {
  /** The one minus the other; `null` if one of them has no responses. */
  @ResponseNumber({ minimum: -2 * RATING.maximum, maximum: 2 * RATING.maximum })
  difference!: number | null;

  /** The 95 % interval of the difference: Newcombe's of shares, Welch's of means. */
  @ResponseInterval({ nullable: true })
  difference_interval!: Interval | null;

  /** The probability of such a difference by chance, after Holm; `null` for a small base. */
  @ResponseNumber(PART)
  p_value!: number | null;

  /**
   * The letters of the columns of which this one is significantly higher; `null` if a response can be
   * in several columns.
   */
  @ApiProperty({
    type: 'array',
    items: { type: 'string', pattern: '^[A-Z]$', minLength: 1, maxLength: 1 },
    maxItems: COLUMNS_MAXIMUM,
    nullable: true,
  })
  higher_than!: string[] | null;
}

/** The mean of a rating or a number in a column. */
export class TableMeanDto extends IntersectionType(DifferenceDto, MeanDto) {}

export class TableColumnDto {
  /** The letter by which cells name the column. */
  @ApiProperty({ type: 'string', pattern: '^[A-Z]$', minLength: 1, maxLength: 1 })
  letter!: string;

  /** The answer, cohort, platform or version; of a quota, its name, and then `other`. */
  @ResponseText({ maximum: OPTION_LENGTH })
  value!: string;

  /** The text of an option with a key. */
  @ResponseText({ maximum: OPTION_LENGTH })
  text?: string;

  /** Responses in the column that answered the question of the rows, without weights. */
  @ResponseInteger()
  answered!: number;

  /** About how many responses of equal weight would be as precise. */
  @ResponseNumber(COUNT)
  effective_size!: number;

  /** Whether `answered` is below 30: the column is then not tested. */
  @ResponseFlag()
  small_base!: boolean;

  /** Of ratings, numbers, and rows of a matrix with a scale. */
  @ResponseObject(() => TableMeanDto)
  mean?: TableMeanDto;
}

/** How many in a column gave an answer, and how their share differs from that of all others. */
export class TableCellDto extends DifferenceDto {
  /** Responses with this answer, without weights. */
  @ResponseInteger()
  count!: number;

  /** The share of those in the column who answered, with the weights; `null` if nobody did. */
  @ResponseNumber(PART)
  share!: number | null;

  /** The 95 % interval of the share. */
  @ResponseInterval()
  interval!: Interval;
}

export class TableRowDto extends CountedAnswerDto {
  /** Of all responses, whatever the column: what the results of the question have. */
  @ResponseObject(() => ShareDto)
  total!: ShareDto;

  /** Responses with this answer that are in no column, without weights. */
  @ResponseInteger()
  without_column!: number;

  /** In the order of the columns. */
  @ResponseList(() => TableCellDto, { maximum: COLUMNS_MAXIMUM })
  cells!: TableCellDto[];
}
