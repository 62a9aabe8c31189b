import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, EntityManager } from 'typeorm';

interface Transaction {
  manager: EntityManager;
  /** Actions to run after the outermost transaction has ended. */
  afterEnd: (() => void)[];
  /** Actions to run after the outermost transaction has succeeded, unless this part is undone. */
  afterSuccess: (() => void)[];
}

/** Ends a transaction whose work is rolled back on purpose. */
class Rehearsed extends Error {
  constructor(readonly result: unknown) {
    super('the work was rehearsed');
  }
}

/**
 * The transaction that a request runs in, if any. Services take their manager from here, so that an
 * idempotency record is written in the same transaction as the work.
 */
@Injectable()
export class TransactionContext {
  private readonly storage = new AsyncLocalStorage<Transaction>();

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * The manager of the current transaction. Outside of one, each statement is its own transaction.
   */
  get manager(): EntityManager {
    return this.storage.getStore()?.manager ?? this.dataSource.manager;
  }

  /** Runs work in a transaction; inside another transaction, in a savepoint of it. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const outer = this.storage.getStore();
    const afterEnd = outer?.afterEnd ?? [];
    const afterSuccess: (() => void)[] = [];
    try {
      const result = await this.manager.transaction((manager) =>
        this.storage.run({ manager, afterEnd, afterSuccess }, work),
      );
      afterSuccess.forEach((action) => {
        this.afterSuccess(action);
      });
      return result;
    } finally {
      if (outer === undefined) {
        afterEnd.forEach((action) => {
          action();
        });
      }
    }
  }

  /**
   * Runs work in a transaction, or in a savepoint of the current one, and rolls back what it wrote.
   *
   * @returns the result of the work
   */
  async rehearse<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.run(async () => {
        throw new Rehearsed(await work());
      });
    } catch (error) {
      if (error instanceof Rehearsed) {
        return error.result as T;
      }
      throw error;
    }
  }

  /**
   * Runs an action after the outermost transaction has ended; outside of a transaction, at once.
   * The action runs even if the transaction fails, because the commit may have succeeded.
   */
  afterEnd(action: () => void): void {
    this.defer('afterEnd', action);
  }

  /**
   * Runs an action after the outermost transaction has succeeded; outside of a transaction, at
   * once. The action does not run if its work is undone, in a savepoint or as a whole.
   */
  afterSuccess(action: () => void): void {
    this.defer('afterSuccess', action);
  }

  private defer(until: 'afterEnd' | 'afterSuccess', action: () => void): void {
    const transaction = this.storage.getStore();
    if (transaction === undefined) {
      action();
    } else {
      transaction[until].push(action);
    }
  }
}
