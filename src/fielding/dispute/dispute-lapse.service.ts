import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { StoredId } from '../../platform/database/identifiers';
import { SERVICE } from '../../platform/event/event.types';
import { SequencerService } from '../../platform/event/sequencer.service';
import { throwFirst } from '../../platform/scheduling/failures.rules';
import { SharedJobs } from '../../platform/scheduling/shared-jobs.service';
import { reportWaitingDisputes } from './dispute.registry';

/** Milliseconds between two polls. */
const INTERVAL = 10_000;

/** Disputes that one poll stores, and counts, at most. */
const BATCH = 500;
const COUNTED_MAXIMUM = 10_000;

/** Plain reads over all companies, which a cluster sends to every shard. */
const FIND = `
  SELECT company_id, campaign_id, participation_id FROM dispute
  WHERE state = 'open' AND lapses_at <= clock_timestamp()
  ORDER BY lapses_at LIMIT ${BATCH}`;

const COUNT = `
  SELECT count(*)::integer AS waiting FROM (
    SELECT 1 FROM dispute WHERE state = 'open' AND lapses_at > clock_timestamp()
    LIMIT ${COUNTED_MAXIMUM}
  ) AS open`;

/** Whatever is decided, a dispute whose time is over is declined by itself. */
const LAPSE = `SELECT decide_dispute($1, $2, $3, false, NULL, '${SERVICE}')`;

/**
 * Stores which disputes are declined because the platform has not decided them. Lists and decisions
 * know it at the moment itself, by the clock of the database.
 */
@Injectable()
export class DisputeLapse {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly sequencer: SequencerService,
    private readonly jobs: SharedJobs,
  ) {
    jobs.onLost(() => {
      reportWaitingDisputes(0);
    });
  }

  @Interval(INTERVAL)
  async lookInBackground(): Promise<void> {
    await this.jobs.run('decline lapsed disputes', (stop) => this.look(stop));
  }

  /**
   * Stores lapsed disputes, one after the other, and counts those that wait. One that fails does
   * not hold up the others.
   *
   * @param stop ends the work after the current dispute
   * @throws Error with the first failure, after every dispute had its turn
   */
  async look(stop?: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    const found =
      await this.dataSource.query<
        { company_id: StoredId; campaign_id: string; participation_id: StoredId }[]
      >(FIND);
    for (const { company_id, campaign_id, participation_id } of found) {
      if (stop?.aborted === true) {
        return;
      }
      try {
        await this.dataSource.query(LAPSE, [company_id, campaign_id, participation_id]);
        this.sequencer.wake(company_id);
      } catch (error) {
        failures.push(error);
      }
    }
    const [{ waiting }] = await this.dataSource.query<[{ waiting: number }]>(COUNT);
    reportWaitingDisputes(waiting);
    throwFirst(failures, 'disputes');
  }
}
