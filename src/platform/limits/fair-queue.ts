interface Caller {
  running: number;
  /** What starts each waiting piece of work, in the order of arrival. */
  waiting: Set<() => void>;
}

/** How many pieces of work run at once. */
export interface Capacity {
  /** Of one caller. */
  ofOne: (name: string) => number;
  /** Of all callers together; unlimited by default. */
  ofAll?: number;
}

/**
 * Limits how much work runs at once. Callers take turns: whoever waits is next after one piece of
 * work of each other caller, however many those let wait.
 */
export class FairQueue {
  private readonly callers = new Map<string, Caller>();
  /** How many run. */
  running = 0;
  /** How many pieces of work wait. */
  waiting = 0;

  constructor(private readonly capacity: Capacity) {}

  /** How many pieces of a caller's work wait. */
  waitingOf(name: string): number {
    return this.callers.get(name)?.waiting.size ?? 0;
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
    if (caller.waiting.size === 0 && this.mayStart(name, caller)) {
      begin();
      return () => false;
    }
    caller.waiting.add(begin);
    this.waiting += 1;
    return () => {
      const waited = caller.waiting.delete(begin);
      if (waited) {
        this.waiting -= 1;
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

  private mayStart(name: string, { running }: Caller): boolean {
    const { ofOne, ofAll = Infinity } = this.capacity;
    return this.running < ofAll && running < ofOne(name);
  }

  private forget(name: string, { running, waiting }: Caller): void {
    if (running === 0 && waiting.size === 0) {
      this.callers.delete(name);
    }
  }

  private next(): void {
    if (this.waiting === 0) {
      return;
    }
    for (const [name, caller] of this.callers) {
      const [begin] = caller.waiting;
      if (begin !== undefined && this.mayStart(name, caller)) {
        caller.waiting.delete(begin);
        this.waiting -= 1;
        // Behind the others.
        this.callers.delete(name);
        this.callers.set(name, caller);
        begin();
      }
    }
  }
}
