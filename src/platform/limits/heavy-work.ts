import { Injectable } from '@nestjs/common';

/** Maximum number of pieces of heavy work that run at once: of one caller, and of all. */
const AT_ONCE = 2;
const AT_ONCE_IN_ALL = 4;

/** Maximum number that one caller lets wait. */
const WAITING = 20;

interface Caller {
  running: number;
  /** What starts each waiting piece of work, in the order of arrival. */
  waiting: Set<() => void>;
}

/**
 * Limits how much heavy work the process does at once. Callers take turns: whoever waits is next
 * after one piece of work of each other caller, however many those let wait.
 */
@Injectable()
export class HeavyWork {
  private readonly callers = new Map<string, Caller>();
  private running = 0;

  /** Whether a caller has as many waiting as it may. */
  isFull(name: string): boolean {
    return (this.callers.get(name)?.waiting.size ?? 0) >= WAITING;
  }

  /**
   * Starts work when it is its turn, perhaps at once.
   *
   * @param start receives a function to call when the work has ended
   * @returns a function that takes the work out of the queue; it returns whether it was there
   */
  enter(name: string, start: (end: () => void) => void): () => boolean {
    const caller = this.callers.get(name) ?? { running: 0, waiting: new Set() };
    this.callers.set(name, caller);
    const begin = () => {
      caller.running += 1;
      this.running += 1;
      let ended = false;
      start(() => {
        if (!ended) {
          ended = true;
          caller.running -= 1;
          this.running -= 1;
          this.next();
          this.forget(name, caller);
        }
      });
    };
    caller.waiting.add(begin);
    this.next();
    return () => {
      const waited = caller.waiting.delete(begin);
      if (waited) {
        this.forget(name, caller);
      }
      return waited;
    };
  }

  /** Does a piece of work when it is its turn. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const end = await new Promise<() => void>((resolve) => {
      this.enter(name, resolve);
    });
    try {
      return await work();
    } finally {
      end();
    }
  }

  private forget(name: string, { running, waiting }: Caller): void {
    if (running === 0 && waiting.size === 0) {
      this.callers.delete(name);
    }
  }

  private next(): void {
    for (const [name, caller] of this.callers) {
      if (this.running >= AT_ONCE_IN_ALL) {
        return;
      }
      const [begin] = caller.waiting;
      if (begin !== undefined && caller.running < AT_ONCE) {
        caller.waiting.delete(begin);
        // Behind the others.
        this.callers.delete(name);
        this.callers.set(name, caller);
        begin();
      }
    }
  }
}
