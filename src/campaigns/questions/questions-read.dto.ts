import type { Campaign } from '../campaign/campaign.entity';
import { ImageSurveyDto } from '../campaign/image-survey.dto';
import type { HistoricQuestionSet } from './question-history.service';
import { ResponsePostId } from '../campaign/post-id.field';
import { PageOf } from '../../platform/openapi/page-of';
import {
  ResponseEnum,
  ResponseFlag,
  ResponseInteger,
  ResponseList,
  ResponseObject,
  ResponseSequence,
  ResponseTime,
} from '../../platform/openapi/response-fields';
import { QUESTIONS_MAXIMUM, SetContent, Translations } from './question.types';
import type { QuestionSet } from './question-set.entity';
import { QuestionDto } from './question.dto';
import { ResponseLanguage, ResponseTranslations, SectionDto } from './question-set.dto';
import {
  QUESTION_SET_TYPES,
  ResponseQuestionId,
  QuestionSetType,
  questionSetType,
} from './questions.dto';

/** What a set consists of; only its questions if it has nothing else. */
function contentOf(set: SetContent | null) {
  const { questions = [], language, translations, sections } = set ?? {};
  return {
    questions: questions as QuestionDto[],
    ...(language == null ? {} : { language }),
    ...(translations == null ? {} : { translations }),
    ...(sections == null ? {} : { sections }),
  };
}

/** A campaign's current questions. */
export class CampaignQuestionsDto {
  /** The current question set; `null` before the first is set. */
  @ResponseQuestionId()
  question_id!: string | null;

  @ResponsePostId()
  post_id!: string;

  /** The numeric identifier of the campaign. */
  @ResponseSequence()
  ad_id!: number;

  /** `survey` for survey questions, `ad` for an advertisement's feedback questions. */
  @ResponseEnum(QUESTION_SET_TYPES, 'QuestionSetType')
  question_type!: QuestionSetType;

  /** The number of questions. */
  @ResponseInteger()
  total_questions!: number;

  @ResponseList(() => QuestionDto, { maximum: QUESTIONS_MAXIMUM })
  questions!: QuestionDto[];

  /** The language of the questions; absent if the set does not say. */
  @ResponseLanguage()
  language?: string;

  /** The texts in other languages; absent if there are none. */
  @ResponseTranslations()
  translations?: Translations;

  /** What holds for the questions of a section together; absent if there is nothing. */
  @ResponseList(() => SectionDto, { maximum: QUESTIONS_MAXIMUM })
  sections?: SectionDto[];

  /** When the set was stored; `null` before the first is set. */
  @ResponseTime()
  created_at!: Date | null;

  /** Image surveys only: the question and the images. */
  @ResponseObject(() => ImageSurveyDto, { nullable: true })
  image_survey!: ImageSurveyDto | null;

  static of(campaign: Campaign, set: QuestionSet | null): CampaignQuestionsDto {
    const { imageSurvey } = campaign;
    return {
      question_id: set?.questionId ?? null,
      post_id: campaign.postId,
      ad_id: Number(campaign.id),
      question_type: questionSetType(campaign.type),
      total_questions: set?.totalQuestions ?? 0,
      ...contentOf(set),
      created_at: set?.createdAt ?? null,
      image_survey: imageSurvey === null ? null : ImageSurveyDto.from(imageSurvey, campaign.format),
    };
  }
}

/** A question set, current or replaced. */
export class StoredQuestionSetDto {
  @ResponseQuestionId()
  question_id!: string;

  /** 1 for the first set, and one more for each replacement. */
  @ResponseInteger({ minimum: 1 })
  version!: number;

  /** Whether it is the campaign's current set. */
  @ResponseFlag()
  is_current!: boolean;

  /** The number of questions. */
  @ResponseInteger()
  total_questions!: number;

  @ResponseList(() => QuestionDto, { maximum: QUESTIONS_MAXIMUM })
  questions!: QuestionDto[];

  /** The language of the questions; absent if the set does not say. */
  @ResponseLanguage()
  language?: string;

  /** The texts in other languages; absent if there are none. */
  @ResponseTranslations()
  translations?: Translations;

  /** What holds for the questions of a section together; absent if there is nothing. */
  @ResponseList(() => SectionDto, { maximum: QUESTIONS_MAXIMUM })
  sections?: SectionDto[];

  /** When the set was stored. */
  @ResponseTime()
  created_at!: Date;

  static from({ set, isCurrent }: HistoricQuestionSet): StoredQuestionSetDto {
    return {
      question_id: set.questionId,
      version: set.version,
      is_current: isCurrent,
      total_questions: set.totalQuestions,
      ...contentOf(set),
      created_at: set.createdAt,
    };
  }
}

export class QuestionHistoryDto extends PageOf(() => StoredQuestionSetDto) {}
