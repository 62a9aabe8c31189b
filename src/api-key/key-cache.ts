import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { ApiKey } from './api-key.entity';

/** Milliseconds a key is taken as it was last read. */
const TIME_TO_LIVE = 5_000;

const MAX_KEYS = 10_000;

/**
 * Keys that were read lately, by the hash of their secret. Whoever changes a key has the cache
 * cleared; while changes made elsewhere cannot be heard of, nothing is cached.
 */
@Injectable()
export class KeyCache {
  private readonly keys = new LRUCache<string, ApiKey>({ max: MAX_KEYS, ttl: TIME_TO_LIVE });
  private usable = true;
  /** Counts the clearings, so that a read which began before one is not kept after it. */
  private generation = 0;

  /** The key with this hash, from the cache or by reading it. */
  async get(hash: string, read: () => Promise<ApiKey | null>): Promise<ApiKey | null> {
    const cached = this.usable ? this.keys.get(hash) : undefined;
    if (cached !== undefined) {
      return cached;
    }
    const { generation } = this;
    const key = await read();
    if (key !== null && this.usable && this.generation === generation) {
      this.keys.set(hash, key);
    }
    return key;
  }

  /** Forgets every key: one of them has changed. */
  clear(): void {
    this.generation += 1;
    this.keys.clear();
  }

  /** Says whether changes made by other processes are heard of. */
  setUsable(usable: boolean): void {
    this.usable = usable;
    this.clear();
  }
}
