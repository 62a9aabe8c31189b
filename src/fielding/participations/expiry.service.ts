import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { SequencerService } from '../../platform/event/sequencer.service';
import { throwFirst } from '../../platform/scheduling/failures.rules';
import { SharedJobs } from '../../platform/scheduling/shared-jobs.service';
import { countParticipations } from './fielding.registry';
import type { StoredId } from '../../platform/database/identifiers';

/** Milliseconds between two polls; each reads the first entry of an index. */
const LOOK_INTERVAL = 500;

/** Maximum number of campaigns that one poll returns. */
const BATCH = 500;

/** Milliseconds that one campaign, locked by another transaction, keeps the others waiting. */
const PATIENCE = 250;

/** A plain read over all companies, which take turns; a cluster sends it to every shard. */
const FIND = `
  SELECT company_id, campaign_id FROM (
    SELECT company_id, campaign_id FROM participation
    WHERE state = 'open' AND expires_at <= clock_timestamp() AND campaign_id <> ALL ($1)
    ORDER BY expires_at LIMIT ${BATCH}
  ) AS expired
  GROUP BY company_id, campaign_id ORDER BY row_number() OVER (PARTITION BY company_id)`;

const EXPIRE = `SELECT expire_participations($1, $2, ${PATIENCE}) AS expired`;

/**
 * Releases the place and the money of each participation whose time is over by the clock of the
 * database. One process looks for them; `expire_participations` lets each expire only once.
 */
@Injectable()
export class ExpiryService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly sequencer: SequencerService,
    private readonly jobs: SharedJobs,
  ) {}

  @Interval(LOOK_INTERVAL)
  async lookInBackground(): Promise<void> {
    await this.jobs.run('expire participations', (stop) => this.look(stop));
  }

  /**
   * Expires what is over its time, one campaign after the other. One that fails does not hold up
   * the others.
   *
   * @param stop ends the work after the current campaign
   * @throws Error with the first failure, after every campaign had its turn
   */
  async look(stop?: AbortSignal): Promise<void> {
    const failures = new Map<string, unknown>();
    for (;;) {
      const found = await this.dataSource.query<{ company_id: StoredId; campaign_id: string }[]>(
        FIND,
        [[...failures.keys()]],
      );
      const failedBefore = failures.size;
      let expired = 0;
      for (const { company_id, campaign_id } of found) {
        if (stop?.aborted === true) {
          return;
        }
        try {
          expired += await this.expire(company_id, campaign_id);
        } catch (error) {
          failures.set(campaign_id, error);
        }
      }
      // What another transaction has locked is left to it.
      if (expired === 0 && failures.size === failedBefore) {
        break;
      }
    }
    throwFirst([...failures.values()], 'campaigns');
  }

  private async expire(companyId: StoredId, campaignId: string): Promise<number> {
    const [{ expired }] = await this.dataSource.query<[{ expired: number }]>(EXPIRE, [
      companyId,
      campaignId,
    ]);
    countParticipations('expired', companyId, expired);
    this.sequencer.wake(companyId);
    return expired;
  }
}
