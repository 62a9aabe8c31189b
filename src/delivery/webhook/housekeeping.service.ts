import { Injectable, Logger } from '@nestjs/common';
import { Interval, Timeout } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { removeExpired } from '../../platform/database/remove-expired';
import {
  reportDeliveries,
  reportDueLag,
  reportFailingWebhooks,
} from '../../platform/metrics/metrics.registry';
import { countPromise } from '../../platform/metrics/service-levels.registry';
import { SharedJobs } from '../../platform/scheduling/shared-jobs.service';
import { WebhookSecrets } from './webhook-secrets.service';
import { StoredId, FIRST_STORED_ID } from '../../platform/database/identifiers';

/** Milliseconds from the start to the first run: a process that restarts often also works. */
const FIRST_RUN = 1_000;

/** Milliseconds between two runs. */
const INTERVAL = 600_000;

/** Milliseconds between two measurements of the queue. */
const MEASURE_INTERVAL = 5_000;

/** Endpoints whose secrets one statement reads. */
const BATCH = 100;

/** A finished delivery can be read for this long. */
const FINISHED = { table: 'webhook_delivery', column: 'finished_at', age: '30 days' };

/** Deliveries of enabled endpoints that are begun and not finished. */
const PENDING = `
  SELECT coalesce(sum(queue.length), 0)::integer AS count,
    extract(epoch FROM now() - min(queue.oldest))::float8 AS age
  FROM webhook_endpoint AS w
  CROSS JOIN LATERAL (
    SELECT count(*) AS length, min(d.created_at) AS oldest FROM webhook_delivery AS d
    WHERE d.company_id = w.company_id AND d.webhook_id = w.webhook_id AND d.due_at IS NOT NULL
  ) AS queue
  WHERE w.enabled`;

/** Events that enabled endpoints have not read. */
const WAITING = `
  SELECT coalesce(sum(s.last_seq - w.claimed_seq), 0)::float8 AS count,
    extract(epoch FROM now() - min(e.created_at))::float8 AS age
  FROM webhook_endpoint AS w
  JOIN event_sequence AS s ON s.company_id = w.company_id AND s.last_seq > w.claimed_seq
  JOIN event AS e ON e.company_id = w.company_id AND e.seq = w.claimed_seq + 1
  WHERE w.enabled`;

/** The endpoint that has been due longest. One that is claimed is due later or not at all. */
const DUE_LAG = `
  SELECT extract(epoch FROM clock_timestamp() - min(due_at))::float8 AS age
  FROM webhook_endpoint WHERE due_at <= clock_timestamp()`;

/** Enabled endpoints that have failed for an hour, and those of them that began within a day. */
const FAILING = `
  SELECT count(*)::integer AS failing,
    count(*) FILTER (WHERE failing_since > now() - interval '1 day')::integer AS lately
  FROM webhook_endpoint WHERE enabled AND failing_since < now() - interval '1 hour'`;

/** Seconds within which an endpoint that is due is promised to have its turn. */
const PROMPT = 30;

interface Measured {
  count: number;
  /** Of the oldest, in seconds; `null` if there is none. */
  age: number | null;
}

const SECRETS = `
  SELECT company_id, webhook_id, secret, previous_secret FROM webhook_endpoint
  WHERE (company_id, webhook_id) > ($1, $2) ORDER BY company_id, webhook_id LIMIT ${BATCH}`;

/** Leaves a secret alone that was rotated in the meantime. */
const replaceSecret = (column: 'secret' | 'previous_secret') => `
  UPDATE webhook_endpoint SET ${column} = $4
  WHERE company_id = $1 AND webhook_id = $2 AND ${column} = $3`;

interface StoredSecrets {
  company_id: StoredId;
  webhook_id: string;
  secret: Buffer;
  previous_secret: Buffer | null;
}

/** Removes old deliveries, encrypts secrets with a new key, and measures the queue. */
@Injectable()
export class WebhookHousekeeping {
  private readonly logger = new Logger(WebhookHousekeeping.name);

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly secrets: WebhookSecrets,
    private readonly jobs: SharedJobs,
  ) {
    jobs.onLost(() => {
      reportDeliveries(0, 0, 0);
      reportDueLag(0);
      reportFailingWebhooks(0, 0);
    });
  }

  @Timeout(FIRST_RUN)
  async runSoonAfterStart(): Promise<void> {
    await this.run();
  }

  @Interval(INTERVAL)
  async run(): Promise<void> {
    await this.jobs.run('remove old webhook deliveries', (stop) =>
      removeExpired(this.dataSource, FINISHED, stop),
    );
    if (this.secrets.rotating) {
      await this.jobs.run('encrypt webhook secrets with the new key', (stop) =>
        this.encryptAnew(stop),
      );
    }
  }

  @Interval(MEASURE_INTERVAL)
  async measure(): Promise<void> {
    await this.jobs.measure('measure the queue of webhooks', () => this.report());
  }

  private async report(): Promise<void> {
    // First: it reads endpoints only, and an alert depends on it, even while deliveries are locked.
    const [{ age }] = await this.dataSource.query<[{ age: number | null }]>(DUE_LAG);
    reportDueLag(age ?? 0);
    countPromise('webhooks_prompt', (age ?? 0) <= PROMPT);
    const [{ failing, lately }] =
      await this.dataSource.query<[{ failing: number; lately: number }]>(FAILING);
    reportFailingWebhooks(failing, lately);
    const [pending] = await this.dataSource.query<[Measured]>(PENDING);
    const [waiting] = await this.dataSource.query<[Measured]>(WAITING);
    reportDeliveries(pending.count, waiting.count, Math.max(pending.age ?? 0, waiting.age ?? 0));
  }

  /** Encrypts every secret that is encrypted with the previous key. */
  private async encryptAnew(stop: AbortSignal): Promise<void> {
    let position: [StoredId, string] = [FIRST_STORED_ID, ''];
    let replaced = 0;
    for (;;) {
      const rows = await this.dataSource.query<StoredSecrets[]>(SECRETS, position);
      for (const { company_id, webhook_id, ...sealed } of rows) {
        for (const column of ['secret', 'previous_secret'] as const) {
          const secret = sealed[column];
          const open = secret && this.secrets.open(secret, webhook_id);
          if (open?.outdated === true) {
            const anew = this.secrets.seal(open.text, webhook_id);
            const parameters = [company_id, webhook_id, secret, anew];
            const [, count] = await this.dataSource.query<[unknown, number]>(
              replaceSecret(column),
              parameters,
            );
            replaced += count;
          }
        }
      }
      const last = rows.at(-1);
      if (stop.aborted) {
        return;
      }
      if (last === undefined) {
        break;
      }
      position = [last.company_id, last.webhook_id];
    }
    this.logger.log(
      replaced > 0
        ? `encrypted ${replaced} webhook secrets with the new key`
        : 'no webhook secret of the previous key is left',
    );
  }
}
