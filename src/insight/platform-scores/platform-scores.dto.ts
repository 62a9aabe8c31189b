import { ResponseCurrency } from '../../access/company/currency.field';
import { COST } from '../../campaigns/campaign/campaign-progress.dto';
import { ResponsePostId } from '../../campaigns/campaign/post-id.field';
import {
  ResponseEnum,
  ResponseEnums,
  ResponseFlag,
  ResponseInteger,
  ResponseInterval,
  ResponseList,
  ResponseMoney,
  ResponseNumber,
  ResponseObject,
  ResponseText,
  ResponseTime,
} from '../../platform/openapi/response-fields';
import type { Interval } from '../../platform/statistics/interval.rules';
import { RatedDto, ShareDto } from '../results/result-fields.dto';
import { AttentionResultDto } from '../results/results-parts.dto';
import { Evidence, EVIDENCE } from './platform-scores.rules';

/** Platforms in a response: those with the most responses. */
export const PLATFORMS_MAXIMUM = 200;

const PROBABILITY = { minimum: 0, maximum: 1 } as const;
const NAME_LENGTH = 200;

/** How the scores of a platform go with something that it does not control. */
export class AssociationDto {
  @ResponseEnum(EVIDENCE, 'ScoreEvidence')
  with!: Evidence;

  /** Responses that have it. */
  @ResponseInteger()
  responses!: number;

  /** Pearson's coefficient: 0 if the scores say nothing about it. */
  @ResponseNumber({ minimum: -1, maximum: 1 })
  correlation!: number;

  /** The 95 % interval of the coefficient. */
  @ResponseInterval()
  interval!: Interval;
}

/** The scores of a platform. */
export class PlatformAttentionDto extends AttentionResultDto {
  /** How many responses have a score from 0 up to 1, from 1 up to 2, …, and 10. */
  @ResponseList(() => RatedDto, { minimum: 11, maximum: 11 })
  histogram!: RatedDto[];
}

/** What a careful response costs. */
export class CarefulCostDto {
  /** What all responses were paid, by the number of careful ones. */
  @ResponseMoney(COST)
  amount!: number;

  /** The 95 % interval. */
  @ResponseInterval()
  interval!: Interval;
}

/** By how much the scores of a platform differ from those of all others. */
export class ScoreDifferenceDto {
  /** Responses of the platform that have everything that is adjusted for. */
  @ResponseInteger()
  responses!: number;

  /** Points, beyond what `adjusted_for` explains. */
  @ResponseNumber({ minimum: -1_000, maximum: 1_000 })
  points!: number;

  /** The 95 % interval of the points. */
  @ResponseInterval()
  interval!: Interval;

  /** The probability of a difference at least as large if there is none, adjusted after Holm. */
  @ResponseNumber(PROBABILITY)
  probability!: number;

  /** Whether the probability is below 0.05. */
  @ResponseFlag()
  differs!: boolean;
}

/** What the scores of one platform are worth. */
export class PlatformScoresDto {
  /** The name of the platform; `test` for respondents of test keys. */
  @ResponseText({ maximum: NAME_LENGTH })
  platform!: string;

  /** Responses that are neither reversed nor erased. */
  @ResponseInteger()
  responses!: number;

  @ResponseObject(() => PlatformAttentionDto)
  attention!: PlatformAttentionDto;

  /** Without what too few responses have. */
  @ResponseList(() => AssociationDto, { maximum: EVIDENCE.length })
  associations!: AssociationDto[];

  /** Right answers to questions with `correct`; `null` without such answers. */
  @ResponseObject(() => ShareDto, { nullable: true })
  right!: ShareDto | null;

  /** Responses that no quality signal flags, with right answers to all questions with `correct`. */
  @ResponseObject(() => ShareDto)
  careful!: ShareDto;

  /** What a response was paid on average; `null` without responses. */
  @ResponseMoney(COST)
  mean_reward!: number | null;

  /** `null` without a careful response, and below two responses. */
  @ResponseObject(() => CarefulCostDto, { nullable: true })
  cost_per_careful_response!: CarefulCostDto | null;

  /** `null` if the platform or the others have too few responses. */
  @ResponseObject(() => ScoreDifferenceDto, { nullable: true })
  difference!: ScoreDifferenceDto | null;
}

export class PlatformScoresListDto {
  @ResponsePostId()
  post_id!: string;

  /** The number of the last event that is counted, as in the event feed. */
  @ResponseInteger({ maximum: Number.MAX_SAFE_INTEGER })
  as_of_seq!: number;

  /** When the responses were read. */
  @ResponseTime()
  as_of!: Date;

  /** The currency of every amount. */
  @ResponseCurrency()
  currency!: string;

  /** What the differences are adjusted for: what at least half of the responses have. */
  @ResponseEnums(EVIDENCE, 'ScoreEvidence', { minimum: 0 })
  adjusted_for!: Evidence[];

  /** Those with the most responses first. */
  @ResponseList(() => PlatformScoresDto, { maximum: PLATFORMS_MAXIMUM })
  items!: PlatformScoresDto[];
}
