import { PickType } from '@nestjs/swagger';
import { CreationOf } from '../../platform/openapi/resource-fields';
import type { Campaign } from '../campaign/campaign.entity';
import { CampaignDto } from '../campaign/campaign-read.dto';
import type { CampaignType } from '../campaign/campaign.types';
import { CohortRewardsDto } from '../campaign/cohort-rewards.dto';
import { PostId } from '../campaign/post-id.field';

/** All five cohort rewards, in a request (section 4.5). */
export class CohortRewardsInputDto extends CreationOf(CohortRewardsDto) {}

export class UpdateCohortRewardsDto extends CohortRewardsInputDto {
  /** The campaign, by the `post_id` that its creation returned. */
  @PostId()
  post_id!: string;
}

export class UpdatedCohortRewardsDto extends PickType(CampaignDto, [
  'post_id',
  'title',
  'type',
  'currency',
  'cohort_rewards',
]) {
  /** The kind of campaign. */
  override type!: CampaignType;

  /** The currency of the rewards. */
  override currency!: string;

  /** The five rewards as stored. */
  override cohort_rewards!: CohortRewardsDto;

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
