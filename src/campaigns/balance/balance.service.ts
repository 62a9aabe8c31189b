import { Injectable } from '@nestjs/common';
import type { StoredId } from '../../platform/database/identifiers';
import { TransactionContext } from '../../platform/database/transaction-context';
import { readBalance } from './balance.statements';
import type { Balance } from './balance.types';

/** The balances of companies that pay in advance. */
@Injectable()
export class BalanceService {
  constructor(private readonly transaction: TransactionContext) {}

  /** Returns the balance of an environment as it is at one moment. */
  read(companyId: StoredId): Promise<Balance> {
    return readBalance(this.transaction.manager, companyId);
  }
}
