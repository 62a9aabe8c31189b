import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

/** Milliseconds between two cleanings. */
const INTERVAL = 600_000;

/** Records removed by one statement, so that none holds locks for long. */
const BATCH = 1_000;

const REMOVE_EXPIRED = `
  DELETE FROM idempotency_record
  WHERE (scope, key_hash) IN (
    SELECT scope, key_hash FROM idempotency_record
    WHERE created_at <= now() - interval '24 hours'
    ORDER BY created_at
    LIMIT ${BATCH}
    FOR UPDATE SKIP LOCKED
  )`;

/** Removes idempotency records that are no longer in force. */
@Injectable()
export class RecordCleaner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(RecordCleaner.name);
  private timer?: NodeJS.Timeout;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.clean().catch((error: unknown) => {
        this.logger.warn(`expired idempotency records were not removed: ${String(error)}`);
      });
    }, INTERVAL).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** @returns how many records were removed */
  async clean(): Promise<number> {
    let total = 0;
    let removed: number;
    do {
      [, removed] = await this.dataSource.query<[unknown, number]>(REMOVE_EXPIRED);
      total += removed;
    } while (removed === BATCH);
    return total;
  }
}
