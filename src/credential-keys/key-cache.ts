import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { KnownKey } from './known-key';

/**
 * Milliseconds for which a key is used after the read of it began. A change by another process
 * takes effect within this time.
 */
const TIME_TO_LIVE = 900;

const MAX_KEYS = 10_000;

/**
 * Caches recently read keys by the hash of their secret. Code that changes a key clears the cache
 * of its own process.
 */
@Injectable()
export class KeyCache {
  private readonly keys = new LRUCache<string, KnownKey>({ max: MAX_KEYS, ttl: TIME_TO_LIVE });
  /** Incremented each time the cache is cleared, so that no read that began earlier is cached. */
  private generation = 0;

  /** Returns the key with this hash, from the cache or else from `read`. */
  async get(hash: string, read: () => Promise<KnownKey | null>): Promise<KnownKey | null> {
    const cached = this.keys.get(hash);
    if (cached !== undefined) {
      return cached;
    }
    const { generation } = this;
    const start = performance.now();
    const key = await read();
    if (key !== null && this.generation === generation) {
      this.keys.set(hash, key, { start });
    }
    return key;
  }

  /** Forgets every key, because one of them has changed. */
  clear(): void {
    this.generation += 1;
    this.keys.clear();
  }
}
