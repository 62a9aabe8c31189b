import { ApiProperty, PickType } from '@nestjs/swagger';
import { PostId } from '../../campaigns/campaign/post-id.field';
import { IMAGE_QUESTION } from '../../campaigns/campaign/campaign.fields';
import { KEY_PATTERN, OPTION_LENGTH } from '../../campaigns/questions/option.dto';
import {
  OPTIONS_MAXIMUM,
  QUESTION_TYPES,
  QuestionType,
} from '../../campaigns/questions/question.types';
import {
  ResponseEnum,
  ResponseInteger,
  ResponseInterval,
  ResponseList,
  ResponseNumber,
  ResponseObject,
  ResponseText,
} from '../../platform/openapi/response-fields';
import type { Interval } from '../../platform/statistics/interval.rules';
import { KEY_LENGTH } from '../crosstab/table.dto';
import { CohortsQueryDto } from '../results/counted-query.dto';
import { CountedAnswerDto, MeanDto, PART, RATING, ShareDto } from '../results/result-fields.dto';
import { ResultsDto } from '../results/results.dto';
import { WeightsParameter } from '../results/results.fields';

/** Maximum number of questions and rows that are compared. */
export const COMPARED_MAXIMUM = 5_000;

/** Which campaign to compare with. */
export class WavesQueryDto extends CohortsQueryDto {
  /** The earlier campaign, another one of your company, by its `post_id`. */
  @PostId()
  compare!: string;

  /** How much a response of each cohort counts: five numbers from 0 to 1, separated by commas. */
  @WeightsParameter()
  weights?: string;
}

/** A campaign that is compared. */
export class WaveDto extends PickType(ResultsDto, ['post_id', 'version', 'as_of_seq', 'as_of']) {
  /** Responses that are counted. */
  @ResponseInteger()
  counted!: number;
}

/** An answer in both waves. */
export class WaveRowDto extends CountedAnswerDto {
  /** In this campaign. */
  @ResponseObject(() => ShareDto)
  current!: ShareDto;

  /** In the campaign of `compare`. */
  @ResponseObject(() => ShareDto)
  earlier!: ShareDto;

  /** The share of this campaign minus that of the other; `null` without answers in one of them. */
  @ResponseNumber({ minimum: -1, maximum: 1 })
  difference!: number | null;

  /** The 95 % interval of the difference, after Newcombe. */
  @ResponseInterval({ nullable: true })
  difference_interval!: Interval | null;

  /** The probability of such a difference by chance, after Holm; `null` for fewer than 30 answers. */
  @ResponseNumber(PART)
  p_value!: number | null;
}

/** A mean in a wave. */
export class WaveMeanDto extends MeanDto {}

/** The means of both waves. */
export class WaveMeansDto {
  /** In this campaign. */
  @ResponseObject(() => WaveMeanDto)
  current!: WaveMeanDto;

  /** In the campaign of `compare`. */
  @ResponseObject(() => WaveMeanDto)
  earlier!: WaveMeanDto;

  /** The mean of this campaign minus that of the other; `null` without answers in one of them. */
  @ResponseNumber({ minimum: -2 * RATING.maximum, maximum: 2 * RATING.maximum })
  difference!: number | null;

  /** The 95 % interval of the difference, after Welch. */
  @ResponseInterval({ nullable: true })
  difference_interval!: Interval | null;

  /** The probability of such a difference by chance; `null` for fewer than 30 answers. */
  @ResponseNumber(PART)
  p_value!: number | null;
}

/** A question that both campaigns ask, or a row of a matrix. */
export class WaveQuestionDto {
  /** The key of the question, its own or `q1`, `q2`, … */
  @ApiProperty({ type: 'string', minLength: 1, maxLength: KEY_LENGTH, pattern: KEY_PATTERN })
  key!: string;

  @ResponseEnum(QUESTION_TYPES, 'QuestionType')
  type!: QuestionType;

  /** Its text in this campaign. */
  @ResponseText(IMAGE_QUESTION)
  text!: string;

  /** Of a matrix: the row, by its key, or else its text. */
  @ResponseText({ maximum: OPTION_LENGTH })
  row?: string;

  /** Responses of this campaign with an answer, without weights. */
  @ResponseInteger()
  answered!: number;

  /** Responses of the other campaign with an answer, without weights. */
  @ResponseInteger()
  answered_earlier!: number;

  @ResponseList(() => WaveRowDto, { maximum: OPTIONS_MAXIMUM })
  rows!: WaveRowDto[];

  /** Of ratings, numbers, and rows of a matrix with a scale. */
  @ResponseObject(() => WaveMeansDto)
  mean?: WaveMeansDto;
}

export class WavesDto {
  /** This campaign. */
  @ResponseObject(() => WaveDto)
  current!: WaveDto;

  /** The campaign of `compare`. */
  @ResponseObject(() => WaveDto)
  earlier!: WaveDto;

  /**
   * The questions, and rows of matrices, that both have by the same key and type, in the order of this
   * campaign: the first 5,000.
   */
  @ResponseList(() => WaveQuestionDto, { maximum: COMPARED_MAXIMUM })
  questions!: WaveQuestionDto[];
}
