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
  const asked = error.retryAfterSeconds ?? 0;
  if (!isTransient || asked > MAX_RETRY_AFTER_SECONDS) {
    return undefined;
  }
  // Jitter keeps clients that failed together from retrying together.
  const backoff = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (retry - 1));
  return Math.max(asked * 1000 * (1 + Math.random() / 10), backoff * (0.5 + Math.random() / 2));
}

/** Waits for a time, or until the signal is aborted. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) {
      end();
    }
  });
}

/** Settles like the promise, or rejects with the signal's reason if the signal is aborted first. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason);
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) {
      stop();
    }
    void promise.then(resolve, reject).then(() => signal?.removeEventListener('abort', stop));
  });
}
