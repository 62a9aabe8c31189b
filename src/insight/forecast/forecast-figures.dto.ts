import { COST } from '../../campaigns/campaign/campaign-progress.dto';
import { MAX_RESPONSES } from '../../campaigns/campaign/campaign.fields';
import {
  ResponseInteger,
  ResponseMoney,
  ResponseNumber,
  ResponseObject,
} from '../../platform/openapi/response-fields';
import { RUNS } from './plan.rules';

/** Amounts over all runs. A percentile is an amount that occurred. */
export class ForecastAmountsDto {
  /** The mean, rounded half up. */
  @ResponseMoney(COST)
  mean!: number;

  /** At least 5% of the runs have at most this amount. */
  @ResponseMoney(COST)
  p5!: number;

  /** At least half of the runs have at most this amount. */
  @ResponseMoney(COST)
  p50!: number;

  /** At least 95% of the runs have at most this amount. */
  @ResponseMoney(COST)
  p95!: number;
}

/** Numbers of people over all runs. A percentile is a number that occurred. */
export class ForecastCountsDto {
  /** The mean, rounded half up to two places. */
  @ResponseNumber({ minimum: 0, maximum: MAX_RESPONSES.maximum })
  mean!: number;

  /** At least 5% of the runs have at most so many. */
  @ResponseInteger()
  p5!: number;

  /** At least half of the runs have at most so many. */
  @ResponseInteger()
  p50!: number;

  /** At least 95% of the runs have at most so many. */
  @ResponseInteger()
  p95!: number;
}

/** The part of the runs that each of them ends; the five sum to 1, apart from rounding. */
export class ForecastEndingsDto {
  /** A guardrail completed it, because enough was known. */
  @ResponseNumber({ minimum: 0, maximum: 1 })
  known_enough!: number;

  /** Every place was used. */
  @ResponseNumber({ minimum: 0, maximum: 1 })
  max_responses!: number;

  /** What is left of the budget does not pay the largest reward. */
  @ResponseNumber({ minimum: 0, maximum: 1 })
  budget!: number;

  /** Whoever is not screened out matches a quota that is full. */
  @ResponseNumber({ minimum: 0, maximum: 1 })
  quotas!: number;

  /** Nobody else came. */
  @ResponseNumber({ minimum: 0, maximum: 1 })
  respondents!: number;
}

/** What it takes until enough is known. */
export class ForecastKnownDto {
  /** How many submit in all, with those who have already and those who are answering then. */
  @ResponseObject(() => ForecastCountsDto)
  responses!: ForecastCountsDto;

  /** What the campaign costs in all. */
  @ResponseObject(() => ForecastAmountsDto)
  cost!: ForecastAmountsDto;
}

export class HistogramStepDto {
  /** The least amount of the step. */
  @ResponseMoney(COST)
  from!: number;

  /** The least amount above the step. */
  @ResponseMoney(COST)
  to!: number;

  /** How many runs cost that much. */
  @ResponseInteger({ maximum: RUNS.maximum })
  runs!: number;
}
