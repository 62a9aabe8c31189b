import { MARGINS_MAXIMUM } from '../../campaigns/campaign/margins.dto';
import { COST } from '../../campaigns/campaign/campaign-progress.dto';
import { OPTION_LENGTH } from '../../campaigns/questions/option.dto';
import {
  ResponseEnum,
  ResponseFlag,
  ResponseInteger,
  ResponseInterval,
  ResponseList,
  ResponseMoney,
  ResponseNumber,
  ResponseText,
  ResponseTime,
} from '../../platform/openapi/response-fields';
import { QUALITY_SIGNALS, QualitySignal } from '../../campaigns/questions/quality-signals.types';
import type { Interval } from '../../platform/statistics/interval.rules';

export const COHORT = { minimum: 1, maximum: 5 } as const;
export const SCORE = { minimum: 0, maximum: 10 } as const;
const SECONDS = { minimum: 0, maximum: 1_000_000 } as const;
const PART = { minimum: 0, maximum: 1 } as const;

/** Responses to this version of the questions. */
export class ResponseCountsDto {
  /** All of them: `reversed`, `erased`, and those that are counted. */
  @ResponseInteger()
  submitted!: number;

  /** Whose reward was taken back. They are not counted. */
  @ResponseInteger()
  reversed!: number;

  /** Whose answers were erased, and that are not reversed. They are not counted. */
  @ResponseInteger()
  erased!: number;

  /** Those that `questions` counts: of the cohorts in `cohorts_counted` and of the `quota`. */
  @ResponseInteger()
  counted!: number;
}

/** What became of everybody who began, whatever the version and the cohort. */
export class FunnelDto {
  @ResponseInteger()
  begun!: number;

  @ResponseInteger()
  submitted!: number;

  @ResponseInteger()
  abandoned!: number;

  @ResponseInteger()
  expired!: number;

  @ResponseInteger()
  open!: number;

  /**
   * `submitted` by `begun` − `open`, without weights: those who are answering now are not counted.
   * `null` before anybody has finished.
   */
  @ResponseNumber(PART)
  completion_rate!: number | null;

  /** The 95 % interval of the completion rate. */
  @ResponseInterval()
  interval!: Interval;
}

/** How long the counted responses took from begin to submit, correct to 1.5 %. */
export class AnswerSecondsDto {
  @ResponseNumber(SECONDS)
  median!: number | null;

  /** A tenth of them took at most this long. */
  @ResponseNumber(SECONDS)
  p10!: number | null;

  /** Nine tenths of them took at most this long. */
  @ResponseNumber(SECONDS)
  p90!: number | null;
}

/** The attention scores of the counted responses. */
export class AttentionResultDto {
  /** `null` without responses. */
  @ResponseNumber(SCORE)
  mean!: number | null;

  /** `null` below two responses. */
  @ResponseNumber(SCORE)
  standard_deviation!: number | null;

  /** The 95 % interval of the mean; `null` below three responses. */
  @ResponseInterval({ nullable: true })
  interval!: Interval | null;
}

/** The responses of a cohort to this version, neither reversed nor erased. */
export class CohortResultDto {
  @ResponseInteger(COHORT)
  cohort!: number;

  @ResponseInteger()
  responses!: number;

  /** The share of the cohort in all five, without weights; `null` without responses. */
  @ResponseNumber(PART)
  share!: number | null;

  /** The 95 % interval of the share. */
  @ResponseInterval()
  interval!: Interval;

  /** What it was paid, without what was taken back. */
  @ResponseMoney(COST)
  paid!: number;
}

/** How many of the counted responses a quality signal flags. */
export class SignalResultDto {
  @ResponseEnum(QUALITY_SIGNALS, 'QualitySignal')
  signal!: QualitySignal;

  /** Responses that could be flagged, because they have what the signal is about; unweighted. */
  @ResponseInteger()
  measured!: number;

  /** Those of them that are flagged; unweighted. */
  @ResponseInteger()
  flagged!: number;

  /** The share of the flagged ones in the measured, with the weights; `null` without any. */
  @ResponseNumber(PART)
  share!: number | null;

  /** The 95 % interval of the share. */
  @ResponseInterval()
  interval!: Interval;
}

/** The money of the campaign, whatever the version and the cohort. */
export class SpendingDto {
  /** What was paid, without what was taken back. */
  @ResponseMoney(COST)
  spent!: number;

  /** What is held for those who are answering. */
  @ResponseMoney(COST)
  held!: number;

  /** Those who were paid although their answers to the screening questions do not qualify. */
  @ResponseInteger()
  screened_out!: number;

  /** What of `spent` was paid to those who are `screened_out`. */
  @ResponseMoney(COST)
  screen_out_spent!: number;

  /** What of `spent` was paid as bonuses. */
  @ResponseMoney(COST)
  bonus_spent!: number;

  /** What responses that are not reversed were paid without bonuses, by their number; `null` without any. */
  @ResponseMoney()
  mean_reward!: number | null;
}

/**
 * A period in which responses were submitted: an hour, a day, a week, 4 or 52 weeks. Weeks begin on
 * Monday.
 */
export class PeriodDto {
  @ResponseTime()
  from!: Date;

  @ResponseTime()
  to!: Date;

  /** Responses, whatever the version and the cohort. */
  @ResponseInteger()
  submitted!: number;

  /** What was paid for them, without bonuses and without what was taken back since. */
  @ResponseMoney(COST)
  spent!: number;
}

/** An answer or a quota of a margin. */
export class MissingShareDto {
  /** The place of the margin in `margins` of the campaign, from 0. */
  @ResponseInteger({ maximum: MARGINS_MAXIMUM - 1 })
  margin!: number;

  @ResponseText({ maximum: OPTION_LENGTH })
  value!: string;
}

/** How the responses are weighted to the margins of the campaign. */
export class MarginsResultDto {
  /** Whether every margin has its shares, to 0.000001. */
  @ResponseFlag()
  converged!: boolean;

  /** Passes over all margins; at most 1,000. */
  @ResponseInteger({ maximum: 1_000 })
  iterations!: number;

  /** The largest difference between a share and what it is to be. */
  @ResponseNumber(PART)
  largest_difference!: number;

  /** About how many responses of equal weight would be as precise. */
  @ResponseNumber({ minimum: 0, maximum: 2_147_483_647 })
  effective_size!: number;

  /** The number of counted responses by `effective_size`; `null` without responses. */
  @ResponseNumber({ minimum: 0, maximum: 2_147_483_647 })
  design_effect!: number | null;

  /** The smallest weight of a response; all are 1 on average. `null` without responses. */
  @ResponseNumber({ minimum: 0, maximum: 2_147_483_647 })
  smallest_weight!: number | null;

  /** The largest weight of a response; `null` without responses. */
  @ResponseNumber({ minimum: 0, maximum: 2_147_483_647 })
  largest_weight!: number | null;

  /** Answers and quotas of which there are no responses: the others of the margin stand for them. */
  @ResponseList(() => MissingShareDto, { maximum: 250 })
  missing!: MissingShareDto[];
}
