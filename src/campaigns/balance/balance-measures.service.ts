import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { modeIs } from '../../platform/caller/environment.rules';
import { gauges } from '../../platform/metrics/metrics.registry';
import { SharedJobs } from '../../platform/scheduling/shared-jobs.service';

/** Milliseconds between two measurements. */
const INTERVAL = 10_000;

const reportBalances = gauges(
  [
    'balances_low',
    'Balances of live data that are smaller than what live campaigns can still cost.',
  ],
  [
    'balance_campaigns_dry',
    'Live campaigns that nobody can begin for lack of money in the balance, without test data.',
  ],
  [
    'balance_allotment_lag_seconds',
    'Seconds for which an allotment has waited for the service to look at it; 0 without one.',
  ],
);

/** Plain reads over all companies, which a cluster sends to every shard. */
const LOW = `
  SELECT count(*)::integer AS low FROM balance WHERE is_low AND ${modeIs('live', 'company_id')}`;

const DUE = `
  SELECT count(*) FILTER (WHERE is_dry AND ${modeIs('live', 'company_id')})::integer AS dry,
    coalesce(extract(epoch FROM clock_timestamp() - min(due_at) FILTER (WHERE NOT is_waiting)), 0)
      ::float8 AS lag
  FROM allotment_due`;

/** Measures the balances of all companies, if metrics are enabled. */
@Injectable()
export class BalanceMeasures {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: SharedJobs,
  ) {
    jobs.onLost(() => {
      reportBalances(0, 0, 0);
    });
  }

  @Interval(INTERVAL)
  async measureInBackground(): Promise<void> {
    await this.jobs.measure('measure balances', () => this.measure());
  }

  async measure(): Promise<void> {
    const [{ low }] = await this.dataSource.query<[{ low: number }]>(LOW);
    const [{ dry, lag }] = await this.dataSource.query<[{ dry: number; lag: number }]>(DUE);
    reportBalances(low, dry, Math.max(0, lag));
  }
}
