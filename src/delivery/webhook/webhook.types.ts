import type { Event } from '../../platform/event/event.entity';
import { EVENT_TYPES, EventType } from '../../platform/event/event.types';

/** The event that a test of an endpoint makes. Only the tested endpoint receives it. */
const TESTED: EventType = 'webhook.tested';

/** The events that an endpoint can choose. */
export const DELIVERED_TYPES = EVENT_TYPES.filter((type) => type !== TESTED);

/** Why an endpoint receives nothing. */
export const DISABLED_REASONS = ['owner', 'gone', 'failing'] as const;

export type DisabledReason = (typeof DISABLED_REASONS)[number];

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Why an attempt failed. Each meaning completes the sentence "The attempt failed because". */
export const DELIVERY_ERRORS = {
  address_not_allowed:
    'the address is not public, or its scheme, port or credentials are not allowed; no connection was made',
  dns_failed: 'the name of the host has no address, or the lookup failed',
  connection_failed: 'no connection could be made',
  tls_failed: 'the TLS handshake failed, for example because of an invalid certificate',
  timeout: 'there was no response in time',
  invalid_response: 'the connection ended before a response, or the response was not valid HTTP',
  redirect: 'the response was a redirect; redirects are not followed',
  gone: 'the response was 410; the endpoint is disabled',
  status: 'the response had a status other than 2xx',
  interrupted:
    'the service stopped, or the URL or `enabled` was set, in the meantime; the attempt is repeated and not counted',
  secret_unreadable: "the service could not decrypt the endpoint's secret; rotate the secret",
} as const satisfies Record<string, string>;

export type DeliveryError = keyof typeof DELIVERY_ERRORS;

/** An attempt to deliver an event. */
export interface Attempt {
  /** When it began, as PostgreSQL writes a time in JSON. */
  at: string;
  /** The status of the response; `null` without one. */
  status: number | null;
  /** `null` if the attempt was interrupted. */
  duration_ms: number | null;
  /** `null` for a success. */
  error: DeliveryError | null;
}

/** The delivery of an event to an endpoint. It exists from the first attempt on. */
export interface Delivery {
  event: Omit<Event, 'actor' | 'changes'>;
  state: DeliveryState;
  /** The next attempt, or the end of the lease of the running one; `null` once it is finished. */
  dueAt: Date | null;
  /** The start of the running attempt; `null` if none is running. */
  claimedAt: Date | null;
  /** The last attempts, oldest first. */
  attempts: Attempt[];
}
