import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { modeIs } from '../http/environment.rules';
import { Env } from '../config/env';
import { SharedJobs } from '../scheduling/shared-jobs.service';
import { countExpiryLook, Held, reportHeld } from './fielding.registry';

/** Milliseconds between two looks. */
const INTERVAL = 10_000;

/** Participations that one look reads at most, those that end first. */
const MAXIMUM = 100_000;

/** A plain read over all companies, which a cluster sends to every shard. */
const HELD = `
  SELECT CASE WHEN ${modeIs('test', 'company_id')} THEN 'test' ELSE 'live' END AS mode,
    count(*)::integer AS open, sum(held)::float8 AS money,
    extract(epoch FROM min(expires_at) - clock_timestamp())::float8 AS left
  FROM (
    SELECT company_id, held, expires_at FROM participation WHERE state = 'open'
    ORDER BY expires_at LIMIT ${MAXIMUM}
  ) AS open GROUP BY 1`;

/** Measures the places and the money that open participations hold, if metrics are enabled. */
@Injectable()
export class HeldPlaces {
  private readonly measures: boolean;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: SharedJobs,
    { METRICS_PORT }: Env,
  ) {
    this.measures = METRICS_PORT !== undefined;
    jobs.onLost(() => {
      reportHeld([]);
    });
  }

  @Interval(INTERVAL)
  async measureInBackground(): Promise<void> {
    if (this.measures) {
      await this.jobs.run('measure open participations', () => this.measure());
    }
  }

  async measure(): Promise<void> {
    const found = await this.dataSource.query<Held[]>(HELD);
    reportHeld(found);
    countExpiryLook(found);
  }
}
