import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { StoredId } from '../../platform/database/identifiers';
import { SequencerService } from '../../platform/event/sequencer.service';
import { BackgroundJobs } from '../../platform/scheduling/background-jobs.service';
import { Lanes } from '../../platform/scheduling/lanes.service';
import { SharedJobs } from '../../platform/scheduling/shared-jobs.service';
import { AllotmentTurns, IS_DUE } from './allotment-turns';

/** Milliseconds between two polls for what nobody has looked at. */
const LOOK_INTERVAL = 400;

/** Companies that one poll finds, and that have a turn at once. */
const COMPANIES = 500;
const LANES = 2;

/** A plain read over all companies, which a cluster sends to every shard. */
const LOOK = `
  SELECT company_id FROM allotment_due WHERE ${IS_DUE}
  GROUP BY company_id ORDER BY min(due_at) LIMIT ${COMPANIES}`;

/**
 * Tops up the allotments of campaigns that pay with a balance, and takes back what they do not
 * need. A process looks at once where its own respondents have made one low, and one process looks
 * for the rest. Companies take turns.
 */
@Injectable()
export class AllotmentsService {
  private readonly turns: AllotmentTurns;
  private readonly lanes: Lanes;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly shared: SharedJobs,
    private readonly sequencer: SequencerService,
    jobs: BackgroundJobs,
  ) {
    this.turns = new AllotmentTurns(dataSource);
    this.lanes = new Lanes(jobs, 'allot money to campaigns', LANES, (companyId) =>
      this.turn(companyId),
    );
  }

  /** Lets a company have a turn soon. */
  wake(companyId: StoredId): void {
    this.lanes.add([companyId]);
  }

  @Interval(LOOK_INTERVAL)
  async lookInBackground(): Promise<void> {
    await this.shared.run('look for allotments', () => this.look());
  }

  async look(): Promise<void> {
    const found = await this.dataSource.query<{ company_id: StoredId }[]>(LOOK);
    this.lanes.add(found.map(({ company_id }) => company_id));
  }

  private async turn(companyId: StoredId): Promise<boolean> {
    try {
      return await this.turns.take(companyId);
    } finally {
      this.sequencer.wake(companyId);
    }
  }
}
