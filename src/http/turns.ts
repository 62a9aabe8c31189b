/**
 * Queues callers so that each continues in its own turn of the event loop, with other work in
 * between.
 */
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
