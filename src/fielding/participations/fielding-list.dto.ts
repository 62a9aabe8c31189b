import { PickType } from '@nestjs/swagger';
import type { Campaign } from '../../campaigns/campaign/campaign.entity';
import { CampaignDto } from '../../campaigns/campaign/campaign-read.dto';
import { CAMPAIGN_TYPES, CampaignType } from '../../campaigns/campaign/campaign.types';
import { PageOf, SAME_FILTERS } from '../../platform/openapi/page-of';
import { ResponseMoney } from '../../platform/openapi/response-fields';
import { QUESTION_TYPES } from '../../campaigns/questions/question.types';
import { WordsParameter } from '../../platform/validation/fields/query.fields';
import { OneOf } from '../../platform/validation/fields/choice.fields';
import { PageQueryDto } from '../../platform/validation/page-query.dto';
import { RespondentId } from './fielding.dto';

/** Which campaigns to list. */
export class FieldingListQueryDto extends PageQueryDto {
  /** Your own identifier of the respondent. */
  @RespondentId()
  respondent_id!: string;

  /** Only campaigns of this type. */
  @OneOf(CAMPAIGN_TYPES, 'CampaignType', { optional: true })
  type?: CampaignType;

  /** The types of question that you can show, separated by commas; all by default. */
  @WordsParameter({
    values: QUESTION_TYPES,
    example: 'descriptive,text,single_choice,multiple_choice',
  })
  supports?: string;
}

/** A campaign that the respondent can begin. */
export class FieldedCampaignDto extends PickType(CampaignDto, [
  'post_id',
  'type',
  'format',
  'title',
  'description',
  'category',
  'tagline',
  'thumbnail_url',
  'duration_seconds',
  'currency',
  'ends_at',
]) {
  /** A still image of an advertisement's video. */
  override thumbnail_url!: string | null;

  /** The length of the video, in seconds. */
  override duration_seconds!: number | null;

  /** The currency of the rewards. */
  override currency!: string;

  /** The most that the respondent can earn. */
  @ResponseMoney()
  maximum_reward!: number;

  /** When the campaign ends; `null` if that is open. */
  override ends_at!: Date | null;

  static from(campaign: Campaign): FieldedCampaignDto {
    return {
      post_id: campaign.postId,
      type: campaign.type,
      format: campaign.format,
      title: campaign.title,
      description: campaign.description,
      category: campaign.category,
      tagline: campaign.tagline,
      thumbnail_url: campaign.thumbnailUrl,
      duration_seconds: campaign.durationSeconds,
      currency: campaign.currency,
      maximum_reward: Number(campaign.largestReward),
      ends_at: campaign.endsAt,
    };
  }
}

export class FieldingPageDto extends PageOf(() => FieldedCampaignDto, {
  order: 'Newest first. Can be fewer than `limit`, or none, although `next_cursor` is set.',
  again: SAME_FILTERS,
}) {}
