import { ResponseCurrency } from '../../access/company/currency.field';
import { ResponsePostId } from '../../campaigns/campaign/post-id.field';
import {
  ResponseId,
  ResponseMoney,
  ResponseText,
  ResponseTime,
} from '../../platform/openapi/response-fields';
import { Money } from '../../platform/validation/fields/number.fields';
import { Text } from '../../platform/validation/fields/text.fields';
import { printId } from '../../platform/database/identifiers';
import { ParticipationId } from '../participations/fielding.fields';
import type { PaidBonus } from './bonus.types';

/** A company's own name for a bonus. */
const BONUS_REF = { maximum: 200, example: 'best-answer-2026-11' } as const;

export class PayBonusDto {
  /** The response, by the `participation_id` that the list of responses has. */
  @ParticipationId()
  participation_id!: string;

  /**
   * What to pay besides the reward: at most ten times the largest reward that the respondent was
   * promised.
   */
  @Money({ minimum: 0.01, example: 25 })
  amount!: number;

  /**
   * Your own name for this bonus, which no other bonus of your company has. It is not erased: name no
   * person.
   */
  @Text(BONUS_REF)
  bonus_ref!: string;
}

/** A bonus that was paid. */
export class PaidBonusDto {
  @ResponsePostId()
  post_id!: string;

  @ResponseId('part')
  participation_id!: string;

  @ResponseText(BONUS_REF)
  bonus_ref!: string;

  @ResponseCurrency()
  currency!: string;

  @ResponseMoney()
  amount!: number;

  @ResponseTime()
  paid_at!: Date;

  static from(
    { postId, participationId, amount, paidAt }: PaidBonus,
    bonusRef: string,
    currency: string,
  ): PaidBonusDto {
    return {
      post_id: postId,
      participation_id: printId('part', participationId),
      bonus_ref: bonusRef,
      currency,
      amount: Number(amount),
      paid_at: paidAt,
    };
  }
}
