import { PageOf, SAME_FILTERS } from '../../platform/openapi/page-of';
import {
  ResponseEnum,
  ResponseFlag,
  ResponseId,
  ResponseInteger,
  ResponseMoney,
  ResponseObject,
  ResponseSequence,
  ResponseText,
  ResponseTime,
  ResponseUrl,
} from '../../platform/openapi/response-fields';
import { CATEGORY, DESCRIPTION, DURATION, EXTERNAL_REF, TAGLINE, TITLE } from './campaign.fields';
import type { Campaign, QuestionSetSummary } from './campaign.entity';
import { CAMPAIGN_TYPES, CampaignType, SURVEY_FORMATS, SurveyFormat } from './campaign.types';
import { CampaignProgressDto } from './campaign-progress.dto';
import { CampaignLifeDto, lifeFields } from './campaign-status.dto';
import { CohortRewardsDto } from './cohort-rewards.dto';
import { ImageSurveyDto } from './image-survey.dto';
import { PostId, ResponsePostId } from './post-id.field';
import { NO_PROGRESS } from './progress.columns';

/** The campaign in a path. */
export class CampaignPathDto {
  /** The campaign, by the `post_id` that its creation returned. */
  @PostId()
  post_id!: string;
}

/** A campaign in a list. */
export class CampaignSummaryDto extends CampaignLifeDto {
  /** The numeric identifier. */
  @ResponseSequence()
  id!: number;

  @ResponsePostId()
  post_id!: string;

  /** Your own name for the campaign, if a campaign document gave it one. */
  @ResponseText(EXTERNAL_REF)
  external_ref!: string | null;

  @ResponseEnum(CAMPAIGN_TYPES, 'CampaignType')
  type!: CampaignType;

  /** How a survey asks; `null` for an advertisement. */
  @ResponseEnum(SURVEY_FORMATS, 'SurveyFormat', { nullable: true })
  format!: SurveyFormat | null;

  @ResponseText(TITLE)
  title!: string;

  @ResponseText(CATEGORY)
  category!: string;

  @ResponseMoney()
  reward_amount!: number;

  /** How many have begun and submitted, and what it cost so far. */
  @ResponseObject(() => CampaignProgressDto)
  progress!: CampaignProgressDto;

  @ResponseTime()
  created_at!: Date;

  @ResponseTime()
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
      ...lifeFields(campaign),
      progress: campaign.progress ?? NO_PROGRESS,
      created_at: campaign.createdAt,
      updated_at: campaign.updatedAt,
    };
  }
}

export class CampaignPageDto extends PageOf(() => CampaignSummaryDto, { again: SAME_FILTERS }) {}

/** The current question set, without its questions. */
export class QuestionSummaryDto {
  @ResponseId('qset')
  question_id!: string;

  /** The number of questions. */
  @ResponseInteger()
  total_questions!: number;

  /** When the set was stored. */
  @ResponseTime()
  created_at!: Date;

  static from(set: QuestionSetSummary): QuestionSummaryDto {
    return {
      question_id: set.questionId,
      total_questions: set.totalQuestions,
      created_at: set.createdAt,
    };
  }
}

/** Everything stored about a campaign. Fields that do not apply to its kind are `null`. */
export class CampaignDto extends CampaignSummaryDto {
  @ResponseText(DESCRIPTION)
  description!: string;

  @ResponseUrl()
  content_url!: string | null;

  @ResponseText(TAGLINE)
  tagline!: string;

  @ResponseObject(() => CohortRewardsDto)
  cohort_rewards!: CohortRewardsDto;

  /** Advertisements only. */
  @ResponseUrl()
  video_url!: string | null;

  /** Advertisements only. */
  @ResponseUrl()
  thumbnail_url!: string | null;

  /** Advertisements only: the length of the video, in seconds. */
  @ResponseInteger(DURATION)
  duration_seconds!: number | null;

  /** Advertisements only: whether it can have feedback questions. */
  @ResponseFlag()
  has_feedback!: boolean | null;

  /** The current question set; `null` before the first is set. */
  @ResponseObject(() => QuestionSummaryDto, { nullable: true })
  questions!: QuestionSummaryDto | null;

  /** Image surveys only: the question and the images. */
  @ResponseObject(() => ImageSurveyDto, { nullable: true })
  image_survey!: ImageSurveyDto | null;

  static override from(campaign: Campaign): CampaignDto {
    const { currentQuestionSet: set, imageSurvey } = campaign;
    return Object.assign(CampaignSummaryDto.from(campaign), {
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
    });
  }
}
