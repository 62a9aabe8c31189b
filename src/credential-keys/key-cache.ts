import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { KnownKey } from './known-key';

/** Milliseconds for which a cached key is used. */
const TIME_TO_LIVE = 5_000;

const MAX_KEYS = 10_000;

/**
 * Caches recently read keys by the hash of their secret. Code that changes a key clears the cache.
 * While changes by other processes may go unnoticed, nothing is cached.
 */
@Injectable()
export class KeyCache {
  private readonly keys = new LRUCache<string, KnownKey>({ max: MAX_KEYS, ttl: TIME_TO_LIVE });
  /** The time until which every change is noticed, on the clock of `performance.now()`. */
  private trustedUntil = Infinity;
  /** Incremented each time the cache is cleared, so that no read that began earlier is cached. */
  private generation = 0;

  /** Returns the key with this hash, from the cache or else from `read`. */
  async get(hash: string, read: () => Promise<KnownKey | null>): Promise<KnownKey | null> {
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

  /** Forgets every key, because one of them has changed. */
  clear(): void {
    this.generation += 1;
    this.keys.clear();
  }

  /**
   * Trusts the cache until `moment`, on the clock of `performance.now()`: until then, changes by
   * other processes are noticed. After that nothing is cached, unless this is called again.
   */
  trustUntil(moment: number): void {
    if (this.trustedUntil === -Infinity) {
      // A read that began earlier may have returned a key that has changed since.
      this.clear();
    }
    this.trustedUntil = moment;
  }

  /** Stops trusting the cache: changes by other processes may go unnoticed from now on. */
  distrust(): void {
    this.trustedUntil = -Infinity;
    this.clear();
  }

  private get isTrusted(): boolean {
    return performance.now() < this.trustedUntil;
  }
}
