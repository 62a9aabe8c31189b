import { clientGone, serviceUnavailable } from './api-error';

/** Lets each caller continue in its own turn of the event loop, with other work in between. */
export class Turns {
  private readonly waiting: (() => void)[] = [];

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
    this.waiting.shift()?.();
    if (this.waiting.length > 0) {
      setImmediate(this.give);
    }
  };
}

/** Turns for work that ends when its client has gone, or the service stops. */
export class InterruptibleTurns {
  private readonly turns = new Turns();
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
    await this.turns.next();
    if (gone.aborted) {
      throw clientGone();
    }
    if (this.stopped) {
      throw serviceUnavailable(this.message);
    }
  }
}
