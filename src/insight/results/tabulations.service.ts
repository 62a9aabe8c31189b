import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { StoredId } from '../../platform/database/identifiers';
import { RepeatedFailures } from '../../platform/logging/repeated-failures';
import { BackgroundJobs } from '../../platform/scheduling/background-jobs.service';
import { SharedJobs } from '../../platform/scheduling/shared-jobs.service';

/** Milliseconds between two polls for tabulations that are not complete. */
const LOOK_INTERVAL = 5_000;

/** Those that one poll works on. */
const LOOK_MAXIMUM = 100;

const LOOK = `
  SELECT company_id, campaign_id, number FROM tabulation
  WHERE removed OR filled_seq < after_seq LIMIT ${LOOK_MAXIMUM}`;

const FILL = 'SELECT fill_tabulation($1, $2, $3) AS done';

interface Unfinished {
  company_id: StoredId;
  campaign_id: string;
  number: number;
}

/**
 * Completes the tabulations of campaigns: it fills in what was submitted before one was declared,
 * and removes the cells of those that no longer are. Until then, their tables are counted.
 */
@Injectable()
export class TabulationsService {
  private readonly failures = new RepeatedFailures(
    new Logger(TabulationsService.name),
    'could not complete a tabulation',
  );

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: BackgroundJobs,
    private readonly sharedJobs: SharedJobs,
  ) {}

  @Interval(LOOK_INTERVAL)
  async look(): Promise<void> {
    await this.sharedJobs.run('look for tabulations to complete', async () => {
      const found = await this.dataSource.query<Unfinished[]>(LOOK);
      if (found.length > 0) {
        void this.jobs.run('complete tabulations', (stop) => this.complete(found, stop), null);
      }
    });
  }

  /** Works on each in turn, some responses at a time, so that none waits for all of another. */
  private async complete(found: readonly Unfinished[], stop: AbortSignal): Promise<void> {
    const open = [...found];
    for (let each = open.shift(); each !== undefined && !stop.aborted; each = open.shift()) {
      try {
        const { company_id, campaign_id, number } = each;
        const parameters = [company_id, campaign_id, number];
        const [row] = await this.dataSource.query<[{ done: boolean }]>(FILL, parameters);
        if (!row.done) {
          open.push(each);
        }
      } catch (error) {
        // The next poll finds it again.
        this.failures.add(error);
      }
    }
  }
}
