import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { StoredId } from '../../platform/database/identifiers';
import { RepeatedFailures } from '../../platform/logging/repeated-failures';
import { BackgroundJobs } from '../../platform/scheduling/background-jobs.service';
import type { RefusalReason } from './targeting.types';

/** Milliseconds between two flushes. */
const FLUSH_INTERVAL = 1_000;

const ADD = 'SELECT add_refused_begins($1, $2, $3, $4, $5)';

/** How many times a rule has refused a respondent since the last flush. */
interface Refused {
  companyId: StoredId;
  campaignId: string;
  reason: RefusalReason;
  rule: string;
  number: number;
}

/**
 * Counts whom rules refuse, and writes the counts periodically: a refusal changes nothing else, and
 * a row that each of them changes would make them wait for each other. A process that is killed
 * loses what it has counted since the last flush.
 */
@Injectable()
export class RefusedBegins implements OnApplicationShutdown {
  private readonly logger = new Logger(RefusedBegins.name);
  private readonly failures = new RepeatedFailures(this.logger, 'refused begins were not written');
  private counted = new Map<string, Refused>();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: BackgroundJobs,
  ) {}

  @Interval(FLUSH_INTERVAL)
  async flushInBackground(): Promise<void> {
    if (this.counted.size > 0) {
      await this.jobs.run('write how often rules have refused', () => this.flush());
    }
  }

  // Runs after the response to the last request and before the connections are closed.
  async onApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  /** Counts a refusal. */
  count(companyId: StoredId, campaignId: string, reason: RefusalReason, rule: string): void {
    this.add({ companyId, campaignId, reason, rule, number: 1 });
  }

  /** Writes what was counted since the last flush. If that fails, keeps it for the next one. */
  async flush(): Promise<void> {
    // In one order, so that no process waits for a row of another that waits for one of its own.
    const counted = [...this.counted].toSorted(([a], [b]) => (a < b ? -1 : 1));
    this.counted = new Map();
    const byCompany = new Map<StoredId, Refused[]>();
    for (const [, each] of counted) {
      byCompany.set(each.companyId, [...(byCompany.get(each.companyId) ?? []), each]);
    }
    for (const [companyId, refused] of byCompany) {
      try {
        await this.dataSource.query(ADD, [
          companyId,
          refused.map(({ campaignId }) => campaignId),
          refused.map(({ reason }) => reason),
          refused.map(({ rule }) => rule),
          refused.map(({ number }) => number),
        ]);
      } catch (error) {
        this.failures.add(error);
        refused.forEach((each) => {
          this.add(each);
        });
      }
    }
  }

  private add(refused: Refused): void {
    const { companyId, campaignId, reason, rule, number } = refused;
    const key = JSON.stringify([companyId, campaignId, reason, rule]);
    const before = this.counted.get(key)?.number ?? 0;
    this.counted.set(key, { ...refused, number: before + number });
  }
}
