import { setTimeout as delay } from 'node:timers/promises';
import { KeyCache } from './key-cache';
import type { KnownKey } from './known-key';

const keyNamed = (keyId: string) => ({ keyId }) as KnownKey;

/** A read that resolves when the test says so. */
function pendingRead() {
  let answer!: (key: KnownKey | null) => void;
  const result = new Promise<KnownKey | null>((resolve) => (answer = resolve));
  return { read: () => result, answer };
}

describe('the API key cache (section 5)', () => {
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

  /** Whether `get` has to read the key. */
  async function asks(): Promise<boolean> {
    const read = jest.fn(() => Promise.resolve(keyNamed('fresh')));
    await cache.get('hash', read);
    return read.mock.calls.length > 0;
  }

  /** Reads a key while something happens. */
  async function readDuring(events: () => void): Promise<KnownKey | null> {
    const { read, answer } = pendingRead();
    const got = cache.get('hash', read);
    events();
    answer(keyNamed('stale'));
    return got;
  }

  it('reads a key once and then returns it from memory', async () => {
    expect(await asks()).toBe(true);
    expect(await asks()).toBe(false);
    expect(await cache.get('hash', () => Promise.resolve(null))).toEqual(keyNamed('fresh'));
  });

  it('reads a key again 900 ms after the last read began', async () => {
    const { read, answer } = pendingRead();
    const got = cache.get('hash', read);
    now += 500;
    answer(keyNamed('slow'));
    await got;
    now += 399;
    expect(await asks()).toBe(false);
    now += 2;
    // The cache reads its clock at most once per millisecond.
    await delay(5);
    expect(await asks()).toBe(true);
  });

  it('does not cache that a key is unknown', async () => {
    await cache.get('hash', () => Promise.resolve(null));
    expect(await asks()).toBe(true);
  });

  it('does not cache a failed read', async () => {
    await expect(cache.get('hash', () => Promise.reject(new Error('down')))).rejects.toThrow();
    expect(await asks()).toBe(true);
  });

  it('forgets every key when cleared', async () => {
    await asks();
    cache.clear();
    expect(await asks()).toBe(true);
  });

  it('does not cache a read that began before it was cleared', async () => {
    expect(await readDuring(() => cache.clear())).toEqual(keyNamed('stale'));
    expect(await asks()).toBe(true);
  });

  it('keeps the newer of two reads when the older one ends last, after the cache was cleared', async () => {
    const older = pendingRead();
    const first = cache.get('hash', older.read);
    cache.clear();
    await cache.get('hash', () => Promise.resolve(keyNamed('newer')));
    older.answer(keyNamed('older'));
    await first;
    expect(await cache.get('hash', () => Promise.resolve(null))).toEqual(keyNamed('newer'));
  });
});
