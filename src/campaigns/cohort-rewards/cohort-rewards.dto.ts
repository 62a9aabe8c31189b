import type { Campaign } from '../campaign/campaign.entity';
import { ResponseCurrency } from '../../access/company/currency.field';
import { CAMPAIGN_TYPES, CampaignType } from '../campaign/campaign.types';
import { TITLE } from '../campaign/campaign.fields';
import { PostId, ResponsePostId } from '../campaign/post-id.field';
import { ResponseEnum, ResponseObject, ResponseText } from '../../platform/openapi/response-fields';
import { Money } from '../../platform/validation/fields/number.fields';
import { CohortRewardsDto } from '../campaign/cohort-rewards.dto';
import { COHORT_1_MINIMUM } from '../campaign/cohort-ladder.rules';

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

export class UpdateCohortRewardsDto extends CohortRewardsInputDto {
  /** The campaign, by the `post_id` that its creation returned. */
  @PostId()
  post_id!: string;
}

export class UpdatedCohortRewardsDto {
  @ResponsePostId()
  post_id!: string;

  @ResponseText(TITLE)
  title!: string;

  /** The kind of campaign. */
  @ResponseEnum(CAMPAIGN_TYPES, 'CampaignType')
  type!: CampaignType;

  /** The currency of the rewards. */
  @ResponseCurrency()
  currency!: string;

  /** The five rewards as stored. */
  @ResponseObject(() => CohortRewardsDto)
  cohort_rewards!: CohortRewardsDto;

  static from(campaign: Campaign): UpdatedCohortRewardsDto {
    return {
      post_id: campaign.postId,
      title: campaign.title,
      type: campaign.type,
      currency: campaign.currency,
      cohort_rewards: CohortRewardsDto.from(campaign.cohortRewards),
    };
  }
}
