import { setTimeout as delay } from 'node:timers/promises';
import { RecentReads } from './recent-reads';

interface Value {
  name: string;
}

const named = (name: string): Value => ({ name });

/** A read that resolves when the test says so. */
function pendingRead() {
  let answer!: (value: Value | null) => void;
  const result = new Promise<Value | null>((resolve) => (answer = resolve));
  return { read: () => result, answer };
}

describe('the memory of recent reads, such as those of API keys (section 5)', () => {
  let reads: RecentReads<string, Value>;
  let now: number;

  beforeEach(() => {
    reads = new RecentReads();
    now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Whether `get` has to read the value. */
  async function asks(): Promise<boolean> {
    const read = jest.fn(() => Promise.resolve(named('fresh')));
    await reads.get('key', read);
    return read.mock.calls.length > 0;
  }

  /** Reads a value while something happens. */
  async function readDuring(events: () => void): Promise<Value | null> {
    const { read, answer } = pendingRead();
    const got = reads.get('key', read);
    events();
    answer(named('stale'));
    return got;
  }

  it('reads a value once and then returns it from memory', async () => {
    expect(await asks()).toBe(true);
    expect(await asks()).toBe(false);
    expect(await reads.get('key', () => Promise.resolve(null))).toEqual(named('fresh'));
  });

  it('reads a value again 900 ms after the last read began', async () => {
    const { read, answer } = pendingRead();
    const got = reads.get('key', read);
    now += 500;
    answer(named('slow'));
    await got;
    now += 399;
    expect(await asks()).toBe(false);
    now += 2;
    // The memory reads its clock at most once per millisecond.
    await delay(5);
    expect(await asks()).toBe(true);
  });

  it('does not remember that there is no value', async () => {
    await reads.get('key', () => Promise.resolve(null));
    expect(await asks()).toBe(true);
  });

  it('does not remember a failed read', async () => {
    await expect(reads.get('key', () => Promise.reject(new Error('down')))).rejects.toThrow();
    expect(await asks()).toBe(true);
  });

  it('forgets every value when cleared', async () => {
    await asks();
    reads.clear();
    expect(await asks()).toBe(true);
  });

  it('does not remember a read that began before it was cleared', async () => {
    expect(await readDuring(() => reads.clear())).toEqual(named('stale'));
    expect(await asks()).toBe(true);
  });

  it('keeps the newer of two values when the older read ends last, after it was cleared', async () => {
    const older = pendingRead();
    const first = reads.get('key', older.read);
    reads.clear();
    await reads.get('key', () => Promise.resolve(named('newer')));
    older.answer(named('older'));
    await first;
    expect(await reads.get('key', () => Promise.resolve(null))).toEqual(named('newer'));
  });
});
