import {
  LaunchBlockerDto,
  LaunchWarningDto,
  WARNINGS_MAXIMUM,
} from '../../campaigns/life/campaign-life.dto';
import { BLOCKER_CODES } from '../../campaigns/life/launch-check.rules';
import { COST } from '../../campaigns/campaign/campaign-progress.dto';
import { ResponseCurrency } from '../../access/company/currency.field';
import { CohortRewardsDto } from '../../campaigns/campaign/cohort-rewards.dto';
import { MAX_RESPONSES } from '../../campaigns/campaign/campaign.fields';
import { ResponsePostId } from '../../campaigns/campaign/post-id.field';
import { CohortSharesDto } from '../../campaigns/cohort-rewards/preview.dto';
import {
  ResponseEnum,
  ResponseInteger,
  ResponseList,
  ResponseMoney,
  ResponseNumber,
  ResponseObject,
} from '../../platform/openapi/response-fields';
import { roundedShares, Shares } from './attention.rules';
import { SOURCES, Source } from './expectation.rules';
import {
  ForecastAmountsDto,
  ForecastCountsDto,
  ForecastEndingsDto,
  ForecastKnownDto,
  HistogramStepDto,
} from './forecast-figures.dto';
import type { Forecast } from './forecast.service';
import { ForecastTargetingDto } from './forecast-targeting.dto';
import { CONCURRENT, RESPONDENTS, RUNS } from './plan.rules';
import { SEED } from '../../platform/statistics/random.rules';
import { HISTOGRAM_STEPS } from './summary.rules';

/** Rounds a part of 1 to four decimal places. */
function toPart(value: number): number {
  return Number(value.toFixed(4));
}

function toSharesDto(shares: Shares): CohortSharesDto {
  const [cohort_1, cohort_2, cohort_3, cohort_4, cohort_5] = roundedShares(shares);
  return { cohort_1, cohort_2, cohort_3, cohort_4, cohort_5 };
}

/** Everything that the forecast rests on. */
export class ForecastAssumptionsDto {
  /** How many begin at most; with targeting, how many come. */
  @ResponseInteger(RESPONDENTS)
  respondents!: number;

  /** How many answer at once. */
  @ResponseInteger(CONCURRENT)
  concurrent!: number;

  /** The part of those who begin that submits. */
  @ResponseNumber({ minimum: 0, maximum: 1 })
  completion_rate!: number;

  @ResponseEnum(SOURCES, 'AssumptionSource')
  completion_rate_from!: Source;

  /** The likelihood of each cohort for a response. `attention.shares` accepts them. */
  @ResponseObject(() => CohortSharesDto)
  cohort_shares!: CohortSharesDto;

  @ResponseEnum(SOURCES, 'AssumptionSource')
  cohort_shares_from!: Source;

  /**
   * How many of your latest responses were found; below 200 they are not used. 0 without a look for
   * them, because the request has both `attention` and `completion_rate`.
   */
  @ResponseInteger()
  past_responses!: number;

  /** What each cohort is paid. */
  @ResponseObject(() => CohortRewardsDto)
  cohort_rewards!: CohortRewardsDto;

  @ResponseInteger(MAX_RESPONSES)
  max_responses!: number | null;

  @ResponseMoney()
  budget!: number | null;

  /** Responses that the campaign has already. */
  @ResponseInteger()
  answered!: number;

  /** What the campaign has paid already. */
  @ResponseMoney(COST)
  spent!: number;

  static of({
    subject: { campaign, answered, spent },
    respondents,
    concurrent,
    expectation,
  }: Pick<
    Forecast,
    'subject' | 'respondents' | 'concurrent' | 'expectation'
  >): ForecastAssumptionsDto {
    return {
      respondents,
      concurrent,
      completion_rate: toPart(expectation.completionRate),
      completion_rate_from: expectation.completionRateFrom,
      cohort_shares: toSharesDto(expectation.shares),
      cohort_shares_from: expectation.sharesFrom,
      past_responses: expectation.pastResponses,
      cohort_rewards: CohortRewardsDto.from(campaign.cohortRewards),
      max_responses: campaign.maxResponses,
      budget: campaign.budget === null ? null : Number(campaign.budget),
      answered,
      spent: Number(spent),
    };
  }
}

export class ForecastDto {
  /** The campaign; `null` for a document that would create one. */
  @ResponsePostId()
  post_id!: string | null;

  /** Send it again, with the same request, for the same forecast. */
  @ResponseInteger(SEED)
  seed!: number;

  /** How often the campaign was run. */
  @ResponseInteger(RUNS)
  runs!: number;

  /** The currency of every amount. */
  @ResponseCurrency()
  currency!: string;

  /** What the campaign costs in all, with what it has paid already. */
  @ResponseObject(() => ForecastAmountsDto)
  cost!: ForecastAmountsDto;

  /** How many submit in all, with those who have already. */
  @ResponseObject(() => ForecastCountsDto)
  responses!: ForecastCountsDto;

  /** `cost` by `responses`, in the runs that have any; `null` if none has. */
  @ResponseObject(() => ForecastAmountsDto, { nullable: true })
  cost_per_response!: ForecastAmountsDto | null;

  /** How many respondents have to begin. */
  @ResponseObject(() => ForecastCountsDto)
  respondents!: ForecastCountsDto;

  /** The share of each cohort in the responses of all runs; `null` if there are none. */
  @ResponseObject(() => CohortSharesDto, { nullable: true })
  cohort_shares!: CohortSharesDto | null;

  /** What ends the campaign, with its probability. */
  @ResponseObject(() => ForecastEndingsDto)
  ended_by!: ForecastEndingsDto;

  /** What becomes of those who come; `null` for a campaign without screening and quotas. */
  @ResponseObject(() => ForecastTargetingDto, { nullable: true })
  targeting!: ForecastTargetingDto | null;

  /** What it takes until enough is known, in the runs in which it is; `null` if it is in none. */
  @ResponseObject(() => ForecastKnownDto, { nullable: true })
  known_enough!: ForecastKnownDto | null;

  /** The sum of what is held for respondents and given back, because they earn less or nothing. */
  @ResponseObject(() => ForecastAmountsDto)
  held_in_vain!: ForecastAmountsDto;

  /** What is left of the budget in the end; `null` without a budget. */
  @ResponseObject(() => ForecastAmountsDto, { nullable: true })
  stranded!: ForecastAmountsDto | null;

  /** How many runs cost how much, in 20 steps of equal width. */
  @ResponseList(() => HistogramStepDto, { minimum: HISTOGRAM_STEPS, maximum: HISTOGRAM_STEPS })
  cost_histogram!: HistogramStepDto[];

  /** What the forecast rests on. */
  @ResponseObject(() => ForecastAssumptionsDto)
  assumptions!: ForecastAssumptionsDto;

  /** Why the service would refuse to start the campaign, as the launch check says. */
  @ResponseList(() => LaunchBlockerDto, { maximum: BLOCKER_CODES.length })
  blockers!: LaunchBlockerDto[];

  /**
   * The most that the campaign can cost; `null` if nothing limits it. The launch check has it exactly
   * where a double rounds it.
   */
  @ResponseMoney(COST)
  maximum_cost!: number | null;

  /** What the launch check warns of. */
  @ResponseList(() => LaunchWarningDto, { maximum: WARNINGS_MAXIMUM })
  warnings!: LaunchWarningDto[];

  static from({ subject, seed, runs, summary, ...rest }: Forecast): ForecastDto {
    const { campaign, launch, isNew } = subject;
    return {
      post_id: isNew ? null : campaign.postId,
      seed,
      runs,
      currency: campaign.currency,
      cost: summary.cost,
      responses: summary.responses,
      cost_per_response: summary.costPerResponse,
      respondents: summary.begun,
      cohort_shares: summary.shares && toSharesDto(summary.shares),
      ended_by: summary.endedBy,
      targeting: ForecastTargetingDto.of(summary.targeting, subject),
      known_enough: summary.knownEnough,
      held_in_vain: summary.heldInVain,
      stranded: summary.stranded,
      cost_histogram: summary.costHistogram,
      assumptions: ForecastAssumptionsDto.of({ subject, ...rest }),
      blockers: launch.blockers,
      maximum_cost: launch.maximumCost === null ? null : Number(launch.maximumCost),
      warnings: launch.warnings.slice(0, WARNINGS_MAXIMUM),
    };
  }
}
