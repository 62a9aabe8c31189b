import { type CampaignServiceError, ConnectionError } from './errors.js';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;

/** If the service asks for a longer wait than this, the error is thrown at once. */
const MAX_RETRY_AFTER_SECONDS = 60;

/** Statuses of transient failures, including a gateway's 502 and 504. */
const TRANSIENT = [429, 502, 503, 504];

/**
 * Milliseconds to wait before retrying a request, or undefined if a retry would not help.
 *
 * @param retry 1 for the first retry
 */
export function retryDelay(error: CampaignServiceError, retry: number): number | undefined {
  const isTransient =
    error instanceof ConnectionError ||
    error.code === 'idempotency_in_progress' ||
    TRANSIENT.includes(error.status ?? 0);
  const isSoon = (error.retryAfterSeconds ?? 0) <= MAX_RETRY_AFTER_SECONDS;
  return isTransient && isSoon ? backoff(error, retry, MAX_DELAY_MS) : undefined;
}

/**
 * Milliseconds to wait: twice as long for each retry up to a maximum, and at least as long as the
 * service asks for.
 */
export function backoff(error: CampaignServiceError, retry: number, maximum: number): number {
  const asked = (error.retryAfterSeconds ?? 0) * 1000;
  // Jitter keeps clients that failed together from retrying together.
  const delay = Math.min(maximum, FIRST_DELAY_MS * 2 ** (retry - 1));
  const jittered = Math.max(asked * (1 + Math.random() / 10), delay * (0.5 + Math.random() / 2));
  return Math.round(jittered);
}
