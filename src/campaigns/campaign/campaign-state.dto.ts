import { IntersectionType } from '@nestjs/swagger';
import {
  ResponseEnum,
  ResponseFlag,
  ResponseObject,
  ResponseSequence,
  ResponseText,
} from '../../platform/openapi/response-fields';
import type { Campaign, CampaignState } from './campaign.entity';
import { CampaignFieldsDto } from './campaign-fields.dto';
import { TITLE } from './campaign.fields';
import { CAMPAIGN_TYPES, CampaignType } from './campaign.types';
import { CampaignLifeDto, CampaignStatusDto, statusFields } from './campaign-status.dto';
import { CohortRewardsDto } from './cohort-rewards.dto';
import { ResponsePostId } from './post-id.field';

/** The identity and state of a campaign. */
export class CampaignStateDto extends CampaignStatusDto {
  /** The numeric identifier. */
  @ResponseSequence()
  id!: number;

  /** The identifier for all later operations. */
  @ResponsePostId()
  post_id!: string;

  /** The kind of campaign. */
  @ResponseEnum(CAMPAIGN_TYPES, 'CampaignType')
  type!: CampaignType;

  @ResponseText(TITLE)
  title!: string;

  static from(campaign: CampaignState): CampaignStateDto {
    return {
      id: Number(campaign.id),
      post_id: campaign.postId,
      type: campaign.type,
      title: campaign.title,
      ...statusFields(campaign),
    };
  }
}

export class CreatedSurveyDto extends CampaignStateDto {}

export class CreatedAdvertisementDto extends CampaignStateDto {
  /** Whether the advertisement can have feedback questions. */
  @ResponseFlag()
  has_feedback!: boolean;

  static override from(campaign: CampaignState): CreatedAdvertisementDto {
    return { ...CampaignStateDto.from(campaign), has_feedback: campaign.hasFeedback === true };
  }
}

export class ToggledCampaignDto extends CampaignStateDto {}

/** A campaign after an update, with the fields that every campaign has. */
export class UpdatedCampaignDto extends IntersectionType(CampaignLifeDto, CampaignFieldsDto) {
  @ResponsePostId()
  post_id!: string;

  /** The kind of campaign. */
  @ResponseEnum(CAMPAIGN_TYPES, 'CampaignType')
  type!: CampaignType;

  /** Present only when `reward_amount` was sent. */
  @ResponseObject(() => CohortRewardsDto)
  cohort_rewards?: CohortRewardsDto;

  /** @param rewardChanged whether the update carried a reward_amount (section 4.4) */
  static from(campaign: Campaign, rewardChanged: boolean): UpdatedCampaignDto {
    return {
      post_id: campaign.postId,
      type: campaign.type,
      currency: campaign.currency,
      ...CampaignFieldsDto.from(campaign),
      ...statusFields(campaign),
      ...(rewardChanged ? { cohort_rewards: CohortRewardsDto.from(campaign.cohortRewards) } : {}),
    };
  }
}
