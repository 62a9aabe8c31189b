import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { ApiKey } from './api-key.entity';

/** Milliseconds a key is taken as it was last read. */
const TIME_TO_LIVE = 5_000;

const MAX_KEYS = 10_000;

/**
 * Keys that were read lately, by the hash of their secret. Whoever changes a key has the cache
 * cleared; while changes made elsewhere may go unheard, nothing is cached.
 */
@Injectable()
export class KeyCache {
  private readonly keys = new LRUCache<string, ApiKey>({ max: MAX_KEYS, ttl: TIME_TO_LIVE });
  /** Until when every change is heard of, on the clock of `performance.now()`. */
  private trustedUntil = Infinity;
  /** Counts the clearings, so that a read which began before one is not kept after it. */
  private generation = 0;

  /** The key with this hash, from the cache or by reading it. */
  async get(hash: string, read: () => Promise<ApiKey | null>): Promise<ApiKey | null> {
    const cached = this.isTrusted ? this.keys.get(hash) : undefined;
    if (cached !== undefined) {
      return cached;
    }
    const { generation } = this;
    const key = await read();
    if (key !== null && this.isTrusted && this.generation === generation) {
      this.keys.set(hash, key);
    }
    return key;
  }

  /** Forgets every key: one of them has changed. */
  clear(): void {
    this.generation += 1;
    this.keys.clear();
  }

  /**
   * Says that changes made by other processes are heard of, and will be until a moment on the
   * clock of `performance.now()`. Past it nothing is cached, even where no one is left to say so.
   */
  trustUntil(moment: number): void {
    if (this.trustedUntil === -Infinity) {
      // A read that began while nothing was heard may be of a key that was changed since.
      this.clear();
    }
    this.trustedUntil = moment;
  }

  /** Says that changes made by other processes may go unheard from now on. */
  distrust(): void {
    this.trustedUntil = -Infinity;
    this.clear();
  }

  private get isTrusted(): boolean {
    return performance.now() < this.trustedUntil;
  }
}
