import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { modeIs } from '../../platform/caller/environment.rules';
import { SharedJobs } from '../../platform/scheduling/shared-jobs.service';
import { reportUnpaid } from './settlement.registry';

/** Milliseconds between two polls. */
const INTERVAL = 60_000;

/** A plain read over all companies, which a cluster sends to every shard. */
const UNPAID = `
  SELECT count(*)::integer AS unpaid,
    coalesce(extract(epoch FROM clock_timestamp() - min(closed_at)), 0)::float8 AS age
  FROM settlement WHERE paid_at IS NULL AND ${modeIs('live', 'company_id')}`;

/** Measures the settlements that wait for their payment, if metrics are enabled. */
@Injectable()
export class SettlementWatch {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: SharedJobs,
  ) {
    jobs.onLost(() => {
      reportUnpaid(0, 0);
    });
  }

  @Interval(INTERVAL)
  async measureInBackground(): Promise<void> {
    await this.jobs.measure('measure unpaid settlements', () => this.measure());
  }

  async measure(): Promise<void> {
    const [{ unpaid, age }] =
      await this.dataSource.query<[{ unpaid: number; age: number }]>(UNPAID);
    reportUnpaid(unpaid, Math.max(0, age));
  }
}
