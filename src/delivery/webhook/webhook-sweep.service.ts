import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { FIRST_STORED_ID, StoredId } from '../../platform/database/identifiers';
import { countMissedWakeups } from '../../platform/metrics/metrics.registry';
import { throwFirst } from '../../platform/scheduling/failures.rules';
import { SharedJobs } from '../../platform/scheduling/shared-jobs.service';

/** Milliseconds between two sweeps. */
const INTERVAL = 60_000;

/** Companies whose endpoints one statement reads. */
const BATCH = 500;

const COMPANIES = `
  SELECT DISTINCT company_id FROM webhook_endpoint WHERE company_id > $1
  ORDER BY company_id LIMIT ${BATCH}`;

/**
 * Whether an endpoint has events to read and no dispatcher looks at it: nothing is running whose
 * end leads to a look. Or a claim ends later than any lease does, because the clock went back: see
 * `claim_deliveries`.
 */
const isMissed = (now: string) => `
  w.enabled AND s.company_id = w.company_id AND (w.due_at IS NULL OR w.due_at > ${now})
  AND CASE WHEN EXISTS (
    SELECT FROM webhook_delivery AS d
    WHERE d.company_id = w.company_id AND d.webhook_id = w.webhook_id
      AND d.claimed_at IS NOT NULL
  ) THEN EXISTS (
    SELECT FROM webhook_delivery AS d
    WHERE d.company_id = w.company_id AND d.webhook_id = w.webhook_id
      AND d.claimed_at IS NOT NULL AND d.due_at > ${now} + interval '2 minutes'
  ) ELSE s.last_seq > w.claimed_seq END`;

/** Those whose queue is full are among them. */
const MISSED = `
  SELECT w.company_id, w.webhook_id FROM webhook_endpoint AS w, event_sequence AS s
  WHERE w.company_id = ANY ($1) AND ${isMissed('clock_timestamp()')}`;

/**
 * Skips an endpoint that became due in the meantime, and one whose queue of unfinished deliveries
 * is as full as `claim_deliveries` allows.
 */
const WAKE = `
  UPDATE webhook_endpoint AS w SET due_at = clock.now
  FROM event_sequence AS s, (SELECT clock_timestamp() AS now OFFSET 0) AS clock
  WHERE w.company_id = $1 AND w.webhook_id = $2 AND ${isMissed('clock.now')} AND 10000 > (
    SELECT count(*) FROM (
      SELECT d.seq FROM webhook_delivery AS d
      WHERE d.company_id = $1 AND d.webhook_id = $2 AND d.due_at IS NOT NULL
      LIMIT 10000
    ) AS queue
  )`;

/** Looks for endpoints that were not told of an event. */
@Injectable()
export class WebhookSweep {
  private readonly logger = new Logger(WebhookSweep.name);

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: SharedJobs,
  ) {}

  @Interval(INTERVAL)
  async sweep(): Promise<void> {
    await this.jobs.run('look for webhooks that were not told of an event', (stop) =>
      this.wakeMissed(stop),
    );
  }

  /**
   * Makes the endpoints due that should be and are not. There are none unless the statements that
   * number and claim have an error, which the metric then shows.
   *
   * @returns how many it found
   * @throws Error with the first failure, after every company had its turn
   */
  async wakeMissed(stop?: AbortSignal): Promise<number> {
    const failures: unknown[] = [];
    const attempt = <T>(statement: Promise<T>) =>
      statement.catch((error: unknown) => {
        failures.push(error);
        return undefined;
      });
    let count = 0;
    let last: StoredId | undefined = FIRST_STORED_ID;
    while (last !== undefined && stop?.aborted !== true) {
      const rows: { company_id: StoredId }[] = await this.dataSource.query(COMPANIES, [last]);
      const companies = rows.map(({ company_id }) => company_id);
      const missed = await attempt(
        this.dataSource.query<{ company_id: StoredId; webhook_id: string }[]>(MISSED, [companies]),
      );
      for (const { company_id, webhook_id } of missed ?? []) {
        const woken = await attempt(
          this.dataSource.query<[unknown, number]>(WAKE, [company_id, webhook_id]),
        );
        if (woken?.[1] === 1) {
          this.logger.error(`${webhook_id} was not told of an event`);
          count += 1;
        }
      }
      last = companies.at(-1);
    }
    countMissedWakeups(count);
    throwFirst(failures, 'statements');
    return count;
  }
}
