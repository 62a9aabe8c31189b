import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, EntityManager } from 'typeorm';

interface Transaction {
  manager: EntityManager;
  /** What is to be done once the whole of it has ended. */
  afterEnd: (() => void)[];
}

/**
 * The transaction that a request runs in, if it runs in one. Services take their manager from
 * here, so that an idempotency record is written in the same transaction as the work it is of.
 */
@Injectable()
export class TransactionContext {
  private readonly storage = new AsyncLocalStorage<Transaction>();

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The current transaction's manager; outside of one, each statement is its own transaction. */
  get manager(): EntityManager {
    return this.storage.getStore()?.manager ?? this.dataSource.manager;
  }

  /** Runs work in a transaction; inside another one, in a savepoint of it. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const outer = this.storage.getStore();
    const afterEnd = outer?.afterEnd ?? [];
    try {
      return await this.manager.transaction((manager) =>
        this.storage.run({ manager, afterEnd }, work),
      );
    } finally {
      if (outer === undefined) {
        afterEnd.forEach((action) => {
          action();
        });
      }
    }
  }

  /**
   * Does something once what was written can be seen by others: now, outside of a transaction. It
   * is done as well where the transaction fails, as it may have been committed all the same.
   */
  afterEnd(action: () => void): void {
    const transaction = this.storage.getStore();
    if (transaction === undefined) {
      action();
    } else {
      transaction.afterEnd.push(action);
    }
  }
}
