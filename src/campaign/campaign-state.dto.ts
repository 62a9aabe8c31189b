import {
  ResponseEnum,
  ResponseFlag,
  ResponseInteger,
  ResponseMoney,
  ResponseObject,
  ResponseSequence,
  ResponseText,
  ResponseTime,
  ResponseUrl,
} from '../openapi/response-fields';
import type { Mode } from '../company/environment.rules';
import { ResponseMode } from '../company/mode.field';
import type { Campaign } from './campaign.entity';
import { CATEGORY, DESCRIPTION, TAGLINE, TITLE } from './campaign.fields';
import {
  CAMPAIGN_TYPES,
  CampaignStatus,
  CampaignType,
  StatusReason,
  StopReason,
} from './campaign.types';
import { CohortRewardsDto } from './cohort-rewards.dto';
import { ANSWER_MINUTES, limitFields, MAX_RESPONSES } from './life.fields';
import { ResponsePostId } from './post-id.field';
import {
  ResponseStatus,
  ResponseStatusReasons,
  ResponseStopReason,
  shownStanding,
} from './standing.fields';
import { showsStanding } from './status.rules';

/** The identity and state of a campaign. */
export class CampaignStateDto {
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

  /** Whether the campaign is started. */
  @ResponseFlag()
  is_live!: boolean;

  /** With `status`: whether the campaign is live or test data. */
  @ResponseMode()
  mode?: Mode;

  /** Only for a campaign with a start, an end or a limit, for an archived one and in test mode. */
  @ResponseStatus()
  status?: CampaignStatus;

  /** With `status`: why the campaign has it. */
  @ResponseStatusReasons()
  status_reasons?: StatusReason[];

  /** With `status`: why the campaign was stopped last; `null` while it is live. */
  @ResponseStopReason()
  stop_reason?: StopReason | null;

  static from(campaign: Campaign): CampaignStateDto {
    return {
      id: Number(campaign.id),
      post_id: campaign.postId,
      type: campaign.type,
      title: campaign.title,
      ...shownStanding(campaign),
    };
  }
}

export class CreatedSurveyDto extends CampaignStateDto {}

export class CreatedAdvertisementDto extends CampaignStateDto {
  /** Whether the advertisement can have feedback questions. */
  @ResponseFlag()
  has_feedback!: boolean;

  static override from(campaign: Campaign): CreatedAdvertisementDto {
    return { ...CampaignStateDto.from(campaign), has_feedback: campaign.hasFeedback === true };
  }
}

export class ToggledCampaignDto extends CampaignStateDto {}

export class UpdatedCampaignDto {
  @ResponsePostId()
  post_id!: string;

  /** The kind of campaign. */
  @ResponseEnum(CAMPAIGN_TYPES, 'CampaignType')
  type!: CampaignType;

  @ResponseText(TITLE)
  title!: string;

  @ResponseText(DESCRIPTION)
  description!: string;

  @ResponseUrl()
  content_url!: string | null;

  @ResponseText(CATEGORY)
  category!: string;

  @ResponseText(TAGLINE)
  tagline!: string;

  @ResponseMoney()
  reward_amount!: number;

  /** Whether the campaign is started. An update changes it only by its times and limits. */
  @ResponseFlag()
  is_live!: boolean;

  /** With `status`: whether the campaign is live or test data. */
  @ResponseMode()
  mode?: Mode;

  /** Only for a campaign with a start, an end or a limit, for an archived one and in test mode. */
  @ResponseStatus()
  status?: CampaignStatus;

  /** With `status`: why the campaign has it. */
  @ResponseStatusReasons()
  status_reasons?: StatusReason[];

  /** With `status`: why the campaign was stopped last; `null` while it is live. */
  @ResponseStopReason()
  stop_reason?: StopReason | null;

  /** With `status`. */
  @ResponseTime()
  starts_at?: Date | null;

  /** With `status`. */
  @ResponseTime()
  ends_at?: Date | null;

  /** With `status`. */
  @ResponseInteger(MAX_RESPONSES)
  max_responses?: number | null;

  /** With `status`. */
  @ResponseMoney()
  budget?: number | null;

  /** With `status`. */
  @ResponseInteger(ANSWER_MINUTES)
  answer_minutes?: number | null;

  /** Present only when `reward_amount` was sent. */
  @ResponseObject(() => CohortRewardsDto)
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
      ...shownStanding(campaign),
      ...(showsStanding(campaign) ? limitFields(campaign) : {}),
      ...(rewardChanged ? { cohort_rewards: CohortRewardsDto.from(campaign.cohortRewards) } : {}),
    };
  }
}
