import { PickType } from '@nestjs/swagger';
import type { Campaign } from '../../campaigns/campaign/campaign.entity';
import { CampaignDto } from '../../campaigns/campaign/campaign-read.dto';
import { DISPUTE_SHARE, REVIEW_DAYS } from '../../campaigns/campaign/campaign.fields';
import { CAMPAIGN_TYPES, CampaignType } from '../../campaigns/campaign/campaign.types';
import { PageOf, SAME_FILTERS } from '../../platform/openapi/page-of';
import {
  ResponseInteger,
  ResponseList,
  ResponseMoney,
  ResponseNumber,
} from '../../platform/openapi/response-fields';
import { QuestionDto } from '../../campaigns/questions/question.dto';
import { Question, QUESTION_TYPES, QuestionType } from '../../campaigns/questions/question.types';
import { WordsParameter } from '../../platform/validation/fields/query.fields';
import { OneOf } from '../../platform/validation/fields/choice.fields';
import { WholeNumber } from '../../platform/validation/fields/number.fields';
import { Text } from '../../platform/validation/fields/text.fields';
import {
  CURSOR_MAX_LENGTH,
  PAGE_LIMIT_MAXIMUM,
  PageQueryDto,
} from '../../platform/validation/page-query.dto';
import { RespondentAttributes } from '../../campaigns/targeting/choice.fields';
import { Attributes, SCREENING_QUESTIONS_MAXIMUM } from '../../campaigns/targeting/targeting.types';
import { disputeTerms } from './dispute-terms.rules';
import { RespondentId, SupportedTypes } from './fielding.fields';

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

/** Which campaigns to list for a respondent with attributes. */
export class FieldingListBodyDto {
  /** Your own identifier of the respondent. */
  @RespondentId()
  respondent_id!: string;

  /** What you know of the respondent, by attribute, and vouch for. It is not stored. */
  @RespondentAttributes()
  attributes?: Attributes;

  /** Only campaigns of this type. */
  @OneOf(CAMPAIGN_TYPES, 'CampaignType', { optional: true })
  type?: CampaignType;

  /** The types of question that you can show; all by default. */
  @SupportedTypes()
  supports?: QuestionType[];

  /** Entries per page. */
  @WholeNumber({ minimum: 1, maximum: PAGE_LIMIT_MAXIMUM, optional: true, example: 20 })
  limit?: number;

  /** `next_cursor` of the previous page, with the same `respondent_id`, `type` and `supports`. */
  @Text({ maximum: CURSOR_MAX_LENGTH, optional: true })
  cursor?: string;
}

/** A live campaign, and what whoever begins it must answer first. */
export interface ListedCampaign {
  campaign: Campaign;
  /** The reward is that of who does not qualify; `null` for none. */
  screening?: { questions: readonly Question[]; reward: string | null };
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

  /**
   * What the respondent must answer before the campaign can begin, in `screening_answers` of `begin`;
   * absent if nothing.
   */
  @ResponseList(() => QuestionDto, { maximum: SCREENING_QUESTIONS_MAXIMUM })
  screening_questions?: QuestionDto[];

  /** What the respondent is paid, once, whose answers do not qualify; absent for nothing. */
  @ResponseMoney()
  screen_out_reward?: number;

  /** For how many days after its submission a response can be disputed; absent for none. */
  @ResponseInteger(REVIEW_DAYS)
  review_days?: number;

  /** The share of the responses that can be disputed; absent for none. */
  @ResponseNumber(DISPUTE_SHARE)
  maximum_dispute_share?: number;

  static from({ campaign, screening }: ListedCampaign): FieldedCampaignDto {
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
      ...(screening && { screening_questions: screening.questions as QuestionDto[] }),
      ...(screening?.reward != null && { screen_out_reward: Number(screening.reward) }),
      ...disputeTerms(campaign),
    };
  }
}

export class FieldingPageDto extends PageOf(() => FieldedCampaignDto, {
  order: 'Newest first. Can be fewer than `limit`, or none, although `next_cursor` is set.',
  again: SAME_FILTERS,
}) {}
