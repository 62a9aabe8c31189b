import { ApiProperty } from '@nestjs/swagger';
import type { Campaign } from '../campaign/campaign.entity';
import { CAMPAIGN_TYPES, CampaignType } from '../campaign/campaign-type';
import { PostId } from '../campaign/post-id.field';
import { Money } from '../http/fields/number.fields';
import { CohortRewards } from './cohort-rewards.entity';
import { COHORT_1_MINIMUM, toDecimal } from './ladder';

/** What each cohort is paid (section 2.3). */
export class CohortRewardsDto {
  /**
   * Attention score 0–2.
   * @example 3
   */
  cohort_1_reward!: number;

  /**
   * Attention score 2–4.
   * @example 40
   */
  cohort_2_reward!: number;

  /**
   * Attention score 4–6.
   * @example 60
   */
  cohort_3_reward!: number;

  /**
   * Attention score 6–8.
   * @example 80
   */
  cohort_4_reward!: number;

  /**
   * Attention score 8–10; equals the campaign's reward_amount.
   * @example 100
   */
  cohort_5_reward!: number;

  // A decimal of at most twelve digits is the same decimal after a turn through a double.
  static from(rewards: CohortRewards): CohortRewardsDto {
    return {
      cohort_1_reward: Number(rewards.cohort1Reward),
      cohort_2_reward: Number(rewards.cohort2Reward),
      cohort_3_reward: Number(rewards.cohort3Reward),
      cohort_4_reward: Number(rewards.cohort4Reward),
      cohort_5_reward: Number(rewards.cohort5Reward),
    };
  }
}

/** All five cohort rewards, in a request (section 4.5). */
export class CohortRewardsInputDto {
  /** Attention score 0–2; at least 3. */
  @Money({ minimum: COHORT_1_MINIMUM, example: 5 })
  cohort_1_reward!: number;

  /** Attention score 2–4. */
  @Money({ minimum: 0, example: 35 })
  cohort_2_reward!: number;

  /** Attention score 4–6. */
  @Money({ minimum: 0, example: 55.5 })
  cohort_3_reward!: number;

  /** Attention score 6–8. */
  @Money({ minimum: 0, example: 75 })
  cohort_4_reward!: number;

  /** Attention score 8–10; must equal the campaign's reward_amount. */
  @Money({ minimum: 0, example: 100 })
  cohort_5_reward!: number;
}

/** Cohort rewards as they are stored. */
export function toCohortRewards(input: CohortRewardsInputDto): CohortRewards {
  return {
    cohort1Reward: toDecimal(input.cohort_1_reward),
    cohort2Reward: toDecimal(input.cohort_2_reward),
    cohort3Reward: toDecimal(input.cohort_3_reward),
    cohort4Reward: toDecimal(input.cohort_4_reward),
    cohort5Reward: toDecimal(input.cohort_5_reward),
  };
}

export class UpdateCohortRewardsDto extends CohortRewardsInputDto {
  /** The campaign, as its creation answered it. */
  @PostId()
  post_id!: string;
}

export class UpdatedCohortRewardsDto {
  /** @example "post_01k9x2v8zdf3xbz0q4v5rk6t7m" */
  post_id!: string;

  /** @example "Coffee habits 2026" */
  title!: string;

  /** Kind of campaign. */
  @ApiProperty({ enum: CAMPAIGN_TYPES, enumName: 'CampaignType' })
  type!: CampaignType;

  /** The five rewards as stored. */
  cohort_rewards!: CohortRewardsDto;

  static from(campaign: Campaign): UpdatedCohortRewardsDto {
    return {
      post_id: campaign.postId,
      title: campaign.title,
      type: campaign.type,
      cohort_rewards: CohortRewardsDto.from(campaign.cohortRewards),
    };
  }
}
