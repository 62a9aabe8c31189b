import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { reportTransitionLag } from '../campaign/campaign-life.registry';
import { DueCampaignsService } from '../campaign/due-campaigns.service';
import { byCompany } from '../database/by-company';
import { SequencerService } from '../event/sequencer.service';
import { SharedJobs } from '../scheduling/shared-jobs.service';

/**
 * Milliseconds between two looks for campaigns that are due; each reads the first entry of an
 * index.
 */
const LOOK_INTERVAL = 500;

/** Maximum number of campaigns that one look finds. */
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
  ) {}

  @Interval(LOOK_INTERVAL)
  async lookInBackground(): Promise<void> {
    await this.jobs.run('start and end campaigns', (stop) => this.look(stop));
  }

  /**
   * Stores every start and end that has come, one company after the other.
   *
   * @param stop ends the work after the current company
   */
  async look(stop?: AbortSignal): Promise<void> {
    for (;;) {
      const due = await this.dueCampaigns.find(BATCH);
      reportTransitionLag(due[0]?.age ?? 0);
      if (due.length === 0) {
        return;
      }
      for (const [companyId, campaigns] of byCompany(due)) {
        if (stop?.aborted === true) {
          return;
        }
        await this.dueCampaigns.settle(
          companyId,
          campaigns.map(({ id }) => id),
        );
        this.sequencer.wake(companyId);
      }
    }
  }
}
