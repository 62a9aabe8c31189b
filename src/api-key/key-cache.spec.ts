import { setTimeout as delay } from 'node:timers/promises';
import type { ApiKey } from './api-key.entity';
import { KeyCache } from './key-cache';

const keyNamed = (keyId: string) => ({ keyId }) as ApiKey;

/** A read that is answered when the test says so. */
function pendingRead() {
  let answer!: (key: ApiKey | null) => void;
  const result = new Promise<ApiKey | null>((resolve) => (answer = resolve));
  return { read: () => result, answer };
}

describe('the cache of API keys (section 5)', () => {
  let cache: KeyCache;
  let now: number;

  beforeEach(() => {
    cache = new KeyCache();
    now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Whether the key has to be read. */
  async function asks(): Promise<boolean> {
    const read = jest.fn(() => Promise.resolve(keyNamed('fresh')));
    await cache.get('hash', read);
    return read.mock.calls.length > 0;
  }

  /** Reads a key while something happens. */
  async function readDuring(events: () => void): Promise<ApiKey | null> {
    const { read, answer } = pendingRead();
    const got = cache.get('hash', read);
    events();
    answer(keyNamed('stale'));
    return got;
  }

  it('reads a key once and then takes it from memory', async () => {
    expect(await asks()).toBe(true);
    expect(await asks()).toBe(false);
    expect(await cache.get('hash', () => Promise.resolve(null))).toEqual(keyNamed('fresh'));
  });

  it('reads a key again after five seconds', async () => {
    await asks();
    now += 4_999;
    expect(await asks()).toBe(false);
    now += 2;
    // The store reads its clock at most once in a real millisecond.
    await delay(5);
    expect(await asks()).toBe(true);
  });

  it('does not keep that a key is unknown', async () => {
    await cache.get('hash', () => Promise.resolve(null));
    expect(await asks()).toBe(true);
  });

  it('does not keep a read that failed', async () => {
    await expect(cache.get('hash', () => Promise.reject(new Error('down')))).rejects.toThrow();
    expect(await asks()).toBe(true);
  });

  it('forgets every key when it is cleared', async () => {
    await asks();
    cache.clear();
    expect(await asks()).toBe(true);
  });

  it('does not keep a read that began before it was cleared', async () => {
    expect(await readDuring(() => cache.clear())).toEqual(keyNamed('stale'));
    expect(await asks()).toBe(true);
  });

  it('keeps the newer of two reads when the older ends last and a clearing lies between', async () => {
    const older = pendingRead();
    const first = cache.get('hash', older.read);
    cache.clear();
    await cache.get('hash', () => Promise.resolve(keyNamed('newer')));
    older.answer(keyNamed('older'));
    await first;
    expect(await cache.get('hash', () => Promise.resolve(null))).toEqual(keyNamed('newer'));
  });

  it('keeps nothing while changes may go unheard', async () => {
    await asks();
    cache.distrust();
    expect(await asks()).toBe(true);
    expect(await asks()).toBe(true);
  });

  it('does not keep a read that began when changes were heard of and ends when they are not', async () => {
    await readDuring(() => cache.distrust());
    expect(await asks()).toBe(true);
  });

  it('does not keep a read that began while changes went unheard', async () => {
    cache.distrust();
    await readDuring(() => cache.trustUntil(now + 100));
    expect(await asks()).toBe(true);
    expect(await asks()).toBe(false);
  });

  it('does not keep a read during which the connection was lost and found', async () => {
    await readDuring(() => {
      cache.distrust();
      cache.trustUntil(now + 100);
    });
    expect(await asks()).toBe(true);
  });

  it('takes nothing from memory once no one has vouched for it for too long', async () => {
    cache.trustUntil(now + 100);
    await asks();
    now += 99;
    expect(await asks()).toBe(false);
    now += 1;
    expect(await asks()).toBe(true);
    expect(await asks()).toBe(true);
  });

  it('goes on from memory when the same connection vouches for it again', async () => {
    cache.trustUntil(now + 100);
    await asks();
    now += 200;
    cache.trustUntil(now + 100);
    expect(await asks()).toBe(false);
  });
});
