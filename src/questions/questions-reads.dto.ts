import { ApiProperty } from '@nestjs/swagger';
import type { Campaign } from '../campaign/campaign.entity';
import { ImageSurveyDto } from '../campaign/image-survey.dto';
import type { QuestionSet } from './question-set.entity';
import { QUESTION_SET_TYPES, QuestionDto, QuestionSetType, questionSetType } from './questions.dto';

/** A campaign's current questions. */
export class CampaignQuestionsDto {
  /**
   * Identifier of the current question set; `null` where none was set.
   * @example "qset_01k9x2v8zdf3xbz0q4v5rk6t7m"
   */
  question_id!: string | null;

  /** @example "post_01k9x2v8zdf3xbz0q4v5rk6t7m" */
  post_id!: string;

  /**
   * Numeric identifier of the campaign.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  ad_id!: number;

  /** `survey` for survey questions, `ad` for an advertisement's feedback questions. */
  @ApiProperty({ enum: QUESTION_SET_TYPES, enumName: 'QuestionSetType' })
  question_type!: QuestionSetType;

  /** @example 3 */
  @ApiProperty({ type: 'integer' })
  total_questions!: number;

  questions!: QuestionDto[];

  /** When the set was stored; `null` where none was set. */
  created_at!: Date | null;

  /** Image surveys only: what they ask instead. */
  @ApiProperty({ type: () => ImageSurveyDto, nullable: true })
  image_survey!: ImageSurveyDto | null;

  static of(campaign: Campaign, set: QuestionSet | null): CampaignQuestionsDto {
    const { imageSurvey } = campaign;
    return {
      question_id: set?.questionId ?? null,
      post_id: campaign.postId,
      ad_id: Number(campaign.id),
      question_type: questionSetType(campaign.type),
      total_questions: set?.totalQuestions ?? 0,
      questions: set?.questions ?? [],
      created_at: set?.createdAt ?? null,
      image_survey: imageSurvey === null ? null : ImageSurveyDto.from(imageSurvey, campaign.format),
    };
  }
}

/** A question set as it once was or still is. */
export class StoredQuestionSetDto {
  /** @example "qset_01k9x2v8zdf3xbz0q4v5rk6t7m" */
  question_id!: string;

  /**
   * 1 for the first set, one more for each that replaced it.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  version!: number;

  /** Whether it is the campaign's current set. */
  is_current!: boolean;

  /** @example 3 */
  @ApiProperty({ type: 'integer' })
  total_questions!: number;

  questions!: QuestionDto[];

  /** When the set was stored. */
  created_at!: Date;

  static of(campaign: Campaign, set: QuestionSet): StoredQuestionSetDto {
    return {
      question_id: set.questionId,
      version: set.version,
      is_current: set.version === campaign.questionSetVersion,
      total_questions: set.totalQuestions,
      questions: set.questions,
      created_at: set.createdAt,
    };
  }
}

export class QuestionHistoryDto {
  /** Newest first. */
  items!: StoredQuestionSetDto[];

  /** Send it as `cursor` for the next page; `null` on the last one. */
  next_cursor!: string | null;
}
