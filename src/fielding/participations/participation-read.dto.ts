import { ApiProperty } from '@nestjs/swagger';
import { CURRENCIES_MAXIMUM, ResponseCurrency } from '../../access/company/currency.field';
import { CohortRewardsDto } from '../../campaigns/campaign/cohort-rewards.dto';
import {
  NextCursor,
  ResponseFlag,
  ResponseInteger,
  ResponseList,
  ResponseMoney,
  ResponseObject,
  ResponseText,
  ResponseTime,
} from '../../platform/openapi/response-fields';
import { QualityDto } from '../quality/quality.dto';
import { ResponseQuestionId } from '../../campaigns/questions/questions.dto';
import { MONEY_MAXIMUM } from '../../platform/validation/fields/number.fields';
import { PAGE_LIMIT_MAXIMUM, PageQueryDto } from '../../platform/validation/page-query.dto';
import { HeldParticipationDto } from './fielding.dto';
import { ParticipationId, REASON, ResponseReceipt, RespondentId } from './fielding.fields';
import type { Earnings } from './participation.types';
import type { ReadParticipation } from './participations.service';

/** The most participations that the earnings of a respondent are summed from. */
export const COUNTED_MAXIMUM = 5_000;

/** More than these participations can earn, bonuses included. */
const EARNINGS = { maximum: 2 * MONEY_MAXIMUM * COUNTED_MAXIMUM } as const;

/** The participation in a path. */
export class ParticipationPathDto {
  /** The participation, by the `participation_id` that its beginning returned. */
  @ParticipationId()
  participation_id!: string;
}

/** Whose participations to read. */
export class RespondentQueryDto extends PageQueryDto {
  /** Your own identifier of the respondent. */
  @RespondentId()
  respondent_id!: string;
}

/** A participation, with its times and what it earned. */
export class ListedParticipationDto extends HeldParticipationDto {
  /** When it was submitted, abandoned, expired or screened out; `null` while it is open. */
  @ResponseTime()
  closed_at!: Date | null;

  /** The score that was submitted, from 0 to 10. */
  @ApiProperty({ type: 'number', minimum: 0, maximum: 10 })
  attention_score!: number | null;

  /** The cohort of the attention score, from 1 to 5. */
  @ResponseInteger({ minimum: 1, maximum: 5 })
  cohort!: number | null;

  /** What the respondent was paid; `null` unless answers were submitted, or it is `screened_out`. */
  @ResponseMoney()
  reward!: number | null;

  /** What the company paid besides the reward; `null` for nothing. A reversal takes it back too. */
  @ResponseMoney()
  bonus!: number | null;

  /** When the reward was taken back; `null` if it was not. */
  @ResponseTime()
  reversed_at!: Date | null;

  /** Why the reward was taken back. */
  @ResponseText(REASON)
  reversal_reason!: string | null;

  /** Signals of quality; `null` unless answers were submitted, and once they are erased. */
  @ResponseObject(() => QualityDto, { nullable: true })
  quality!: QualityDto | null;

  static override from(read: ReadParticipation): ListedParticipationDto {
    const { participation, status } = read;
    const { attentionScore, cohort } = participation;
    const reward = status === 'screened_out' ? participation.held : participation.reward;
    return {
      ...HeldParticipationDto.from(read),
      // An expiry is exact, however late it was stored.
      closed_at: status === 'expired' ? participation.expiresAt : participation.closedAt,
      attention_score: attentionScore === null ? null : Number(attentionScore),
      cohort,
      reward: reward === null ? null : Number(reward),
      bonus: participation.bonus === null ? null : Number(participation.bonus),
      reversed_at: participation.reversedAt,
      reversal_reason: participation.reversalReason,
      quality: QualityDto.from(participation),
    };
  }
}

/** A participation, with what was promised and what came of it. */
export class ReadParticipationDto extends ListedParticipationDto {
  /** The question set of the participation; `null` if the campaign had none. */
  @ResponseQuestionId()
  question_id!: string | null;

  /** What the respondent was promised, by cohort. */
  @ResponseObject(() => CohortRewardsDto)
  cohort_rewards!: CohortRewardsDto;

  /** The largest of the rewards. */
  @ResponseMoney()
  maximum_reward!: number;

  /**
   * The receipt that the submission returned; `null` unless answers were submitted. Once a bonus is
   * paid, it states the bonus too.
   */
  @ResponseReceipt()
  receipt!: string | null;

  static of(read: ReadParticipation, receipt: string | null): ReadParticipationDto {
    const { participation, questionId } = read;
    return {
      ...ListedParticipationDto.from(read),
      question_id: questionId,
      cohort_rewards: CohortRewardsDto.from(participation.rewards),
      maximum_reward: Number(participation.held),
      receipt,
    };
  }
}

/** What a respondent has earned in a currency. */
export class CurrencyEarningsDto {
  @ResponseCurrency()
  currency!: string;

  /** What was paid, without what was taken back. */
  @ResponseMoney(EARNINGS)
  earned!: number;

  /** What was paid and taken back. */
  @ResponseMoney(EARNINGS)
  reversed!: number;

  /** The largest rewards of the participations that are open. */
  @ResponseMoney(EARNINGS)
  held!: number;

  static from({ currency, earned, reversed, held }: Earnings): CurrencyEarningsDto {
    return {
      currency,
      earned: Number(earned),
      reversed: Number(reversed),
      held: Number(held),
    };
  }
}

/** What a respondent has earned on one platform. */
export class RespondentEarningsDto {
  /** One for each currency of the campaigns; empty before the first participation. */
  @ResponseList(() => CurrencyEarningsDto, { maximum: CURRENCIES_MAXIMUM })
  amounts!: CurrencyEarningsDto[];

  /** The number of participations that were summed. */
  @ResponseInteger({ maximum: COUNTED_MAXIMUM })
  participations!: number;

  /** Whether these are all; `false` if there are 5,000 or more, of which the newest are summed. */
  @ResponseFlag()
  is_complete!: boolean;

  static from(earnings: readonly Earnings[]): RespondentEarningsDto {
    const participations = earnings.reduce((sum, each) => sum + each.participations, 0);
    return {
      amounts: earnings.map((each) => CurrencyEarningsDto.from(each)),
      participations,
      is_complete: participations < COUNTED_MAXIMUM,
    };
  }
}

export class RespondentDto {
  /** What all participations earned; `null` on the pages after the first. */
  @ResponseObject(() => RespondentEarningsDto, { nullable: true })
  earnings!: RespondentEarningsDto | null;

  /** Those in the newest campaign first. */
  @ResponseList(() => ListedParticipationDto, { maximum: PAGE_LIMIT_MAXIMUM })
  items!: ListedParticipationDto[];

  /** Send it as `cursor`, with the same `respondent_id`, for the next page; `null` on the last page. */
  @NextCursor()
  next_cursor!: string | null;
}
