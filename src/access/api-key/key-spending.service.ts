import { Injectable } from '@nestjs/common';
import { CompanyService } from '../company/company.service';
import { requireMinorUnit } from '../company/currency.field';
import { environmentOf } from '../../platform/caller/environment.rules';
import { actorOf, Principal } from '../../platform/caller/principal';
import type { StoredId } from '../../platform/database/identifiers';
import { columnList, toEntity } from '../../platform/database/rows';
import { TransactionContext } from '../../platform/database/transaction-context';
import { ApiKey } from './api-key.entity';
import { apiKeyNotFound } from './api-key.errors';
import type { KeySpending, SpendingLimit } from './spending.types';

/** Keys that replaced each other have the same limit. */
const SET_LIMIT = (columns: string) => `
  UPDATE api_key SET spending_limit = $3, spending_per = $4, spender = coalesce(spender, stored_id($2)),
    updated_by = $5
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
   * Returns the columns of a limit.
   *
   * @throws InvalidRequest if the currency of the company has no such amounts
   */
  async columnsOf(
    companyId: StoredId,
    limit: SpendingLimit | null | undefined,
  ): Promise<Pick<ApiKey, 'spendingLimit' | 'spendingPer'>> {
    if (limit == null) {
      return { spendingLimit: null, spendingPer: null };
    }
    const { amount, per } = limit;
    const { currency } = await this.companies.byId(companyId);
    requireMinorUnit(currency, { 'spending_limit.amount': amount });
    return { spendingLimit: String(amount), spendingPer: per };
  }

  /**
   * Sets or removes the limit of a key, and of those that it replaced or that replaced it. What
   * they have committed stays.
   *
   * @throws ApiError `api_key_not_found`
   */
  async limit(caller: Principal, keyId: string, limit: SpendingLimit | null): Promise<ApiKey> {
    const { callerId } = caller;
    const { spendingLimit, spendingPer } = await this.columnsOf(callerId, limit);
    const keys = this.transaction.manager.getRepository(ApiKey);
    const [rows] = await keys.query<[Record<string, unknown>[], number]>(
      SET_LIMIT(columnList(keys)),
      [callerId, keyId, spendingLimit, spendingPer, actorOf(caller)],
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
