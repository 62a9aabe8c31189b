import { Injectable } from '@nestjs/common';
import { SPENDING_ERRORS } from '../../access/api-key/spending.errors';
import { requireMinorUnit } from '../../access/company/currency.field';
import { actorOf, currencyOf, Principal } from '../../platform/caller/principal';
import { withConstraints } from '../../platform/database/constraint-violation';
import { storedId } from '../../platform/database/identifiers';
import { TransactionContext } from '../../platform/database/transaction-context';
import { SequencerService } from '../../platform/event/sequencer.service';
import { participationUnknown } from '../participations/fielding.errors';
import type { PayBonusDto } from './bonus.dto';
import { BONUS_REFUSALS, bonusOverBalance, bonusOverBudget, bonusRefTaken } from './bonus.errors';
import type { PaidBonus, RefusedBonus } from './bonus.types';

const PAY = `
  SELECT refusal, post AS "postId", paid AS "participationId", amount, paid_at AS "paidAt", state,
    maximum
  FROM pay_bonus($1, $2, $3::numeric, $4, $5)`;

type Row = PaidBonus & RefusedBonus & { refusal: 'unknown' | keyof typeof BONUS_REFUSALS | null };

/**
 * Pays bonuses. The function of the database changes the ledger, the counters and the log together.
 */
@Injectable()
export class BonusService {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly sequencer: SequencerService,
  ) {}

  /**
   * Pays the respondent of a response a bonus, within the budget of its campaign. The same bonus
   * with the same reference is paid once.
   *
   * @throws ApiError `validation_failed`, `participation_not_found`, `bonus_over_budget`,
   *   `balance_low`, `spending_limit_exceeded` or an error of {@link BONUS_REFUSALS}
   */
  async pay(
    caller: Principal,
    { participation_id, amount, bonus_ref }: PayBonusDto,
  ): Promise<PaidBonus> {
    requireMinorUnit(currencyOf(caller), { amount });
    const { callerId: companyId } = caller;
    const id = storedId('part', participation_id);
    const parameters = [companyId, id, amount.toFixed(2), bonus_ref, actorOf(caller)];
    const [row] = await withConstraints(
      () => this.transaction.manager.query<[Row]>(PAY, parameters),
      {
        bonus_pkey: bonusRefTaken,
        campaign_progress_within_budget: bonusOverBudget,
        balance_available_not_negative: bonusOverBalance,
        ...SPENDING_ERRORS,
      },
    );
    if (row.refusal !== null) {
      throw row.refusal === 'unknown' ? participationUnknown() : BONUS_REFUSALS[row.refusal](row);
    }
    this.transaction.afterEnd(() => {
      this.sequencer.wake(companyId);
    });
    return row;
  }
}
