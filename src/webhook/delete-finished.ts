import type { Repository } from 'typeorm';
import type { StoredId } from '../database/identifiers';
import type { WebhookEndpoint } from './webhook-endpoint.entity';

/** Deliveries that one statement removes, well within its time limit. */
const PART = 20_000;

/** Removes the oldest finished deliveries of an endpoint. */
const DELETE = `
  DELETE FROM webhook_delivery
  WHERE company_id = $1 AND webhook_id = $2 AND finished_at IS NOT NULL AND seq <= (
    SELECT max(oldest.seq) FROM (
      SELECT d.seq FROM webhook_delivery AS d
      WHERE d.company_id = $1 AND d.webhook_id = $2 AND d.finished_at IS NOT NULL
      ORDER BY d.seq LIMIT ${PART}
    ) AS oldest
  )`;

/** Without a new version: an endpoint that is being deleted has no further history. */
const DISABLE = `
  UPDATE webhook_endpoint SET enabled = false, disabled_reason = 'owner', due_at = NULL
  WHERE company_id = $1 AND webhook_id = $2 AND enabled`;

/**
 * Removes the finished deliveries of an endpoint, in parts, before its row goes with all that are
 * left. Nobody numbers events of the company while that row is locked. An endpoint with several
 * parts is disabled after the first, so that it receives nothing while the others are removed.
 */
export async function deleteFinished(
  webhooks: Repository<WebhookEndpoint>,
  companyId: StoredId,
  webhookId: string,
): Promise<void> {
  for (let removed = PART; removed === PART;) {
    [, removed] = await webhooks.query<[unknown, number]>(DELETE, [companyId, webhookId]);
    if (removed === PART) {
      await webhooks.query(DISABLE, [companyId, webhookId]);
    }
  }
}
