import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { FIRST_STORED_ID, StoredId } from '../database/identifiers';
import { OneByOne } from '../http/turns';
import { BackgroundJobs } from '../scheduling/background-jobs.service';
import { throwFirst } from '../scheduling/failures.rules';
import { SharedJobs } from '../scheduling/shared-jobs.service';

/** Milliseconds between two looks for what a process that was killed has left. */
const LOOK_INTERVAL = 60_000;

/** Deleted endpoints that one statement reads. */
const BATCH = 100;

/** Deliveries that one statement removes, well within its time limit. */
const PART = 20_000;

const DELETED = `
  SELECT company_id, webhook_id FROM deleted_webhook
  WHERE (company_id, webhook_id) > ($1, $2) ORDER BY company_id, webhook_id LIMIT ${BATCH}`;

/** A part starts after the previous one, or the scan would step over the entries just deleted. */
const END_OF_PART = `
  SELECT max(part.seq) AS "end" FROM (
    SELECT d.seq FROM webhook_delivery AS d
    WHERE d.company_id = $1 AND d.webhook_id = $2 AND d.seq > $3
    ORDER BY d.seq LIMIT ${PART}
  ) AS part`;

const REMOVE_PART = `
  DELETE FROM webhook_delivery
  WHERE company_id = $1 AND webhook_id = $2 AND seq > $3 AND seq <= $4`;

const FORGET = 'DELETE FROM deleted_webhook WHERE company_id = $1 AND webhook_id = $2';

/**
 * Removes the deliveries of deleted endpoints, in parts. None is added meanwhile: whoever writes
 * deliveries locks their endpoint first.
 */
@Injectable()
export class DeletedWebhooks {
  private readonly removals = new OneByOne();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: BackgroundJobs,
    private readonly sharedJobs: SharedJobs,
  ) {}

  /** Removes the deliveries of an endpoint that this process has deleted, after those of others. */
  removeSoon(companyId: StoredId, webhookId: string): void {
    void this.removals.run(() =>
      this.jobs.run('remove the deliveries of a deleted webhook', (stop) =>
        this.remove(companyId, webhookId, stop),
      ),
    );
  }

  @Interval(LOOK_INTERVAL)
  async lookInBackground(): Promise<void> {
    await this.sharedJobs.run('look for deleted webhooks', (stop) => this.look(stop));
  }

  /**
   * Removes the deliveries of every deleted endpoint. One that fails does not hold up the others.
   *
   * @param stop ends the work after the current statement
   * @throws Error with the first failure, after every endpoint had its turn
   */
  async look(stop?: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    let position: [StoredId, string] | undefined = [FIRST_STORED_ID, ''];
    while (position !== undefined && stop?.aborted !== true) {
      const rows: { company_id: StoredId; webhook_id: string }[] = await this.dataSource.query(
        DELETED,
        position,
      );
      position = undefined;
      for (const { company_id, webhook_id } of rows) {
        position = [company_id, webhook_id];
        try {
          await this.remove(company_id, webhook_id, stop);
        } catch (error) {
          failures.push(error);
        }
      }
    }
    throwFirst(failures, 'webhooks');
  }

  private async remove(companyId: StoredId, webhookId: string, stop?: AbortSignal): Promise<void> {
    for (let last = '0'; stop?.aborted !== true;) {
      const [{ end }] = await this.dataSource.query<[{ end: string | null }]>(END_OF_PART, [
        companyId,
        webhookId,
        last,
      ]);
      if (end === null) {
        await this.dataSource.query(FORGET, [companyId, webhookId]);
        return;
      }
      await this.dataSource.query(REMOVE_PART, [companyId, webhookId, last, end]);
      last = end;
    }
  }
}
