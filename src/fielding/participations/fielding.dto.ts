import { CohortRewardsDto } from '../../campaigns/campaign/cohort-rewards.dto';
import { ResponseCurrency } from '../../access/company/currency.field';
import { PostId, ResponsePostId } from '../../campaigns/campaign/post-id.field';
import {
  ResponseEnum,
  ResponseId,
  ResponseInteger,
  ResponseMoney,
  ResponseObject,
  ResponseText,
  ResponseTime,
} from '../../platform/openapi/response-fields';
import { printId } from '../../platform/database/identifiers';
import { AnswerDto, ANSWERS_MAXIMUM } from './answer.dto';
import { Language } from '../../campaigns/questions/question-set.dto';
import type { QuestionType } from '../../campaigns/questions/question.types';
import { RespondentAttributes } from '../../campaigns/targeting/choice.fields';
import { Attributes, SCREENING_QUESTIONS_MAXIMUM } from '../../campaigns/targeting/targeting.types';
import { ObjectArray } from '../../platform/validation/fields/array.fields';
import { QualityDto } from '../quality/quality.dto';
import { Decimal } from '../../platform/validation/fields/number.fields';
import { Text } from '../../platform/validation/fields/text.fields';
import { ATTENTION_SCORE } from './attention.rules';
import {
  ParticipationId,
  REASON,
  RespondentId,
  ResponseReceipt,
  SupportedTypes,
} from './fielding.fields';
import { FieldingContentDto } from './fielding-content.dto';
import { PARTICIPATION_STATUSES, ParticipationStatus } from './participation.types';
import type { CurrentParticipation, ShownParticipation } from './participations.service';
import type { Submitted } from './receipts.service';

export class BeginDto {
  /** The campaign. */
  @PostId()
  post_id!: string;

  /** Your own identifier of the respondent; the service stores only a keyed hash of it. */
  @RespondentId()
  respondent_id!: string;

  /**
   * What you know of the respondent, by attribute, and vouch for. It is compared with whom the campaign
   * asks, and not stored. Send all that you know: what the campaign does not ask about is ignored.
   */
  @RespondentAttributes()
  attributes?: Attributes;

  /**
   * Answers to the `screening_questions` of the campaign, each by the position or the key of its
   * question. They are compared with whom the campaign asks, and not stored.
   */
  @ObjectArray(() => AnswerDto, 0, SCREENING_QUESTIONS_MAXIMUM, {
    optional: true,
    example: [{ question: 'cups', value: 'One or two' }],
  })
  screening_answers?: AnswerDto[];

  /** The language that the respondent reads (BCP 47): what fits best is served (RFC 4647). */
  @Language({ optional: true, example: 'de-AT' })
  language?: string;

  /** The types of question that you can show; all by default. */
  @SupportedTypes()
  supports?: QuestionType[];
}

/** Which participation a request is about. */
export class ParticipationDto {
  /** The campaign. */
  @PostId()
  post_id!: string;

  /** The participation, by the `participation_id` that its beginning returned. */
  @ParticipationId()
  participation_id!: string;
}

export class AbandonDto extends ParticipationDto {}

export class SubmitDto extends ParticipationDto {
  /** From 0 to 10, with at most two decimal places. It decides the cohort, and so the reward. */
  @Decimal({ ...ATTENTION_SCORE, example: 8.5 })
  attention_score!: number;

  /** The answers, in any order; empty if the campaign asks nothing. */
  @ObjectArray(() => AnswerDto, 0, ANSWERS_MAXIMUM, {
    example: [
      { question: 1, value: 'One or two' },
      { question: 2, value: 'Good water' },
    ],
  })
  answers!: AnswerDto[];
}

export class ReverseDto extends ParticipationDto {
  /** Why the reward is taken back. The client sees it, and it is not erased: name no person. */
  @Text(REASON)
  reason!: string;
}

export class EraseRespondentDto {
  /** Your own identifier of the respondent. */
  @RespondentId()
  respondent_id!: string;
}

/** A participation and where it is in its life. */
export class ParticipationStateDto {
  @ResponsePostId()
  post_id!: string;

  @ResponseId('part')
  participation_id!: string;

  /** Where the participation is in its life. */
  @ResponseEnum(PARTICIPATION_STATUSES, 'ParticipationStatus')
  status!: ParticipationStatus;

  static from({ postId, participation, status }: CurrentParticipation): ParticipationStateDto {
    return {
      post_id: postId,
      participation_id: printId('part', participation.participationId),
      status,
    };
  }
}

/** With its times, and the currency of what was promised. */
export class HeldParticipationDto extends ParticipationStateDto {
  @ResponseTime()
  begun_at!: Date;

  /** Until when the respondent can submit. */
  @ResponseTime()
  expires_at!: Date;

  /** The currency of the rewards. */
  @ResponseCurrency()
  currency!: string;

  static override from(held: CurrentParticipation): HeldParticipationDto {
    return Object.assign(ParticipationStateDto.from(held), {
      begun_at: held.participation.begunAt,
      expires_at: held.participation.expiresAt,
      currency: held.currency,
    });
  }
}

export class BegunParticipationDto extends HeldParticipationDto {
  /** What the respondent is paid, by cohort; later changes of the campaign do not matter. */
  @ResponseObject(() => CohortRewardsDto)
  cohort_rewards!: CohortRewardsDto;

  /** The largest of the rewards, which is held for the respondent. */
  @ResponseMoney()
  maximum_reward!: number;

  /** What to show. */
  @ResponseObject(() => FieldingContentDto)
  content!: FieldingContentDto;

  static override from(shown: ShownParticipation): BegunParticipationDto {
    const { participation } = shown;
    return Object.assign(HeldParticipationDto.from(shown), {
      cohort_rewards: CohortRewardsDto.from(participation.rewards),
      maximum_reward: Number(participation.held),
      content: FieldingContentDto.from(shown),
    });
  }
}

/** What a submission earned. */
export class SubmittedParticipationDto extends ParticipationStateDto {
  /** The cohort of the attention score, from 1 to 5. */
  @ResponseInteger({ minimum: 1, maximum: 5 })
  cohort!: number;

  /** The currency of the reward. */
  @ResponseCurrency()
  currency!: string;

  /** What the respondent is paid. */
  @ResponseMoney()
  reward!: number;

  /** A JSON Web Signature of the result, which anyone can check with the receipt keys. */
  @ResponseReceipt()
  receipt!: string;

  /** Signals of quality, which do not change the reward; `null` once the answers are erased. */
  @ResponseObject(() => QualityDto, { nullable: true })
  quality!: QualityDto | null;

  static of(
    { status, content }: Submitted,
    receipt: string,
    quality: QualityDto | null,
  ): SubmittedParticipationDto {
    const { post_id, participation_id, cohort, currency, reward } = content;
    return { post_id, participation_id, status, cohort, currency, reward, receipt, quality };
  }
}

/** A reward that was taken back. */
export class ReversedParticipationDto extends ParticipationStateDto {
  /** The currency of the reward. */
  @ResponseCurrency()
  currency!: string;

  /** What was taken back. */
  @ResponseMoney()
  reward!: number;

  /** The bonus that was taken back with it; absent if none was paid. */
  @ResponseMoney()
  bonus?: number;

  @ResponseText(REASON)
  reason!: string | null;

  @ResponseTime()
  reversed_at!: Date | null;

  static override from(reversed: CurrentParticipation): ReversedParticipationDto {
    const { reward, bonus, reversalReason, reversedAt } = reversed.participation;
    return {
      ...ParticipationStateDto.from(reversed),
      currency: reversed.currency,
      reward: Number(reward),
      ...(bonus !== null && { bonus: Number(bonus) }),
      reason: reversalReason,
      reversed_at: reversedAt,
    };
  }
}

export class ErasedRespondentDto {
  /** Participations whose answers and identity were erased. */
  @ResponseInteger()
  participations!: number;
}
