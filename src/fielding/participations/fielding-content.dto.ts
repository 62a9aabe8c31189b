import { ApiProperty, PickType } from '@nestjs/swagger';
import { CampaignDto } from '../../campaigns/campaign/campaign-read.dto';
import { ImageSurveyDto } from '../../campaigns/campaign/image-survey.dto';
import { DISPUTE_SHARE, REVIEW_DAYS } from '../../campaigns/campaign/campaign.fields';
import {
  ResponseInteger,
  ResponseList,
  ResponseNumber,
} from '../../platform/openapi/response-fields';
import { QUESTIONS_MAXIMUM } from '../../campaigns/questions/question.types';
import { QuestionDto } from '../../campaigns/questions/question.dto';
import { ResponseLanguage } from '../../campaigns/questions/question-set.dto';
import { ResponseQuestionId } from '../../campaigns/questions/questions.dto';
import { disputeTerms } from './dispute-terms.rules';
import type { ShownParticipation } from './participations.service';

function ResponsePositions(): PropertyDecorator {
  return ApiProperty({
    type: 'array',
    items: { type: 'integer', format: 'int32', minimum: 1, maximum: QUESTIONS_MAXIMUM },
    minItems: 1,
    maxItems: QUESTIONS_MAXIMUM,
    uniqueItems: true,
  });
}

/** What a respondent sees: the campaign as it is now, with the questions of the participation. */
export class FieldingContentDto extends PickType(CampaignDto, [
  'type',
  'format',
  'title',
  'description',
  'content_url',
  'category',
  'tagline',
  'video_url',
  'thumbnail_url',
  'duration_seconds',
  'image_survey',
]) {
  /** A page associated with the campaign. */
  override content_url!: string | null;

  /** The video of an advertisement. */
  override video_url!: string | null;

  /** A still image of the video. */
  override thumbnail_url!: string | null;

  /** The length of the video, in seconds. */
  override duration_seconds!: number | null;

  /** The question set to answer; `null` if there are no questions. */
  @ResponseQuestionId()
  question_id!: string | null;

  /**
   * The questions; an answer names one by its position here, from 1, or by its key. Their options are
   * in the order in which to show them.
   */
  @ResponseList(() => QuestionDto, { maximum: QUESTIONS_MAXIMUM })
  questions!: QuestionDto[];

  /** The language of the questions; absent if their author does not say. */
  @ResponseLanguage()
  language?: string;

  /**
   * The positions of the questions in the order in which to show them; absent if that is the order of
   * the list.
   */
  @ResponsePositions()
  order?: number[];

  /** For how many days after its submission the response can be disputed; absent for none. */
  @ResponseInteger(REVIEW_DAYS)
  review_days?: number;

  /** The share of the responses that can be disputed; absent for none. */
  @ResponseNumber(DISPUTE_SHARE)
  maximum_dispute_share?: number;

  static from({ campaign, questionId, presented }: ShownParticipation): FieldingContentDto {
    const { format, imageSurvey } = campaign;
    const { questions, language, order } = presented;
    return {
      type: campaign.type,
      format,
      title: campaign.title,
      description: campaign.description,
      content_url: campaign.contentUrl,
      category: campaign.category,
      tagline: campaign.tagline,
      video_url: campaign.videoUrl,
      thumbnail_url: campaign.thumbnailUrl,
      duration_seconds: campaign.durationSeconds,
      question_id: questionId,
      questions: questions as QuestionDto[],
      ...(language === null ? {} : { language }),
      ...(order === null ? {} : { order }),
      ...disputeTerms(campaign),
      image_survey: imageSurvey === null ? null : ImageSurveyDto.from(imageSurvey, format),
    };
  }
}
