import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { reportTransitionLag } from '../campaign/campaign-life.registry';
import { DueCampaignsService } from '../campaign/due-campaigns.service';
import { byCompany } from '../../platform/database/by-company';
import { SequencerService } from '../../platform/event/sequencer.service';
import { throwFirst } from '../../platform/scheduling/failures.rules';
import { SharedJobs } from '../../platform/scheduling/shared-jobs.service';
import type { StoredId } from '../../platform/database/identifiers';

/**
 * Milliseconds between two polls for campaigns that are due; each reads the first entry of an
 * index.
 */
const LOOK_INTERVAL = 500;

/** Maximum number of campaigns that one statement finds. */
const BATCH = 500;

/**
 * Starts and ends campaigns at their times, by the database's clock. One process does so; the
 * statement that stores a start or an end decides which of them it was. Nothing depends on how soon
 * it happens: whatever reads a campaign or changes its life takes the clock into account.
 */
@Injectable()
export class CampaignClockService {
  constructor(
    private readonly dueCampaigns: DueCampaignsService,
    private readonly sequencer: SequencerService,
    private readonly jobs: SharedJobs,
  ) {
    jobs.onLost(() => {
      reportTransitionLag(0);
    });
  }

  @Interval(LOOK_INTERVAL)
  async lookInBackground(): Promise<void> {
    await this.jobs.run('start and end campaigns', (stop) => this.look(stop));
  }

  /**
   * Stores every start and end that has come, one company after the other. A company with more than
   * a batch of them gets its next turn after the others. A campaign that fails, or that another
   * transaction has locked, does not hold up the others.
   *
   * @param stop ends the work after the current statement
   * @throws Error with the first failure, after every campaign had its turn
   */
  async look(stop?: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    const left = new Set<string>();
    const hadTurn = new Set<StoredId>();
    let lag = 0;
    for (;;) {
      const due = await this.dueCampaigns.find(BATCH, [...left], [...hadTurn]);
      lag = Math.max(left.size + hadTurn.size > 0 ? lag : 0, due[0]?.age ?? 0);
      reportTransitionLag(lag);
      if (due.length === 0) {
        if (hadTurn.size === 0) {
          break;
        }
        hadTurn.clear();
      }
      for (const [companyId, campaigns] of byCompany(due)) {
        if (stop?.aborted === true) {
          return;
        }
        hadTurn.add(companyId);
        const ids = campaigns.map(({ id }) => id);
        const settled = new Set(await this.settle(companyId, ids, failures, stop));
        ids.filter((id) => !settled.has(id)).forEach((id) => left.add(id));
        this.sequencer.wake(companyId);
      }
    }
    throwFirst(failures, 'campaigns');
  }

  /**
   * Settles campaigns of a company together, or each by itself if one of them fails.
   *
   * @returns those that it settled
   */
  private async settle(
    companyId: StoredId,
    ids: readonly string[],
    failures: unknown[],
    stop?: AbortSignal,
  ): Promise<string[]> {
    try {
      return await this.dueCampaigns.settle(companyId, ids, { waits: false });
    } catch (error) {
      if (ids.length === 1) {
        failures.push(error);
        return [];
      }
      const settled: string[] = [];
      for (const each of ids) {
        if (stop?.aborted === true) {
          break;
        }
        settled.push(...(await this.settle(companyId, [each], failures, stop)));
      }
      return settled;
    }
  }
}
