import { Webhook } from 'standardwebhooks';
import type { ClaimedDelivery } from './delivery-queue.service';
import type { Message } from './sender.service';
import { WebhookMessageDto } from './webhook-message.dto';

/**
 * Returns the message about an event, as Standard Webhooks defines it. Its identifier is the
 * event's, so that it is the same in every attempt.
 *
 * @param secrets every secret that signs
 */
export function messageOf(
  { url, event, currency, claimedAt: at }: ClaimedDelivery,
  secrets: readonly string[],
): Message {
  const message = WebhookMessageDto.from(event, currency);
  const { event_id: id } = message.data;
  const body = JSON.stringify(message);
  return {
    url,
    body,
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'Campaign-Service-Webhooks',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': secrets
        .map((secret) => new Webhook(secret).sign(id, at, body))
        .join(' '),
    },
  };
}
