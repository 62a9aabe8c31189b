import { LRUCache } from 'lru-cache';

/**
 * Milliseconds for which a read holds after it began. A change by another process takes effect
 * within this time.
 */
export const TIME_TO_LIVE = 900;

const MAXIMUM = 10_000;

/**
 * Remembers what was read a moment ago. Code that changes what is stored clears it in its own
 * process.
 */
export class RecentReads<Key extends object | string, Value extends object | boolean> {
  private readonly values = new LRUCache<Key, Value>({ max: MAXIMUM, ttl: TIME_TO_LIVE });
  /** Incremented each time it is cleared, so that no read that began earlier is remembered. */
  private generation = 0;

  /** Returns what was read for the key, or else what `read` returns; `null` is not remembered. */
  async get<Read extends Value | null>(key: Key, read: () => Promise<Read>): Promise<Value | Read> {
    const known = this.values.get(key);
    if (known !== undefined) {
      return known;
    }
    const { generation } = this;
    const start = performance.now();
    const value = await read();
    if (value !== null && this.generation === generation) {
      this.values.set(key, value, { start });
    }
    return value;
  }

  /** Forgets every read, because something has changed. */
  clear(): void {
    this.generation += 1;
    this.values.clear();
  }
}
