import { EventType, EVENT_TYPES } from '../../platform/event/event.types';
import { eventId } from '../../platform/event/event-id.rules';
import { PageOf } from '../../platform/openapi/page-of';
import {
  ResponseEnum,
  ResponseFlag,
  ResponseId,
  ResponseInteger,
  ResponseList,
  ResponseSequence,
  ResponseTime,
} from '../../platform/openapi/response-fields';
import { RefineSchema } from '../../platform/openapi/schema-refinements';
import { OneOf } from '../../platform/validation/fields/choice.fields';
import { WholeNumber } from '../../platform/validation/fields/number.fields';
import { ID_MAX_LENGTH, Text } from '../../platform/validation/fields/text.fields';
import { Timestamp } from '../../platform/validation/fields/timestamp.field';
import { PageQueryDto } from '../../platform/validation/page-query.dto';
import { EXAMPLE_EVENT_ID } from '../feed/feed.dto';
import { EXAMPLE_WEBHOOK_ID, WebhookPathDto } from './webhook.dto';
import {
  Attempt,
  Delivery,
  DELIVERY_ERRORS,
  DELIVERY_STATES,
  DeliveryError,
  DeliveryState,
} from './webhook.types';

/** A delivery remembers this many attempts. */
const ATTEMPTS_MAXIMUM = 20;

/** Which deliveries to read. */
export class DeliveryListQueryDto extends PageQueryDto {
  /** Only deliveries in this state. */
  @OneOf(DELIVERY_STATES, 'WebhookDeliveryStatus', { optional: true })
  status?: DeliveryState;
}

/** One try to send an event. */
export class DeliveryAttemptDto {
  /** When it began. */
  @ResponseTime()
  at!: Date;

  /** The HTTP status of the response; `null` without a response. */
  @ResponseInteger({ minimum: 100, maximum: 999 })
  status!: number | null;

  /** In milliseconds; `null` if the attempt was interrupted. */
  @ResponseInteger()
  duration_ms!: number | null;

  /** Why it failed; `null` if it succeeded. */
  @ResponseEnum(Object.keys(DELIVERY_ERRORS), 'WebhookAttemptError', { nullable: true })
  error!: DeliveryError | null;

  static from({ at, status, duration_ms, error }: Attempt): DeliveryAttemptDto {
    return { at: new Date(at), status, duration_ms, error };
  }
}

/** The delivery of an event to a webhook, from its first attempt on. */
export class DeliveryDto {
  /** The event, and the `webhook-id` of its messages. */
  @ResponseId('evt')
  event_id!: string;

  @ResponseSequence()
  seq!: number;

  @ResponseEnum(EVENT_TYPES, 'EventType')
  type!: EventType;

  @ResponseEnum(DELIVERY_STATES, 'WebhookDeliveryStatus')
  status!: DeliveryState;

  /** When it is attempted next; `null` if it is finished or being attempted, or the webhook is disabled. */
  @ResponseTime()
  next_attempt_at!: Date | null;

  /** The last attempts, oldest first. */
  @ResponseList(() => DeliveryAttemptDto, { maximum: ATTEMPTS_MAXIMUM })
  attempts!: DeliveryAttemptDto[];

  static from({ event, state, dueAt, claimedAt, attempts }: Delivery): DeliveryDto {
    return {
      event_id: eventId(event),
      seq: Number(event.seq),
      type: event.type,
      status: state,
      next_attempt_at: claimedAt === null ? dueAt : null,
      attempts: attempts.map((attempt) => DeliveryAttemptDto.from(attempt)),
    };
  }
}

export class DeliveryPageDto extends PageOf(() => DeliveryDto, { order: 'Latest event first.' }) {}

/** Requests for a replay; each has exactly one field besides the webhook. */
export const REPLAY_EXAMPLES = {
  'failed deliveries': {
    value: { webhook_id: EXAMPLE_WEBHOOK_ID, failed_since: '2026-01-15T09:30:00Z' },
  },
  'everything after an event': { value: { webhook_id: EXAMPLE_WEBHOOK_ID, after_seq: 12 } },
};

// The webhook and exactly one further field.
@RefineSchema((schema) => ({ ...schema, minProperties: 2, maxProperties: 2 }))
export class ReplayWebhookDto extends WebhookPathDto {
  /** One event, whether or not the webhook has its type. */
  @Text({ maximum: ID_MAX_LENGTH, optional: true, example: EXAMPLE_EVENT_ID })
  event_id?: string;

  /** Every event of the webhook's types with a greater `seq`. */
  @WholeNumber({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, optional: true, example: 0 })
  after_seq?: number;

  /** Deliveries that failed since then, and those that wait for another attempt. */
  @Timestamp({ roundUp: true, optional: true, example: '2026-01-15T09:30:00Z' })
  failed_since?: Date;
}

export class WebhookReplayDto {
  @ResponseId('whk')
  webhook_id!: string;

  /** How many deliveries are sent again; `null` for `after_seq`, which reads the log as it sends. */
  @ResponseInteger()
  deliveries!: number | null;

  /** Whether there are further failed deliveries: send the request again. */
  @ResponseFlag()
  has_more!: boolean;
}
