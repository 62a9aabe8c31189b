import { ApiProperty } from '@nestjs/swagger';
import { NUMBER_MAXIMUM } from '../../campaigns/questions/answer-value.rules';
import { DATE_PRECISIONS, DatePrecision } from '../../campaigns/questions/question.types';
import { ofType } from '../../campaigns/questions/question-fields.dto';
import {
  ResponseEnum,
  ResponseFlag,
  ResponseInteger,
  ResponseInterval,
  ResponseList,
  ResponseNumber,
  ResponseObject,
} from '../../platform/openapi/response-fields';
import type { Interval } from '../../platform/statistics/interval.rules';
import { PERIODS_MAXIMUM } from './date-periods.rules';
import { BINS_MAXIMUM } from './number-bins.rules';
import { STEPS_MAXIMUM } from './rating-steps.rules';
import { CheckedResultDto, RATING, RatedDto, ShareDto, SizedResultDto } from './result-fields.dto';

const NUMBER = { minimum: -NUMBER_MAXIMUM, maximum: NUMBER_MAXIMUM } as const;
const SCORE = { minimum: -100, maximum: 100 } as const;

/** The result of a rating. */
@ofType('rating')
export class RatingResultDto extends CheckedResultDto {
  /** The mean rating, with the weights; `null` without answers. */
  @ResponseNumber(RATING)
  mean!: number | null;

  /** `null` below two answers. */
  @ResponseNumber({ minimum: 0, maximum: 2 * RATING.maximum })
  standard_deviation!: number | null;

  /** The 95 % interval of the mean; `null` below three answers. */
  @ResponseInterval({ nullable: true })
  interval!: Interval | null;

  /** Those who gave one of the two highest ratings of the histogram. */
  @ResponseObject(() => ShareDto)
  top_two!: ShareDto;

  /** How many gave each rating, in at most 101 steps, without weights. */
  @ResponseList(() => RatedDto, { maximum: STEPS_MAXIMUM })
  histogram!: RatedDto[];
}

/** The result of the question of the net promoter score. */
@ofType('nps')
export class NpsResultDto extends CheckedResultDto {
  /** The share of promoters minus that of detractors, in percent; `null` without answers. */
  @ResponseNumber(SCORE)
  score!: number | null;

  /** The 95 % interval of the score. */
  @ResponseInterval()
  interval!: Interval;

  /** Those who answered with 9 or 10. */
  @ResponseObject(() => ShareDto)
  promoters!: ShareDto;

  /** Those who answered with 7 or 8. */
  @ResponseObject(() => ShareDto)
  passives!: ShareDto;

  /** Those who answered with 0 to 6. */
  @ResponseObject(() => ShareDto)
  detractors!: ShareDto;

  /** How many gave each answer from 0 to 10, without weights. */
  @ResponseList(() => RatedDto, { maximum: STEPS_MAXIMUM })
  histogram!: RatedDto[];
}

/** A range of numbers. All ranges of a histogram have the same width. */
export class BinDto {
  /** The lowest number of the range. */
  @ResponseNumber({ minimum: -2 * NUMBER_MAXIMUM, maximum: 2 * NUMBER_MAXIMUM })
  from!: number;

  /** The range ends below this number. */
  @ResponseNumber({ minimum: -2 * NUMBER_MAXIMUM, maximum: 2 * NUMBER_MAXIMUM })
  to!: number;

  @ResponseInteger()
  count!: number;
}

/** The result of a number. */
@ofType('number')
export class NumberResultDto extends CheckedResultDto {
  /** The mean, with the weights; `null` without answers. */
  @ResponseNumber(NUMBER)
  mean!: number | null;

  /** `null` below two answers. */
  @ResponseNumber({ minimum: 0, maximum: 2 * NUMBER_MAXIMUM })
  standard_deviation!: number | null;

  /** The 95 % interval of the mean; `null` below three answers. */
  @ResponseInterval({ nullable: true })
  interval!: Interval | null;

  /** A quarter of the answers is below it; `null` without answers. */
  @ResponseNumber(NUMBER)
  lower_quartile!: number | null;

  /** `null` without answers. */
  @ResponseNumber(NUMBER)
  median!: number | null;

  /** A quarter of the answers is above it; `null` without answers. */
  @ResponseNumber(NUMBER)
  upper_quartile!: number | null;

  /** Whether the quartiles are exact. They are correct to 0.5 % once there were more than 1,000 different numbers. */
  @ResponseFlag()
  exact!: boolean;

  /** How many numbers are in each range, lowest first, without weights; no ranges without answers. */
  @ResponseList(() => BinDto, { maximum: BINS_MAXIMUM })
  histogram!: BinDto[];
}

/** A day, month or year, with its share of those who answered. */
export class DatedDto extends ShareDto {
  /** Such as `2026-11-27`, `2026-11` or `2026`. */
  @ApiProperty({ type: 'string', maxLength: 10, pattern: '^\\d{4}(-\\d\\d){0,2}$' })
  period!: string;
}

/** The result of a date. */
@ofType('date')
export class DateResultDto extends SizedResultDto {
  /** What a period is: the shortest of which no more than 400 are needed, or a year. */
  @ResponseEnum(DATE_PRECISIONS, 'DatePrecision')
  precision!: DatePrecision;

  /** Oldest first, without empty ones. Of more than 1,000 years, these are the most frequent. */
  @ResponseList(() => DatedDto, { maximum: PERIODS_MAXIMUM })
  periods!: DatedDto[];
}
