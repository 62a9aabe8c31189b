import { Injectable } from '@nestjs/common';
import { Repository } from 'typeorm';
import { toEntity } from '../../platform/database/rows';
import { statementLimit } from '../../platform/database/statement-limit';
import { TransactionContext } from '../../platform/database/transaction-context';
import { Event } from '../../platform/event/event.entity';
import { eventWithId } from '../../platform/event/event-with-id';
import { refuseArchived, refuseBeyond, Sequence } from '../../platform/event/feed-position.rules';
import { cutPage, Page, readCursor } from '../../platform/protocol/cursor';
import { PAGE_LIMIT_DEFAULT } from '../../platform/validation/page-query.dto';
import { DeliveryListQueryDto, ReplayWebhookDto } from './delivery.dto';
import { oneOfReplays, webhookDisabled } from './webhook.errors';
import { WebhookService } from './webhook.service';
import type { Delivery, DeliveryState } from './webhook.types';
import type { StoredId } from '../../platform/database/identifiers';

/** Deliveries that one replay of failed ones sends again. */
const REPLAY_MAXIMUM = 1_000;

/** Greater than every number of an event. */
const SEQ_BEYOND = '999999999999999999';

/** What a replay has put back into the queue. */
interface Replayed {
  /** `null` if the endpoint reads the log again. */
  deliveries: number | null;
  hasMore: boolean;
}

/** The conditions match partial indexes, all but that of pending deliveries in the list's order. */
const IN_STATE: Readonly<Record<DeliveryState, string>> = {
  pending: 'AND d.due_at IS NOT NULL',
  failed: "AND d.state = 'failed'",
  delivered: "AND d.state = 'delivered'",
};

/** Sorts the pending deliveries, which a queue has few of, instead of reading all of the key. */
const SORTED = 'd.seq + 0';

/**
 * Locks the endpoint before its deliveries, as the dispatcher's functions do. What it reads again
 * is not missed any more.
 */
const MAKE_DUE = `
  UPDATE webhook_endpoint SET due_at = clock.now, claimed_seq = least(claimed_seq, $3::bigint),
    missed_from_seq = CASE WHEN missed_from_seq <= $3 THEN missed_from_seq END,
    missed_to_seq = CASE WHEN missed_from_seq <= $3 THEN least(missed_to_seq, $3) END
  FROM (SELECT clock_timestamp() AS now OFFSET 0) AS clock
  WHERE company_id = $1 AND webhook_id = $2 AND enabled
  RETURNING 1`;

const REPLAY_EVENT = `
  INSERT INTO webhook_delivery AS d (company_id, webhook_id, seq, state, due_at)
  VALUES ($1, $2, $3, 'pending', now())
  ON CONFLICT (company_id, webhook_id, seq) DO UPDATE SET
    state = 'pending', due_at = excluded.due_at, failures = 0, finished_at = NULL
  WHERE d.claimed_at IS NULL
  RETURNING 1`;

const REPLAY_FAILED = `
  UPDATE webhook_delivery SET state = 'pending', due_at = now(), failures = 0, finished_at = NULL
  WHERE company_id = $1 AND webhook_id = $2 AND seq IN (
    SELECT d.seq FROM webhook_delivery AS d
    WHERE d.company_id = $1 AND d.webhook_id = $2 AND d.claimed_at IS NULL
      AND (d.state = 'failed' AND d.finished_at >= $3
        OR d.due_at IS NOT NULL AND d.failures > 0)
    ORDER BY d.seq LIMIT ${REPLAY_MAXIMUM}
  )`;

/** The locked endpoint keeps it as it is: what is archived, every endpoint has read. */
const SEQUENCE = 'SELECT first_seq, last_seq FROM event_sequence WHERE company_id = $1';

/** What clients see of deliveries, and what they can send again. */
@Injectable()
export class DeliveryService {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly webhooks: WebhookService,
  ) {}

  private get events(): Repository<Event> {
    return this.transaction.manager.getRepository(Event);
  }

  /**
   * Returns a page of an endpoint's deliveries, latest event first.
   *
   * @throws ApiError `webhook_not_found`, or `validation_failed` if the cursor was not returned by
   *   this list
   */
  async list(
    companyId: StoredId,
    webhookId: string,
    { status, limit = PAGE_LIMIT_DEFAULT, cursor }: DeliveryListQueryDto,
  ): Promise<Page<Delivery>> {
    const { enabled } = await this.webhooks.findOwned(companyId, webhookId);
    const filters = [webhookId, status];
    const [before = SEQ_BEYOND] = readCursor(cursor, filters, ['number']);
    const rows = await this.events.query<Omit<Delivery, 'event'>[]>(
      // Without what changed, which can be much more than what the list shows. The events are those
      // of the page: the planner would also look for events that have a delivery in this state.
      `SELECT event.company_id, event.subject, event.version, event.type, event.seq,
         event.created_at, page.state, page.attempts, page.due_at AS "dueAt",
         page.claimed_at AS "claimedAt"
       FROM (
         SELECT d.seq, d.state, d.attempts, d.due_at, d.claimed_at FROM webhook_delivery AS d
         WHERE d.company_id = $1 AND d.webhook_id = $2 AND d.seq < $3
           ${status === undefined ? '' : IN_STATE[status]}
         ORDER BY ${status === 'pending' ? SORTED : 'd.seq'} DESC
         LIMIT ${statementLimit(limit) + 1}
       ) AS page
       JOIN event ON event.company_id = $1 AND event.seq = page.seq
       ORDER BY page.seq DESC`,
      [companyId, webhookId, before],
    );
    const found = rows.map((row) => ({
      ...row,
      // A disabled endpoint is attempted again when it is enabled.
      dueAt: enabled ? row.dueAt : null,
      event: toEntity(this.events, { ...row }),
    }));
    return cutPage(found, limit, ({ event }) => [event.seq], filters);
  }

  /**
   * Sends events again.
   *
   * @throws ApiError `validation_failed` unless exactly one field says what to send,
   *   `webhook_not_found`, `webhook_disabled`, `event_not_found`, `feed_position_expired` or
   *   `feed_position_unknown`
   */
  async replay(companyId: StoredId, request: ReplayWebhookDto): Promise<Replayed> {
    const { webhook_id: webhookId, event_id, after_seq, failed_since } = request;
    const given = [event_id, after_seq, failed_since].filter((field) => field !== undefined);
    if (given.length !== 1) {
      throw oneOfReplays();
    }
    return this.transaction.run(async () => {
      const [made] = await this.events.query<[unknown[], number]>(MAKE_DUE, [
        companyId,
        webhookId,
        after_seq ?? SEQ_BEYOND,
      ]);
      if (made.length === 0) {
        await this.webhooks.findOwned(companyId, webhookId);
        throw webhookDisabled();
      }
      if (after_seq !== undefined) {
        const [sequence] = await this.events.query<Sequence[]>(SEQUENCE, [companyId]);
        refuseArchived('after_seq', after_seq, sequence);
        refuseBeyond(Number(sequence?.last_seq ?? 0), { after_seq });
        return { deliveries: null, hasMore: false };
      }
      return event_id === undefined
        ? this.replayFailed(companyId, webhookId, failed_since)
        : this.replayEvent(companyId, webhookId, event_id);
    });
  }

  private async replayFailed(
    companyId: StoredId,
    webhookId: string,
    since: Date | undefined,
  ): Promise<Replayed> {
    const [, deliveries] = await this.events.query<[unknown, number]>(REPLAY_FAILED, [
      companyId,
      webhookId,
      since,
    ]);
    return { deliveries, hasMore: deliveries === REPLAY_MAXIMUM };
  }

  private async replayEvent(companyId: StoredId, webhookId: string, id: string): Promise<Replayed> {
    const event = await eventWithId(this.events, companyId, id);
    const made = await this.events.query<unknown[]>(REPLAY_EVENT, [
      companyId,
      webhookId,
      event.seq,
    ]);
    return { deliveries: made.length, hasMore: false };
  }
}
