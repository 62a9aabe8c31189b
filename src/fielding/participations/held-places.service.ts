import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { modeIs } from '../../platform/caller/environment.rules';
import { SharedJobs } from '../../platform/scheduling/shared-jobs.service';
import { countExpiryLook, Held, reportHeld } from './fielding.registry';

/** Milliseconds between two polls. */
const INTERVAL = 10_000;

/** Participations that one look reads at most, those that end first. */
const MAXIMUM = 100_000;

/** A plain read over all companies, which a cluster sends to every shard. */
const HELD = `
  SELECT CASE WHEN ${modeIs('test', 'campaign.company_id')} THEN 'test' ELSE 'live' END AS mode,
    campaign.currency, sum(open.number)::integer AS open, sum(open.held)::float8 AS money,
    extract(epoch FROM min(open.expires_at) - clock_timestamp())::float8 AS left
  FROM (
    SELECT company_id, campaign_id, count(*) AS number, sum(held) AS held,
      min(expires_at) AS expires_at
    FROM (
      SELECT company_id, campaign_id, held, expires_at FROM participation WHERE state = 'open'
      ORDER BY expires_at LIMIT ${MAXIMUM}
    ) AS first GROUP BY 1, 2
  ) AS open
  JOIN campaign ON campaign.company_id = open.company_id AND campaign.id = open.campaign_id
  GROUP BY 1, 2`;

/** Measures the places and the money that open participations hold, if metrics are enabled. */
@Injectable()
export class HeldPlaces {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: SharedJobs,
  ) {
    jobs.onLost(() => {
      reportHeld([]);
    });
  }

  @Interval(INTERVAL)
  async measureInBackground(): Promise<void> {
    await this.jobs.measure('measure open participations', () => this.measure());
  }

  async measure(): Promise<void> {
    const found = await this.dataSource.query<Held[]>(HELD);
    reportHeld(found);
    countExpiryLook(found);
  }
}
