import { ResponseCurrency } from '../../access/company/currency.field';
import { NestedObject } from '../../platform/validation/fields/array.fields';
import { Decimal, Money } from '../../platform/validation/fields/number.fields';
import {
  ResponseEnum,
  ResponseList,
  ResponseMoney,
  ResponseObject,
  ResponseText,
} from '../../platform/openapi/response-fields';
import { CohortRewardsDto } from '../campaign/cohort-rewards.dto';
import type { CohortRewards } from '../campaign/cohort-ladder.rules';
import {
  checkShares,
  CohortShares,
  expectedCost,
  WARNING_CODES,
  WarningCode,
  warnOfRewards,
} from './preview.rules';

const Share = (example: number) => Decimal({ minimum: 0, maximum: 1, places: 6, example });

/** The expected share of respondents in each cohort. */
export class CohortSharesDto {
  /** Attention score 0–2. */
  @Share(0.1)
  cohort_1!: number;

  /** Attention score 2–4. */
  @Share(0.2)
  cohort_2!: number;

  /** Attention score 4–6. */
  @Share(0.3)
  cohort_3!: number;

  /** Attention score 6–8. */
  @Share(0.25)
  cohort_4!: number;

  /** Attention score 8–10. */
  @Share(0.15)
  cohort_5!: number;
}

export function toShares(shares: CohortSharesDto): CohortShares {
  return [shares.cohort_1, shares.cohort_2, shares.cohort_3, shares.cohort_4, shares.cohort_5];
}

export class PreviewCohortRewardsDto {
  /** The reward to start from; a positive amount. */
  @Money({ minimum: 0.01, example: 100 })
  reward_amount!: number;

  /** Numbers from 0 to 1, with at most six decimal places, that sum to 1. */
  @NestedObject(() => CohortSharesDto, {
    optional: true,
    rule: (shares) => checkShares(toShares(shares)),
  })
  cohort_shares?: CohortSharesDto;
}

export class RewardWarningDto {
  /** What the warning is about, for programs. */
  @ResponseEnum(WARNING_CODES, 'RewardWarningCode')
  code!: WarningCode;

  /** What the warning is about, for people. */
  @ResponseText({ maximum: 200 })
  message!: string;
}

export class CohortRewardsPreviewDto {
  /** The currency of your company: that of the amounts. */
  @ResponseCurrency()
  currency!: string;

  /** The reward each cohort would get. */
  @ResponseObject(() => CohortRewardsDto)
  cohort_rewards!: CohortRewardsDto;

  /** The average cost of a response, rounded half up to the currency's places; `null` without shares. */
  @ResponseMoney()
  expected_cost_per_response!: number | null;

  /** What you may not have intended: at most one warning per cohort, and usually none. */
  @ResponseList(() => RewardWarningDto, { maximum: 4 })
  warnings!: RewardWarningDto[];

  static from(
    rewards: CohortRewards,
    shares: CohortSharesDto | undefined,
    currency: string,
  ): CohortRewardsPreviewDto {
    return {
      currency,
      cohort_rewards: CohortRewardsDto.from(rewards),
      expected_cost_per_response:
        shares === undefined ? null : Number(expectedCost(rewards, toShares(shares), currency)),
      warnings: warnOfRewards(rewards),
    };
  }
}
