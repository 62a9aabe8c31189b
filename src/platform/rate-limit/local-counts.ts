import { LRUCache } from 'lru-cache';
import type { Policy, PolicyName } from './policies';

/** Maximum number of clients counted at once, for each policy. */
const MAX_CLIENTS = 20_000;

/** What a client has used of a limit. */
export interface Count {
  used: number;
  /** Milliseconds until the window ends. */
  resetIn: number;
}

interface Window {
  used: number;
  /** On the clock of `performance.now()`, which cannot be set. */
  end: number;
}

/** Counts requests in this process. */
export class LocalCounts {
  private readonly windows: Partial<Record<PolicyName, LRUCache<string, Window>>> = {};

  /** Increments a client's count. */
  count({ name, window }: Policy, client: string): Count {
    const clients = (this.windows[name] ??= new LRUCache({ max: MAX_CLIENTS }));
    const now = performance.now();
    let current = clients.get(client);
    if (current === undefined || current.end <= now) {
      current = { used: 0, end: now + window * 1000 };
      clients.set(client, current);
    }
    current.used += 1;
    return { used: current.used, resetIn: current.end - now };
  }
}
