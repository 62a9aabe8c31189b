import { ApiProperty } from '@nestjs/swagger';
import { CohortRewardsDto } from '../cohort-rewards/cohort-rewards.dto';
import { OneOf } from '../http/fields/choice.fields';
import { FlagParameter } from '../http/fields/query.fields';
import { Text } from '../http/fields/text.fields';
import { Timestamp } from '../http/fields/timestamp.field';
import { PageQueryDto } from '../http/page.dto';
import type { QuestionSetSummary } from '../questions/question-set.entity';
import { CATEGORY } from './campaign-fields';
import type { Campaign } from './campaign.entity';
import { CAMPAIGN_TYPES, CampaignType, SURVEY_FORMATS, SurveyFormat } from './campaign-type';
import { ImageSurveyDto } from './image-survey.dto';
import { PostId } from './post-id.field';

/** The campaign in a path. */
export class CampaignPathDto {
  /** The campaign, as its creation answered it. */
  @PostId()
  post_id!: string;
}

/** Which campaigns to list. */
export class CampaignListQueryDto extends PageQueryDto {
  /** Only campaigns of this type. */
  @OneOf(CAMPAIGN_TYPES, 'CampaignType', { optional: true })
  type?: CampaignType;

  /** Only surveys of this format. */
  @OneOf(SURVEY_FORMATS, 'SurveyFormat', { optional: true })
  format?: SurveyFormat;

  /** Only started (`true`) or stopped (`false`) campaigns. */
  @FlagParameter()
  is_live?: boolean;

  /** Only campaigns of exactly this category. */
  @Text({ ...CATEGORY, optional: true })
  category?: string;

  /** Only campaigns created after this moment. */
  @Timestamp({ optional: true, example: '2026-01-01T00:00:00Z' })
  created_after?: string;

  /** Only campaigns created before this moment. */
  @Timestamp({ optional: true, example: '2099-01-01T00:00:00Z' })
  created_before?: string;
}

/** A campaign in a list. */
export class CampaignSummaryDto {
  /**
   * Numeric identifier.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  id!: number;

  /** @example "post_01k9x2v8zdf3xbz0q4v5rk6t7m" */
  post_id!: string;

  /**
   * Your own name for the campaign, if it was applied with one.
   * @example "coffee-2026"
   */
  external_ref!: string | null;

  @ApiProperty({ enum: CAMPAIGN_TYPES, enumName: 'CampaignType' })
  type!: CampaignType;

  /** How a survey asks; `null` for an advertisement. */
  @ApiProperty({ enum: SURVEY_FORMATS, enumName: 'SurveyFormat', nullable: true })
  format!: SurveyFormat | null;

  /** @example "Coffee habits 2026" */
  title!: string;

  /** @example "food" */
  category!: string;

  /** @example 100 */
  reward_amount!: number;

  is_live!: boolean;

  created_at!: Date;

  updated_at!: Date;

  static from(campaign: Campaign): CampaignSummaryDto {
    return {
      id: Number(campaign.id),
      post_id: campaign.postId,
      external_ref: campaign.externalRef,
      type: campaign.type,
      format: campaign.format,
      title: campaign.title,
      category: campaign.category,
      reward_amount: Number(campaign.rewardAmount),
      is_live: campaign.isLive,
      created_at: campaign.createdAt,
      updated_at: campaign.updatedAt,
    };
  }
}

export class CampaignPageDto {
  /** Newest first. */
  items!: CampaignSummaryDto[];

  /** Send it as `cursor`, with the same filters, for the next page; `null` on the last one. */
  next_cursor!: string | null;
}

/** The current question set, without its questions. */
export class QuestionSummaryDto {
  /** @example "qset_01k9x2v8zdf3xbz0q4v5rk6t7m" */
  question_id!: string;

  /** @example 3 */
  @ApiProperty({ type: 'integer' })
  total_questions!: number;

  /** When the set was stored. */
  created_at!: Date;

  static from(set: QuestionSetSummary): QuestionSummaryDto {
    return {
      question_id: set.questionId,
      total_questions: set.totalQuestions,
      created_at: set.createdAt,
    };
  }
}

/** Everything that is stored of a campaign. What does not apply to its kind is `null`. */
export class CampaignDto extends CampaignSummaryDto {
  /** @example "How people choose and drink their coffee at home." */
  description!: string;

  /** @example "https://example.com/campaign" */
  content_url!: string | null;

  /** @example "Tell us about your morning cup" */
  tagline!: string;

  cohort_rewards!: CohortRewardsDto;

  /** Advertisements only. */
  video_url!: string | null;

  /** Advertisements only. */
  thumbnail_url!: string | null;

  /** Advertisements only: length of the video, in seconds. */
  @ApiProperty({ type: 'integer', nullable: true })
  duration_seconds!: number | null;

  /** Advertisements only: whether feedback questions may be set. */
  has_feedback!: boolean | null;

  /** The current question set; `null` where none was set. */
  @ApiProperty({ type: () => QuestionSummaryDto, nullable: true })
  questions!: QuestionSummaryDto | null;

  /** Image surveys only: what is asked about which images. */
  @ApiProperty({ type: () => ImageSurveyDto, nullable: true })
  image_survey!: ImageSurveyDto | null;

  static override from(campaign: Campaign): CampaignDto {
    const { currentQuestionSet: set, imageSurvey } = campaign;
    return {
      ...CampaignSummaryDto.from(campaign),
      description: campaign.description,
      content_url: campaign.contentUrl,
      tagline: campaign.tagline,
      cohort_rewards: CohortRewardsDto.from(campaign.cohortRewards),
      video_url: campaign.videoUrl,
      thumbnail_url: campaign.thumbnailUrl,
      duration_seconds: campaign.durationSeconds,
      has_feedback: campaign.hasFeedback,
      questions: set == null ? null : QuestionSummaryDto.from(set),
      image_survey: imageSurvey === null ? null : ImageSurveyDto.from(imageSurvey, campaign.format),
    };
  }
}
