import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { StoredId } from '../../platform/database/identifiers';
import { removeExpired } from '../../platform/database/remove-expired';
import { SequencerService } from '../../platform/event/sequencer.service';
import { throwFirst } from '../../platform/scheduling/failures.rules';
import { SharedJobs } from '../../platform/scheduling/shared-jobs.service';
import { reportWaitingApprovals } from './approval.registry';

/** Milliseconds between two polls, and between two removals. */
const POLL_INTERVAL = 10_000;
const REMOVAL_INTERVAL = 3_600_000;

/** Companies whose approvals one poll stores as expired, at most, and approvals that it counts. */
const BATCH = 500;
const COUNTED_MAXIMUM = 10_000;

/** How long an approval is kept after it was decided or has expired. The log keeps its events. */
const KEPT = { table: 'approval', column: 'decided_at', age: '90 days' };

/** Plain reads over all companies, which a cluster sends to every shard. */
const FIND = `
  SELECT DISTINCT company_id FROM approval
  WHERE state = 'pending' AND expires_at <= clock_timestamp() LIMIT ${BATCH}`;

const COUNT = `
  SELECT count(*)::integer AS waiting FROM (
    SELECT 1 FROM approval WHERE state = 'pending' AND expires_at > clock_timestamp()
    LIMIT ${COUNTED_MAXIMUM}
  ) AS pending`;

/**
 * Stores which requests were not approved in time, and forgets old ones. Reads and decisions know
 * it at the moment itself, by the clock of the database.
 */
@Injectable()
export class ApprovalExpiry {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly sequencer: SequencerService,
    private readonly jobs: SharedJobs,
  ) {
    jobs.onLost(() => {
      reportWaitingApprovals(0);
    });
  }

  @Interval(POLL_INTERVAL)
  async lookInBackground(): Promise<void> {
    await this.jobs.run('expire approvals', (stop) => this.look(stop));
  }

  @Interval(REMOVAL_INTERVAL)
  async removeInBackground(): Promise<void> {
    await this.jobs.run('remove old approvals', (stop) => this.remove(stop));
  }

  /** Returns how many old approvals were removed; `stop` ends the work after the current batch. */
  remove(stop?: AbortSignal): Promise<number> {
    return removeExpired(this.dataSource, KEPT, stop);
  }

  /**
   * Stores expired approvals, company by company, and counts those that wait. A failure of one does
   * not hold up the others.
   *
   * @param stop ends the work after the current company
   * @throws Error with the first failure, after every company had its turn
   */
  async look(stop?: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    for (const { company_id } of await this.dataSource.query<{ company_id: StoredId }[]>(FIND)) {
      if (stop?.aborted === true) {
        return;
      }
      try {
        await this.dataSource.query('SELECT expire_approvals($1)', [company_id]);
        this.sequencer.wake(company_id);
      } catch (error) {
        failures.push(error);
      }
    }
    const [{ waiting }] = await this.dataSource.query<[{ waiting: number }]>(COUNT);
    reportWaitingApprovals(waiting);
    throwFirst(failures, 'approvals');
  }
}
