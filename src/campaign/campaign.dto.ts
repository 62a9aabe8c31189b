import { ApiProperty } from '@nestjs/swagger';
import { CohortRewardsDto } from '../cohort-rewards/cohort-rewards.dto';
import { Flag } from '../http/fields/choice.fields';
import { Money, WholeNumber } from '../http/fields/number.fields';
import { Text } from '../http/fields/text.fields';
import { HttpUrl } from '../http/fields/url.field';
import { RefineSchema } from '../http/schema-refinements';
import type { Campaign } from './campaign.entity';
import { CAMPAIGN_TYPES, CampaignType } from './campaign-type';
import {
  CATEGORY,
  DESCRIPTION,
  DURATION,
  TAGLINE,
  THUMBNAIL_URL,
  TITLE,
  VIDEO_URL,
} from './campaign-fields';
import { PostId } from './post-id.field';

/** What every new campaign is described by (section 4.1). */
export class CreateCampaignDto {
  @Text(TITLE)
  title!: string;

  @Text(DESCRIPTION)
  description!: string;

  /** A page associated with the campaign; stored, never fetched. */
  @HttpUrl({ optional: true })
  content_url?: string;

  /** A topic word of your own choosing. */
  @Text(CATEGORY)
  category!: string;

  @Text(TAGLINE)
  tagline!: string;

  /** Reward for the campaign; a positive whole number. The cohort rewards follow from it. */
  @Money({ minimum: 1, whole: true, example: 100 })
  reward_amount!: number;
}

export class CreateSurveyDto extends CreateCampaignDto {}

export class CreateAdvertisementDto extends CreateCampaignDto {
  /** The video that is shown; stored, never fetched. */
  @HttpUrl(VIDEO_URL)
  video_url!: string;

  /** A still of the video; stored, never fetched. */
  @HttpUrl({ optional: true, ...THUMBNAIL_URL })
  thumbnail_url?: string;

  /** Length of the video, in seconds. */
  @WholeNumber({ ...DURATION, optional: true })
  duration_seconds?: number;

  /** Whether feedback questions may be set; `false` by default. */
  @Flag({ optional: true, example: true })
  has_feedback?: boolean;
}

// The campaign and at least one change (section 7).
@RefineSchema((schema) => ({ ...schema, minProperties: 2 }))
export class UpdateCampaignDto {
  /** The campaign, as its creation answered it. */
  @PostId()
  post_id!: string;

  @Text({ ...TITLE, optional: true, example: 'Coffee habits, second wave' })
  title?: string;

  @Text({ ...DESCRIPTION, optional: true })
  description?: string;

  /** `null` clears it. */
  @HttpUrl({ optional: true, nullable: true })
  content_url?: string | null;

  @Text({ ...CATEGORY, optional: true })
  category?: string;

  @Text({ ...TAGLINE, optional: true })
  tagline?: string;

  /** A positive amount. Recalculates the cohort rewards, whether or not it differs. */
  @Money({ minimum: 0.01, optional: true, example: 100 })
  reward_amount?: number;

  /** Advertisements only. */
  @HttpUrl({ optional: true, ...VIDEO_URL })
  video_url?: string;

  /** Advertisements only. */
  @HttpUrl({ optional: true, ...THUMBNAIL_URL })
  thumbnail_url?: string;

  /** Advertisements only: length of the video, in seconds. */
  @WholeNumber({ ...DURATION, optional: true })
  duration_seconds?: number;
}

export class ToggleLiveDto {
  /** The campaign, as its creation answered it. */
  @PostId()
  post_id!: string;

  /** `true` starts the campaign, `false` stops it. */
  @Flag({ example: true })
  is_live!: boolean;
}

/** A campaign's identity and state, as several operations answer it. */
export class CampaignStateDto {
  /**
   * Numeric identifier.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  id!: number;

  /**
   * The campaign's identifier in all later operations.
   * @example "post_01k9x2v8zdf3xbz0q4v5rk6t7m"
   */
  post_id!: string;

  /** Kind of campaign. */
  @ApiProperty({ enum: CAMPAIGN_TYPES, enumName: 'CampaignType' })
  type!: CampaignType;

  /** @example "Coffee habits 2026" */
  title!: string;

  /** Whether the campaign is started. */
  is_live!: boolean;

  static from(campaign: Campaign): CampaignStateDto {
    return {
      id: Number(campaign.id),
      post_id: campaign.postId,
      type: campaign.type,
      title: campaign.title,
      is_live: campaign.isLive,
    };
  }
}

export class CreatedSurveyDto extends CampaignStateDto {}

export class CreatedAdvertisementDto extends CampaignStateDto {
  /** Whether feedback questions may be set. */
  has_feedback!: boolean;

  static override from(campaign: Campaign): CreatedAdvertisementDto {
    return { ...CampaignStateDto.from(campaign), has_feedback: campaign.hasFeedback === true };
  }
}

export class ToggledCampaignDto extends CampaignStateDto {}

export class UpdatedCampaignDto {
  /** @example "post_01k9x2v8zdf3xbz0q4v5rk6t7m" */
  post_id!: string;

  /** Kind of campaign. */
  @ApiProperty({ enum: CAMPAIGN_TYPES, enumName: 'CampaignType' })
  type!: CampaignType;

  /** @example "Coffee habits, second wave" */
  title!: string;

  /** @example "How people choose and drink their coffee at home." */
  description!: string;

  /** @example "https://example.com/campaign" */
  content_url!: string | null;

  /** @example "food" */
  category!: string;

  /** @example "Tell us about your morning cup" */
  tagline!: string;

  /** @example 100 */
  reward_amount!: number;

  /** Whether the campaign is started; an update never changes it. */
  is_live!: boolean;

  /** Present only when `reward_amount` was sent. */
  cohort_rewards?: CohortRewardsDto;

  /** @param rewardChanged whether the update carried a reward_amount (section 4.4) */
  static from(campaign: Campaign, rewardChanged: boolean): UpdatedCampaignDto {
    return {
      post_id: campaign.postId,
      type: campaign.type,
      title: campaign.title,
      description: campaign.description,
      content_url: campaign.contentUrl,
      category: campaign.category,
      tagline: campaign.tagline,
      reward_amount: Number(campaign.rewardAmount),
      is_live: campaign.isLive,
      ...(rewardChanged ? { cohort_rewards: CohortRewardsDto.from(campaign.cohortRewards) } : {}),
    };
  }
}
