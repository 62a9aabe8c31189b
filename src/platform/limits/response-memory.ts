import type { ServerResponse } from 'node:http';
import { MIB } from './body-limit';

/** Maximum number of unsent bytes of responses, in total and for one caller. */
const TOTAL_MAXIMUM = 96 * MIB;
const CALLER_MAXIMUM = 32 * MIB;

/** What one caller has not read yet, oldest first. */
interface Unread {
  bytes: number;
  responses: Map<ServerResponse, number>;
}

/**
 * Limits the memory that responses take until they are sent. When they take too much, the oldest
 * ones of the caller with the most unread bytes are given up. A caller that reads its responses has
 * no old ones.
 */
export class ResponseMemory {
  private total = 0;
  private readonly byCaller = new Map<string, Unread>();
  private readonly callers = new WeakMap<ServerResponse, string>();

  /** @param close closes the connection of a response that is given up */
  constructor(private readonly close: (response: ServerResponse) => void) {}

  /** Counts the bytes of a response until it is released. */
  hold(response: ServerResponse, caller: string, bytes: number): void {
    this.release(response);
    const unread = this.byCaller.get(caller) ?? { bytes: 0, responses: new Map() };
    this.byCaller.set(caller, unread);
    this.callers.set(response, caller);
    unread.responses.set(response, bytes);
    unread.bytes += bytes;
    this.total += bytes;
    while (unread.bytes > CALLER_MAXIMUM) {
      this.giveUpOldest(unread);
    }
    while (this.total > TOTAL_MAXIMUM) {
      this.giveUpOldest(this.largest());
    }
  }

  /** Stops counting a response. */
  release(response: ServerResponse): void {
    const caller = this.callers.get(response);
    const unread = caller === undefined ? undefined : this.byCaller.get(caller);
    const bytes = unread?.responses.get(response);
    if (caller === undefined || unread === undefined || bytes === undefined) {
      return;
    }
    unread.responses.delete(response);
    unread.bytes -= bytes;
    this.total -= bytes;
    if (unread.responses.size === 0) {
      this.byCaller.delete(caller);
    }
  }

  private largest(): Unread {
    return [...this.byCaller.values()].reduce((a, b) => (b.bytes > a.bytes ? b : a));
  }

  private giveUpOldest({ responses }: Unread): void {
    for (const oldest of responses.keys()) {
      this.release(oldest);
      this.close(oldest);
      return;
    }
  }
}
