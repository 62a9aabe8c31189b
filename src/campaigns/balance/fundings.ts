import type { DataSource } from 'typeorm';
import { withConstraints } from '../../platform/database/constraint-violation';
import type { StoredId } from '../../platform/database/identifiers';
import { AllotmentTurns } from './allotment-turns';
import type { Funding, FundingKind } from './balance.types';

const FUND = 'SELECT is_new, available FROM fund_balance($1, $2, $3, $4)';

const FUNDINGS = `
  SELECT reference, kind, amount, created_at FROM funding
  WHERE company_id = $1 ORDER BY created_at DESC, reference LIMIT $2`;

const FUNDING_ERRORS = {
  funding_reference_reused: () =>
    new Error('--reference was used before, for another amount or the other command.'),
  balance_available_not_negative: () =>
    new Error('--amount is more than the balance has available. Nothing was changed.'),
};

/** What the operator does with balances. */
export class Fundings {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Adds money to a balance, or takes it out. The same again, with its reference, changes nothing.
   *
   * @throws Error if the reference names something else, or less is available
   */
  async fund(
    companyId: StoredId,
    kind: FundingKind,
    amount: string,
    reference: string,
  ): Promise<{ is_new: boolean; available: string }> {
    const [row] = await withConstraints(
      () =>
        this.dataSource.query<[{ is_new: boolean; available: string }]>(FUND, [
          companyId,
          reference,
          kind,
          amount,
        ]),
      FUNDING_ERRORS,
    );
    return row;
  }

  /** Returns the latest movements, newest first. */
  latest(companyId: StoredId, limit: number): Promise<Funding[]> {
    return this.dataSource.query<Funding[]>(FUNDINGS, [companyId, limit]);
  }

  /** Decides whether the campaigns of a company pay with its balance, live ones included. */
  async setPrepaid(companyId: StoredId, isPrepaid: boolean, stop: AbortSignal): Promise<void> {
    await this.dataSource.query('SELECT set_prepaid($1, $2)', [companyId, isPrepaid]);
    const turns = new AllotmentTurns(this.dataSource);
    while (!stop.aborted && (await turns.take(companyId)));
  }
}
