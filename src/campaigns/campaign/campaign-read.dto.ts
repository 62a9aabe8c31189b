import { IntersectionType, PickType } from '@nestjs/swagger';
import { PageOf, SAME_FILTERS } from '../../platform/openapi/page-of';
import {
  ResponseEnum,
  ResponseId,
  ResponseInteger,
  ResponseObject,
  ResponseSequence,
  ResponseText,
  ResponseTime,
} from '../../platform/openapi/response-fields';
import { CampaignContentDto, CampaignFieldsDto } from './campaign-fields.dto';
import { EXTERNAL_REF } from './campaign.fields';
import type { Campaign, QuestionSetSummary } from './campaign.entity';
import { CAMPAIGN_TYPES, CampaignType, SURVEY_FORMATS, SurveyFormat } from './campaign.types';
import { CampaignProgressDto } from './campaign-progress.dto';
import { CampaignLifeDto, statusFields } from './campaign-status.dto';
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
export class CampaignSummaryDto extends IntersectionType(
  CampaignLifeDto,
  PickType(CampaignFieldsDto, [
    'title',
    'category',
    'reward_amount',
    'starts_at',
    'ends_at',
    'max_responses',
    'budget',
    'answer_minutes',
  ]),
) {
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
      currency: campaign.currency,
      reward_amount: Number(campaign.rewardAmount),
      ...statusFields(campaign),
      starts_at: campaign.startsAt,
      ends_at: campaign.endsAt,
      max_responses: campaign.maxResponses,
      budget: campaign.budget === null ? null : Number(campaign.budget),
      answer_minutes: campaign.answerMinutes,
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
export class CampaignDto extends IntersectionType(CampaignSummaryDto, CampaignContentDto) {
  @ResponseObject(() => CohortRewardsDto)
  cohort_rewards!: CohortRewardsDto;

  /** The current question set; `null` before the first is set. */
  @ResponseObject(() => QuestionSummaryDto, { nullable: true })
  questions!: QuestionSummaryDto | null;

  /** Image surveys only: the question and the images. */
  @ResponseObject(() => ImageSurveyDto, { nullable: true })
  image_survey!: ImageSurveyDto | null;

  static from(campaign: Campaign): CampaignDto {
    const { currentQuestionSet: set, imageSurvey } = campaign;
    return Object.assign(CampaignSummaryDto.from(campaign), CampaignContentDto.from(campaign), {
      cohort_rewards: CohortRewardsDto.from(campaign.cohortRewards),
      questions: set == null ? null : QuestionSummaryDto.from(set),
      image_survey: imageSurvey === null ? null : ImageSurveyDto.from(imageSurvey, campaign.format),
    });
  }
}
