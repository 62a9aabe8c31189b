import { Big } from 'big.js';
import { ResponseCurrency } from '../../access/company/currency.field';
import type { CompletingGuardrail } from '../../campaigns/guardrail/known-enough.rules';
import { ResponsePostId } from '../../campaigns/campaign/post-id.field';
import {
  ResponseInteger,
  ResponseIntegers,
  ResponseList,
  ResponseObject,
  ResponseText,
  ResponseTime,
} from '../../platform/openapi/response-fields';
import { QUALITY_SIGNALS } from '../../campaigns/questions/quality-signals.types';
import { QUESTIONS_MAXIMUM } from '../../campaigns/questions/question.types';
import { QUOTA_NAME_LENGTH } from '../../campaigns/targeting/targeting.types';
import { sumOf } from '../../platform/statistics/linear-algebra.rules';
import { quantile } from '../../platform/statistics/log-histogram.rules';
import { Text } from '../../platform/validation/fields/text.fields';
import { VersionQueryDto } from './counted-query.dto';
import { QuestionResult, QuestionResultDto } from './question-results.dto';
import { cohortShares, signalResults } from './question-results.rules';
import {
  AnswerSecondsDto,
  AttentionResultDto,
  COHORT,
  CohortResultDto,
  FunnelDto,
  MarginsResultDto,
  PeriodDto,
  ResponseCountsDto,
  SCORE,
  SignalResultDto,
  SpendingDto,
} from './results-parts.dto';
import { MARGINS, WeightsParameter } from './results.fields';
import type { CampaignResults } from './results.types';
import { meanOf, shareOf } from './shares.rules';
import { meanAmount, Tallied } from './tally.rules';
import { STOP_WHEN_MAXIMUM, StopWhenDto } from './stop-when.dto';
import { PERIODS_MAXIMUM } from './timeline.rules';

/** What to count. */
export class ResultsQueryDto extends VersionQueryDto {
  /**
   * How much a response of each cohort counts: five numbers from 0 to 1, separated by commas. Or
   * `margins`: each response counts so that the margins of the campaign have their shares.
   */
  @WeightsParameter({ word: MARGINS })
  weights?: string;

  /** Only responses that count in this quota of the campaign, by its name. */
  @Text({ maximum: QUOTA_NAME_LENGTH, optional: true, example: 'women 18 to 34' })
  quota?: string;
}

export class ResultsDto {
  @ResponsePostId()
  post_id!: string;

  /** The version of the questions; `null` for an image survey and without questions. */
  @ResponseInteger({ minimum: 1 })
  version!: number | null;

  /** The number of the last event that is counted, as in the event feed. */
  @ResponseInteger({ maximum: Number.MAX_SAFE_INTEGER })
  as_of_seq!: number;

  /** Later events that are not counted yet; 0 unless more than 2,000 came at once. */
  @ResponseInteger()
  behind!: number;

  /** When the counts were read. */
  @ResponseTime()
  as_of!: Date;

  /** The cohorts that `counted`, `answer_seconds`, `attention`, `quality` and `questions` are about. */
  @ResponseIntegers({ minimum: 1, maximum: 5, items: COHORT })
  cohorts_counted!: number[];

  /** The quota that they and `cohorts` are about; `null` for all responses. */
  @ResponseText({ maximum: QUOTA_NAME_LENGTH })
  quota!: string | null;

  /** With `weights=margins`: how responses are weighted; else `null`. */
  @ResponseObject(() => MarginsResultDto, { nullable: true })
  margins!: MarginsResultDto | null;

  /** The currency of every amount. */
  @ResponseCurrency()
  currency!: string;

  @ResponseObject(() => ResponseCountsDto)
  responses!: ResponseCountsDto;

  @ResponseObject(() => FunnelDto)
  funnel!: FunnelDto;

  @ResponseObject(() => AnswerSecondsDto)
  answer_seconds!: AnswerSecondsDto;

  @ResponseObject(() => AttentionResultDto)
  attention!: AttentionResultDto;

  /** All five, whatever cohorts are counted. */
  @ResponseList(() => CohortResultDto, { minimum: 5, maximum: 5 })
  cohorts!: CohortResultDto[];

  /** What each quality signal flags in the counted responses. */
  @ResponseList(() => SignalResultDto, {
    minimum: QUALITY_SIGNALS.length,
    maximum: QUALITY_SIGNALS.length,
  })
  quality!: SignalResultDto[];

  @ResponseObject(() => SpendingDto)
  spending!: SpendingDto;

  /** Oldest first. Periods in which nothing was submitted are left out. */
  @ResponseList(() => PeriodDto, { maximum: PERIODS_MAXIMUM })
  timeline!: PeriodDto[];

  /** The questions of this version in their order, or the one of an image survey. */
  @ResponseList(() => QuestionResultDto, { maximum: QUESTIONS_MAXIMUM })
  questions!: QuestionResult[];

  /** What completes the campaign once it is known well enough, and how well it is known. */
  @ResponseList(() => StopWhenDto, { maximum: STOP_WHEN_MAXIMUM })
  stop_when!: StopWhenDto[];

  /**
   * @param questions in their order
   * @param completing what completes the campaign once it is known well enough
   */
  static from(
    results: CampaignResults,
    questions: QuestionResult[],
    completing: readonly CompletingGuardrail[],
  ): ResultsDto {
    const { postId, currency, version, asOfSeq, behind, asOf, quota, counting, timeline } = results;
    const { tallied, unweighted, margins, progress } = results;
    const { begun, submitted, abandoned, expired, open, reversed, spent, held } = progress;
    const { screened_out, screen_out_spent, bonus_spent } = progress;
    const { share: completionRate, interval } = shareOf(submitted, begun - open, begun - open);
    const paid = submitted - reversed;
    const rewards = new Big(spent).minus(screen_out_spent).minus(bonus_spent);
    return {
      post_id: postId,
      version,
      as_of_seq: asOfSeq,
      behind,
      as_of: asOf,
      cohorts_counted: [...counting.cohorts],
      quota,
      margins,
      currency,
      responses: responseCounts(results),
      funnel: {
        begun,
        submitted,
        abandoned,
        expired,
        open,
        completion_rate: completionRate,
        interval,
      },
      answer_seconds: answerSeconds(tallied),
      attention: meanOf(tallied.moments(['counted'], 'attention'), {
        ...tallied.sample('counted'),
        scale: [SCORE.minimum, SCORE.maximum],
      }),
      cohorts: cohortShares(unweighted),
      quality: signalResults(tallied),
      spending: {
        spent,
        held,
        screened_out,
        screen_out_spent,
        bonus_spent,
        mean_reward: meanAmount(rewards.toNumber(), paid, currency),
      },
      timeline,
      questions,
      stop_when: completing.map((each) => StopWhenDto.from(each)),
    };
  }
}

function responseCounts({ tallied, whole }: CampaignResults): ResponseCountsDto {
  const submitted = sumOf(whole.of('submitted'));
  const reversed = sumOf(whole.of('reversed'));
  return {
    submitted,
    reversed,
    erased: submitted - reversed - sumOf(whole.of('counted')),
    counted: tallied.count('counted'),
  };
}

/** The buckets are correct to 1 %, so more digits than three mean little. */
const DIGITS = 3;

function answerSeconds(tallied: Tallied): AnswerSecondsDto {
  const buckets = tallied.buckets('seconds');
  const at = (part: number) => {
    const found = quantile(buckets, part);
    return found && Number(found.toPrecision(DIGITS));
  };
  return { median: at(0.5), p10: at(0.1), p90: at(0.9) };
}
