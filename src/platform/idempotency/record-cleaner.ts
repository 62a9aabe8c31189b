import { Injectable } from '@nestjs/common';
import { Interval, Timeout } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { removeExpired } from '../database/remove-expired';
import { SharedJobs } from '../scheduling/shared-jobs.service';

/** Milliseconds from the start to the first run: a process that restarts often also cleans. */
const FIRST_RUN = 1_000;

/** Milliseconds between two runs. */
const INTERVAL = 600_000;

const EXPIRED = { table: 'idempotency_record', column: 'created_at', age: '24 hours' };

/** Removes expired idempotency records. */
@Injectable()
export class RecordCleaner {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: SharedJobs,
  ) {}

  @Timeout(FIRST_RUN)
  async cleanSoonAfterStart(): Promise<void> {
    await this.cleanInBackground();
  }

  @Interval(INTERVAL)
  async cleanInBackground(): Promise<void> {
    await this.jobs.run('remove expired idempotency records', (stop) => this.clean(stop));
  }

  /** Returns how many records were removed; `stop` ends the work after the current batch. */
  async clean(stop?: AbortSignal): Promise<number> {
    return removeExpired(this.dataSource, EXPIRED, stop);
  }
}
