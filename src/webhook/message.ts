import { Webhook } from 'standardwebhooks';
import type { Event } from '../event/event.entity';
import type { Message } from './sender.service';
import { WebhookMessageDto } from './webhook-message.dto';

/** An event to send, with what its message needs. */
interface Envelope {
  url: string;
  event: Event;
  /** The company's currency. */
  currency: string;
  /** Every secret that signs. */
  secrets: readonly string[];
  /** When the attempt began; receivers refuse messages that are much older. */
  at: Date;
}

/**
 * Returns the message about an event, as Standard Webhooks defines it. Its identifier is the
 * event's, so that it is the same in every attempt.
 */
export function messageOf({ url, event, currency, secrets, at }: Envelope): Message {
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
