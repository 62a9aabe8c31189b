import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { IMAGES_MAXIMUM } from '../../campaigns/campaign/image-survey.rules';
import { ResponseCurrency } from '../../access/company/currency.field';
import { CampaignPathDto } from '../../campaigns/campaign/campaign-read.dto';
import { CohortRewardsDto } from '../../campaigns/campaign/cohort-rewards.dto';
import { printId } from '../../platform/database/identifiers';
import { PageOf, SAME_FILTERS } from '../../platform/openapi/page-of';
import {
  ResponseId,
  ResponseInteger,
  ResponseList,
  ResponseMoney,
  ResponseObject,
  ResponseText,
  ResponseTime,
  ResponseToken,
} from '../../platform/openapi/response-fields';
import { QUESTIONS_MAXIMUM } from '../../campaigns/questions/question.types';
import { KEY_PATTERN, OPTION_LENGTH } from '../../campaigns/questions/option.dto';
import { OWN_TEXT_MAXIMUM } from '../../campaigns/questions/answer-value.rules';
import { QualityDto } from '../../fielding/quality/quality.dto';
import { ResponseQuestionId } from '../../campaigns/questions/questions.dto';
import {
  DecimalParameter,
  FlagParameter,
  WholeNumberParameter,
} from '../../platform/validation/fields/query.fields';
import { DtoRule } from '../../platform/validation/dto-rules';
import { problem } from '../../platform/validation/fields/field';
import { Text } from '../../platform/validation/fields/text.fields';
import { Timestamp } from '../../platform/validation/fields/timestamp.field';
import { CursorQueryDto, PAGE_LIMIT_DEFAULT } from '../../platform/validation/page-query.dto';
import { ParticipationPathDto } from '../../fielding/participations/participation-read.dto';
import { ANSWER_VALUE_SCHEMA, ANSWERS_MAXIMUM } from '../../fielding/participations/answer.dto';
import type { AnswerValue } from '../../campaigns/questions/question.types';
import { ATTENTION_SCORE } from '../../fielding/participations/attention.rules';
import type { Answer } from '../../campaigns/questions/answer.rules';
import type { SubmittedResponse } from './responses.types';

export const VERSION_MAXIMUM = 2_147_483_647;

/** The longest answer to look for: as long as an option. */
const ANSWER_MAXIMUM = OPTION_LENGTH;

/** The most responses that a page has, within its limit of 1 MiB. */
const RESPONSES_MAXIMUM = 1_000;

/** Which responses to read. */
@DtoRule(({ row, answer }: ResponseListQueryDto) =>
  row === undefined || answer !== undefined
    ? []
    : problem('required', 'is required with row', 'answer'),
)
export class ResponseListQueryDto extends CursorQueryDto {
  /** The most items to return; 20 by default. */
  @WholeNumberParameter({ minimum: 1, maximum: RESPONSES_MAXIMUM, example: PAGE_LIMIT_DEFAULT })
  limit?: number;

  /** Only responses of this cohort, from 1 to 5. */
  @WholeNumberParameter({ minimum: 1, maximum: 5, example: 5 })
  cohort?: number;

  /**
   * Only responses submitted after this time. To read what has come since, ask from a minute before the
   * latest time that you have read, because a response can appear after later ones, or export with
   * `after_seq`.
   */
  @Timestamp({ optional: true, example: '2026-01-01T00:00:00Z' })
  submitted_after?: Date;

  /** Only responses submitted before this time. */
  @Timestamp({ roundUp: true, optional: true, example: '2099-01-01T00:00:00Z' })
  submitted_before?: Date;

  /** Only responses to this version of the question set, as its history numbers them. */
  @WholeNumberParameter({ minimum: 1, maximum: VERSION_MAXIMUM })
  version?: number;

  /** Only responses with at least this attention score. */
  @DecimalParameter(ATTENTION_SCORE)
  attention_score_min?: number;

  /** Only responses with at most this attention score. */
  @DecimalParameter(ATTENTION_SCORE)
  attention_score_max?: number;

  /** Only responses whose reward was taken back, or only the others. */
  @FlagParameter()
  reversed?: boolean;

  /** Only responses that answer this question; its position, from 1. An image survey has one. */
  @WholeNumberParameter({ minimum: 1, maximum: QUESTIONS_MAXIMUM })
  question?: number;

  /**
   * Only responses with this answer to `question`, or to any: the whole text, the option, or one of the
   * options of a multiple choice or a ranking; the number, the date, or `true` or `false`; for image
   * surveys, the position or the rating. A matrix is compared by `row`. Send `version` too if the
   * questions have changed.
   */
  @Text({ maximum: ANSWER_MAXIMUM, optional: true })
  answer?: string;

  /** Compares `answer` with this row of a matrix: its key, or its text if it has none. */
  @Text({ maximum: ANSWER_MAXIMUM, optional: true })
  row?: string;
}

/** Which response to read. */
export class ResponsePathDto extends IntersectionType(CampaignPathDto, ParticipationPathDto) {}

/** An answer. It names what it is about by its position, from 1. */
export class GivenAnswerDto {
  /** The question, in a survey or the feedback to an advertisement. */
  @ResponseInteger({ minimum: 1, maximum: QUESTIONS_MAXIMUM })
  question?: number;

  /** The key of the question; absent if its author gave it none. */
  @ApiProperty({ type: 'string', minLength: 1, maxLength: 40, pattern: KEY_PATTERN })
  key?: string;

  /** The image that was rated, in an `image_slider` survey. */
  @ResponseInteger({ minimum: 1, maximum: IMAGES_MAXIMUM })
  image?: number;

  /** The two images that were compared, in a `round_robin` survey. */
  @ApiProperty({
    type: 'array',
    items: { type: 'integer', format: 'int32', minimum: 1, maximum: IMAGES_MAXIMUM },
    minItems: 2,
    maxItems: 2,
  })
  images?: number[];

  /**
   * Text or a date; one option; an array of options, which a ranking has from the best on; a number;
   * whether a box was ticked; an object with the rows of a matrix; or the position of the preferred image.
   */
  @ApiProperty(ANSWER_VALUE_SCHEMA)
  value!: AnswerValue;

  /** The text of one's own for the option that asks for one. */
  @ResponseText({ maximum: OWN_TEXT_MAXIMUM })
  other?: string;

  /** The text beside the choice. */
  @ResponseText({ maximum: OWN_TEXT_MAXIMUM })
  comment?: string;
}

/** What a respondent submitted, and what that was worth. */
export class CampaignResponseDto {
  @ResponseId('part')
  participation_id!: string;

  /**
   * A name for the respondent that is unrelated to the names in other campaigns; `null` once the
   * respondent is erased.
   */
  @ResponseToken('^resp_[0-9a-f]{32}$', 37)
  respondent!: string | null;

  /** The question set that was answered; `null` if the campaign had none. */
  @ResponseQuestionId()
  question_id!: string | null;

  /** The number of that set in the campaign's history of questions. */
  @ResponseInteger({ minimum: 1 })
  version!: number | null;

  /** In the order of the questions; empty once the respondent is erased. */
  @ResponseList(() => GivenAnswerDto, { maximum: ANSWERS_MAXIMUM })
  answers!: Answer[];

  /** From 0 to 10. */
  @ApiProperty({ type: 'number', minimum: 0, maximum: 10 })
  attention_score!: number;

  /** The cohort of the attention score, from 1 to 5. */
  @ResponseInteger({ minimum: 1, maximum: 5 })
  cohort!: number;

  /** The currency of the rewards. */
  @ResponseCurrency()
  currency!: string;

  /** What the respondent was paid. */
  @ResponseMoney()
  reward!: number;

  /** What it was paid besides the reward; `null` for nothing. A reversal takes it back too. */
  @ResponseMoney()
  bonus!: number | null;

  /** What the cohorts were promised when the respondent began. */
  @ResponseObject(() => CohortRewardsDto)
  cohort_rewards!: CohortRewardsDto;

  @ResponseTime()
  begun_at!: Date;

  @ResponseTime()
  submitted_at!: Date;

  /** When the reward was taken back; `null` if it was not. */
  @ResponseTime()
  reversed_at!: Date | null;

  /** Why the reward was taken back. */
  @ResponseText({ maximum: 500 })
  reversal_reason!: string | null;

  /** How carefully it looks answered; `null` once the respondent is erased. */
  @ResponseObject(() => QualityDto, { nullable: true })
  quality!: QualityDto | null;

  static from(
    { participation, respondent, questionId, answers, submittedAt }: SubmittedResponse,
    currency: string,
  ): CampaignResponseDto {
    return {
      participation_id: printId('part', participation.participationId),
      respondent,
      question_id: questionId,
      version: participation.questionSetVersion,
      answers: answers ?? [],
      attention_score: Number(participation.attentionScore),
      cohort: Number(participation.cohort),
      currency,
      reward: Number(participation.reward),
      bonus: participation.bonus === null ? null : Number(participation.bonus),
      cohort_rewards: CohortRewardsDto.from(participation.rewards),
      begun_at: participation.begunAt,
      submitted_at: submittedAt,
      reversed_at: participation.reversedAt,
      reversal_reason: participation.reversalReason,
      quality: QualityDto.from(participation),
    };
  }
}

export class ResponsePageDto extends PageOf(() => CampaignResponseDto, {
  again: SAME_FILTERS,
  maximum: RESPONSES_MAXIMUM,
}) {}
