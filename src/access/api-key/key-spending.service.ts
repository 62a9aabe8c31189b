import { Injectable } from '@nestjs/common';
import { CompanyService } from '../company/company.service';
import { requireMinorUnit } from '../company/currency.field';
import { environmentOf } from '../../platform/caller/environment.rules';
import { actorOf, Principal } from '../../platform/caller/principal';
import type { StoredId } from '../../platform/database/identifiers';
import { columnList, toEntity } from '../../platform/database/rows';
import { TransactionContext } from '../../platform/database/transaction-context';
import { ApiKey } from './api-key.entity';
import { apiKeyNotFound, noLimitToUpdate } from './api-key.errors';
import type { KeyLimits, KeySpending } from './spending.types';

/** Keys that replaced each other have the same limits. $3 and $6 say which ones change. */
const SET_LIMITS = (columns: string) => `
  UPDATE api_key SET
    spending_limit = CASE WHEN $3 THEN $4 ELSE spending_limit END,
    spending_per = CASE WHEN $3 THEN $5 ELSE spending_per END,
    approval_above = CASE WHEN $6 THEN $7 ELSE approval_above END,
    spender = coalesce(spender, stored_id($2)), updated_by = $8
  WHERE company_id = $1 AND (key_id = $2 OR spender = (
    SELECT o.spender FROM api_key AS o WHERE o.company_id = $1 AND o.key_id = $2
  ))
  RETURNING ${columns}`;

const COMMITTED = `SELECT committed, resets_at FROM committed_by($1, $2, $3)`;

/** Limits what API keys commit. The triggers of the tables hold the limits; this sets them. */
@Injectable()
export class KeySpendingService {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly companies: CompanyService,
  ) {}

  /**
   * Returns the columns of the limits of a key.
   *
   * @throws InvalidRequest if the currency of the company has no such amounts
   */
  async columnsOf(
    companyId: StoredId,
    { spending_limit: limit, approval_above: above }: KeyLimits,
  ): Promise<Pick<ApiKey, 'spendingLimit' | 'spendingPer' | 'approvalAbove'>> {
    if (limit != null || above != null) {
      const { currency } = await this.companies.byId(companyId);
      requireMinorUnit(currency, {
        'spending_limit.amount': limit?.amount,
        approval_above: above,
      });
    }
    return {
      spendingLimit: limit == null ? null : String(limit.amount),
      spendingPer: limit?.per ?? null,
      approvalAbove: above == null ? null : String(above),
    };
  }

  /**
   * Sets or removes limits of a key, and of those that it replaced or that replaced it. What they
   * have committed stays, and so does a limit that is missing.
   *
   * @throws ApiError `nothing_to_update` or `api_key_not_found`
   */
  async limit(caller: Principal, keyId: string, limits: KeyLimits): Promise<ApiKey> {
    const { spending_limit: limit, approval_above: above } = limits;
    if (limit === undefined && above === undefined) {
      throw noLimitToUpdate();
    }
    const { callerId } = caller;
    const columns = await this.columnsOf(callerId, limits);
    const keys = this.transaction.manager.getRepository(ApiKey);
    const [rows] = await keys.query<[Record<string, unknown>[], number]>(
      SET_LIMITS(columnList(keys)),
      [
        callerId,
        keyId,
        limit !== undefined,
        columns.spendingLimit,
        columns.spendingPer,
        above !== undefined,
        columns.approvalAbove,
        actorOf(caller),
      ],
    );
    const row = rows.find(({ key_id }) => key_id === keyId);
    if (row === undefined) {
      throw apiKeyNotFound();
    }
    return toEntity(keys, row);
  }

  /** Returns what a key has committed, with the keys that it replaced or that replaced it. */
  async spendingOf({ companyId, mode, spender, spendingPer }: ApiKey): Promise<KeySpending> {
    const { currency } = await this.companies.byId(companyId);
    if (spendingPer === null) {
      return { currency, committed: null, resetsAt: null };
    }
    const [{ committed, resets_at }] = await this.transaction.manager.query<
      [{ committed: string; resets_at: Date | null }]
    >(COMMITTED, [environmentOf(companyId, mode), spender, spendingPer]);
    return { currency, committed, resetsAt: resets_at };
  }
}
