import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { RepeatedFailures } from '../../platform/logging/repeated-failures';
import { BackgroundJobs } from '../../platform/scheduling/background-jobs.service';
import type { KeyTable, KnownKey } from './known-key';

/** Milliseconds between two flushes. */
const FLUSH_INTERVAL = 30_000;

/** Time of the last use by key_id, on the clock of `performance.now()`. */
type Uses = Map<string, number>;

/**
 * Uses the database's clock: `age` is how many milliseconds ago the key was used. A subquery reads
 * the clock because Citus refuses `clock_timestamp()` in an expression with columns.
 */
const write = (table: KeyTable) => `
  UPDATE ${table}
  SET last_used_at = greatest(last_used_at, used.at)
  FROM (
    SELECT key_id, clock_timestamp() - age * interval '1 millisecond' AS at
    FROM unnest($1::text[], $2::float8[]) AS usage (key_id, age)
    OFFSET 0
  ) AS used
  WHERE ${table}.key_id = used.key_id`;

/** Collects when each key was last used and writes it periodically, not once per request. */
@Injectable()
export class KeyUsageService implements OnApplicationShutdown {
  private readonly logger = new Logger(KeyUsageService.name);
  private readonly failures = new RepeatedFailures(this.logger, 'last_used_at was not written');
  private readonly lastUsed: Record<KeyTable, Uses> = {
    api_key: new Map(),
    platform_key: new Map(),
  };

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: BackgroundJobs,
  ) {}

  @Interval(FLUSH_INTERVAL)
  async flushInBackground(): Promise<void> {
    await this.jobs.run('write last_used_at of keys', () => this.flush());
  }

  // Runs after the response to the last request and before the connections are closed.
  async onApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  /** Records that a key is used now. */
  record({ table, keyId }: Pick<KnownKey, 'table' | 'keyId'>): void {
    this.lastUsed[table].set(keyId, performance.now());
  }

  /** Writes what was recorded since the last flush. If that fails, keeps it for the next one. */
  async flush(): Promise<void> {
    await this.flushTable('api_key');
    await this.flushTable('platform_key');
  }

  private async flushTable(table: KeyTable): Promise<void> {
    const noted = this.lastUsed[table];
    if (noted.size === 0) {
      return;
    }
    this.lastUsed[table] = new Map();
    const now = performance.now();
    try {
      // In one order, so that no process waits for a key of another that waits for one of its own.
      const keys = [...noted.keys()].toSorted();
      const ages = keys.map((key) => now - (noted.get(key) ?? now));
      await this.dataSource.query(write(table), [keys, ages]);
    } catch (error) {
      this.failures.add(error);
      this.lastUsed[table] = new Map([...noted, ...this.lastUsed[table]]);
    }
  }
}
