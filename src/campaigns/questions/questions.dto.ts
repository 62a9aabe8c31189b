import type { CampaignType } from '../campaign/campaign.types';
import { PostId, ResponsePostId } from '../campaign/post-id.field';
import {
  ResponseEnum,
  ResponseId,
  ResponseInteger,
  ResponseSequence,
} from '../../platform/openapi/response-fields';
import { DtoRule } from '../../platform/validation/dto-rules';
import type { Problem } from '../../platform/validation/fields/field';
import type { QuestionDto } from './question.dto';
import { toStoredSet } from './question.rules';
import {
  Language,
  Questions,
  QuestionSetContentDto,
  SectionDto,
  Sections,
  TranslationsField,
} from './question-set.dto';
import { checkSet } from './question-set.rules';
import type { Translations } from './question.types';
import type { QuestionSet } from './question-set.entity';

/** Checks the parts of a set against each other. */
export function checkSetContent(content: QuestionSetContentDto): Problem[] {
  return checkSet(toStoredSet(content));
}

@DtoRule(checkSetContent)
export class SetQuestionsDto {
  /** The campaign, by the `post_id` that its creation returned. */
  @PostId()
  post_id!: string;

  /** The whole set, in order. It replaces the current one. */
  @Questions()
  questions!: QuestionDto[];

  /** The language of the questions (BCP 47). */
  @Language({ optional: true })
  language?: string;

  /** The texts in other languages: by language, then by the key of the question. */
  @TranslationsField()
  translations?: Translations;

  /** What holds for the questions of a section together. */
  @Sections()
  sections?: SectionDto[];
}

/** The kinds of question set (section 2.5). */
export const QUESTION_SET_TYPES = ['survey', 'ad'] as const;

export type QuestionSetType = (typeof QUESTION_SET_TYPES)[number];

/** The kind of question set that campaigns of a type have. */
export function questionSetType(type: CampaignType): QuestionSetType {
  return type === 'advertisement' ? 'ad' : 'survey';
}

export function ResponseQuestionId(): PropertyDecorator {
  return ResponseId('qset');
}

/** The question set that was stored (section 2.5). */
export class QuestionSetDto {
  /** The identifier of the question set. */
  @ResponseQuestionId()
  question_id!: string;

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

  static from(
    set: Pick<QuestionSet, 'questionId' | 'campaignId' | 'totalQuestions'>,
    postId: string,
    type: CampaignType,
  ): QuestionSetDto {
    return {
      question_id: set.questionId,
      post_id: postId,
      ad_id: Number(set.campaignId),
      question_type: questionSetType(type),
      total_questions: set.totalQuestions,
    };
  }
}
