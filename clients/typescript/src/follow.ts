import { pause } from './abort.js';
import { CampaignServiceError, ConnectionError } from './errors.js';
import { describe, type Observer } from './observe.js';
import { backoff } from './retry.js';
import type { CallOptions, EventOf, EventType, Query, ResponseData } from './types.js';

/** Keeps the position of a reader, for example in a row of your database. */
export interface CursorStore {
  /** Returns the position that was saved last; `undefined` or `null` before the first. */
  load(): Promise<number | null | undefined> | number | null | undefined;
  save(position: number): Promise<unknown> | unknown;
}

export interface FollowOptions<T extends EventType> extends Pick<CallOptions, 'headers'> {
  /** Only events of these types. */
  types?: readonly T[] | undefined;
  /** Only events about the campaign, API key, webhook or participation with this identifier. */
  subject?: string | undefined;
  /**
   * Only events about the campaign with this `post_id`, the responses to it and the guardrails that
   * fired on it.
   */
  postId?: string | undefined;
  /** Where to begin without a saved position: after the event with this number; 0 by default. */
  after?: number | undefined;
  /** Where to continue after your program restarts. */
  cursor?: CursorStore | undefined;
  /** Ends the iteration. */
  signal?: AbortSignal | undefined;
}

type Read = (
  query: Query<'listEvents'>,
  options: CallOptions,
) => PromiseLike<ResponseData<'listEvents'>>;

/** The longest wait that the service allows. */
const WAIT_SECONDS = 20;

/** Leaves the service time to respond after the wait. */
const TIMEOUT_MS = 60_000;

/** At the most one request without an event per second, if the service does not wait. */
const PAUSE_MS = 1_000;

const MAX_DELAY_MS = 30_000;

/** Reads events without end: see {@link Events.follow}. */
export async function* follow<T extends EventType>(
  read: Read,
  observer: Observer,
  { types, subject, postId, after = 0, cursor, signal, headers }: FollowOptions<T>,
): AsyncGenerator<EventOf<T>, void, undefined> {
  const filters = {
    ...(types && { types: types.join() }),
    ...(subject !== undefined && { subject }),
    ...(postId !== undefined && { post_id: postId }),
  };
  let handled = (await cursor?.load()) ?? after;
  let saved = handled;
  const save = async () => {
    if (handled > saved) {
      await cursor?.save(handled);
      saved = handled;
    }
  };
  try {
    for (let failures = 0; !signal?.aborted;) {
      const askedAt = performance.now();
      let page: ResponseData<'listEvents'>;
      try {
        const query = { ...filters, after: handled, wait_seconds: WAIT_SECONDS };
        page = await read(query, { signal, headers, timeoutMs: TIMEOUT_MS, maxRetries: 0 });
        failures = 0;
      } catch (error) {
        if (signal?.aborted) {
          return;
        }
        if (!isTemporary(error)) {
          throw error;
        }
        failures += 1;
        const delay = backoff(error, failures, MAX_DELAY_MS);
        observer.log('warn', `reading events failed: ${describe(error)}; retry in ${delay} ms`);
        await pause(delay, signal);
        continue;
      }
      for (const event of page.items) {
        yield event as EventOf<T>;
        handled = event.seq;
        if (signal?.aborted) {
          return;
        }
      }
      handled = page.covers.to;
      await save();
      if (page.items.length === 0 && !page.has_more) {
        await pause(Math.max(0, askedAt + PAUSE_MS - performance.now()), signal);
      }
    }
  } finally {
    await save();
  }
}

/** Whether a later attempt may succeed, if the service or a proxy in front of it restarts. */
function isTemporary(error: unknown): error is CampaignServiceError {
  return (
    error instanceof ConnectionError ||
    (error instanceof CampaignServiceError &&
      error.status !== undefined &&
      (error.status === 429 || error.status >= 500))
  );
}
