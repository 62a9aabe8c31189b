import { OPTION_LENGTH } from '../../campaigns/questions/option.dto';
import { OPTIONS_MAXIMUM } from '../../campaigns/questions/question.types';
import { ofType } from '../../campaigns/questions/question-fields.dto';
import {
  ResponseInteger,
  ResponseInterval,
  ResponseList,
  ResponseNumber,
  ResponseObject,
  ResponseText,
} from '../../platform/openapi/response-fields';
import type { Interval } from '../../platform/statistics/interval.rules';
import { STEPS_MAXIMUM } from './rating-steps.rules';
import {
  COUNT,
  OptionResultDto,
  PART,
  RATING,
  RatedDto,
  ShareDto,
  SizedResultDto,
} from './result-fields.dto';

/** An option of a ranking. */
export class RankedOptionDto {
  /** What answers name the option by: its key, or else its text. */
  @ResponseText({ maximum: OPTION_LENGTH })
  value!: string;

  /** The text of an option with a key. */
  @ResponseText({ maximum: OPTION_LENGTH })
  text?: string;

  /** How many ranked it, without weights. */
  @ResponseInteger()
  ranked!: number;

  /** Its mean place among those who ranked it, 1 for the best; `null` if nobody did. */
  @ResponseNumber({ minimum: 1, maximum: OPTIONS_MAXIMUM })
  mean_rank!: number | null;

  /** Those who ranked it first. */
  @ResponseObject(() => ShareDto)
  first!: ShareDto;

  /** Its Plackett–Luce strength; all add up to 1. `null` without answers. */
  @ResponseNumber(PART)
  strength!: number | null;

  /** The place of its strength, from 1; equal ones share it. `null` without answers. */
  @ResponseInteger({ minimum: 1, maximum: OPTIONS_MAXIMUM })
  rank!: number | null;
}

/** The result of a ranking. */
@ofType('ranking')
export class RankingResultDto extends SizedResultDto {
  /** In the order of the question. */
  @ResponseList(() => RankedOptionDto, { maximum: OPTIONS_MAXIMUM })
  options!: RankedOptionDto[];
}

/** A row of a matrix: with `options`, or else with the fields of a rating. */
export class MatrixRowDto {
  /** What answers name the row by: its key, or else its text. */
  @ResponseText({ maximum: OPTION_LENGTH })
  value!: string;

  /** The text of a row with a key. */
  @ResponseText({ maximum: OPTION_LENGTH })
  text?: string;

  /** Responses with an answer to it, without weights. */
  @ResponseInteger()
  answered!: number;

  /** About how many responses of equal weight would be as precise. */
  @ResponseNumber(COUNT)
  effective_size!: number;

  /** Each option, as a share of those who answered the row. */
  @ResponseList(() => OptionResultDto, { maximum: OPTIONS_MAXIMUM })
  options?: OptionResultDto[];

  /** With a scale: the mean rating, with the weights; `null` without answers. */
  @ResponseNumber(RATING)
  mean?: number | null;

  /** With a scale; `null` below two answers. */
  @ResponseNumber({ minimum: 0, maximum: 2 * RATING.maximum })
  standard_deviation?: number | null;

  /** With a scale: the 95 % interval of the mean; `null` below three answers. */
  @ResponseInterval({ nullable: true })
  interval?: Interval | null;

  /** With a scale: those who gave one of the two highest ratings of the histogram. */
  @ResponseObject(() => ShareDto)
  top_two?: ShareDto;

  /** With a scale: how many gave each rating, in at most 101 steps, without weights. */
  @ResponseList(() => RatedDto, { maximum: STEPS_MAXIMUM })
  histogram?: RatedDto[];
}

/** The result of a matrix. */
@ofType('matrix')
export class MatrixResultDto extends SizedResultDto {
  /** In the order of the question. */
  @ResponseList(() => MatrixRowDto, { maximum: OPTIONS_MAXIMUM })
  rows!: MatrixRowDto[];
}
