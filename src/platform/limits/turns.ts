import { clientGone, serviceUnavailable } from '../protocol/api-error';

/** Milliseconds of work on items in one turn. */
const TURN = 2;

/** Milliseconds for which a turn waits at most while short requests are in progress. */
const PATIENCE = 10;

/** Yields to the event loop between callers, so that other work runs in between. */
export class Turns {
  private readonly waiting: (() => void)[] = [];
  private given = 0;

  /** Whether short requests are in progress, for which the next turn waits a little. */
  isBusy = (): boolean => false;

  /** Resolves when it is the caller's turn. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (this.waiting.length === 1) {
        setImmediate(this.give);
      }
    });
  }

  private readonly give = (): void => {
    const now = performance.now();
    if (now - this.given < PATIENCE && this.isBusy()) {
      setTimeout(this.give, 1);
      return;
    }
    this.given = now;
    this.waiting.shift()?.();
    if (this.waiting.length > 0) {
      setImmediate(this.give);
    }
  };
}

/** The turns of this process: however much work goes on, others have theirs after each portion. */
export const turns = new Turns();

/** Works on items in portions of a few milliseconds, each in a turn of its own. */
export async function inTurns<T>(
  items: Iterable<T>,
  work: (item: T) => void,
  next = () => turns.next(),
): Promise<void> {
  let end = -Infinity;
  for (const item of items) {
    if (performance.now() > end) {
      await next();
      end = performance.now() + TURN;
    }
    work(item);
  }
}

/** Runs pieces of work one after the other, in the order in which they were given. */
export class OneByOne {
  private last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }
}

/** Turns for work that ends when its client has gone, or the service stops. */
export class InterruptibleTurns {
  private stopped = false;

  /** @param message of the refusal when the service stops */
  constructor(private readonly message: string) {}

  /** Interrupts all work at its next turn. */
  stop(): void {
    this.stopped = true;
  }

  /**
   * Waits for the next turn.
   *
   * @throws ApiError `request_timeout` if the client has gone, `service_unavailable` if the service
   *   stops
   */
  async next(gone: AbortSignal): Promise<void> {
    await turns.next();
    if (gone.aborted) {
      throw clientGone();
    }
    if (this.stopped) {
      throw serviceUnavailable(this.message);
    }
  }

  /**
   * Works on items in turns of a few milliseconds. Items that are computed when they are asked for
   * are computed in these turns.
   *
   * @throws ApiError as `next` does
   */
  async forEach<T>(items: Iterable<T>, gone: AbortSignal, work: (item: T) => void): Promise<void> {
    await inTurns(items, work, () => this.next(gone));
  }

  /**
   * Collects items that are computed when they are asked for, in turns of a few milliseconds.
   *
   * @throws ApiError as `next` does
   */
  async collect<T>(items: Iterable<T>, gone: AbortSignal): Promise<T[]> {
    const collected: T[] = [];
    await this.forEach(items, gone, (item) => {
      collected.push(item);
    });
    return collected;
  }
}
