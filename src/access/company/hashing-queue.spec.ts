import { ApiError } from '../../platform/protocol/api-error';
import { HashingQueue } from './hashing-queue';

/** Work that ends when the test says so. */
function pendingWork() {
  let finish!: (error?: Error) => void;
  const done = new Promise<void>((resolve, reject) => {
    finish = (error) => (error === undefined ? resolve() : reject(error));
  });
  const work = jest.fn(() => done);
  return { work, finish };
}

type PendingWork = ReturnType<typeof pendingWork>;

const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the queue for hashing passwords', () => {
  let queue: HashingQueue;
  let works: PendingWork[];
  let results: Promise<unknown>[];

  const started = () => works.filter(({ work }) => work.mock.calls.length > 0).length;

  /** Adds work until the queue refuses more. */
  async function fill(): Promise<ApiError> {
    for (;;) {
      const pending = pendingWork();
      const result = queue.run(pending.work);
      const refusal = await Promise.race([
        result.then(
          () => undefined,
          (error: unknown) => error,
        ),
        nextTick(),
      ]);
      if (refusal !== undefined) {
        expect(pending.work).not.toHaveBeenCalled();
        return refusal as ApiError;
      }
      works.push(pending);
      results.push(result);
    }
  }

  beforeEach(() => {
    queue = new HashingQueue();
    works = [];
    results = [];
  });

  it('runs one to three at once, however many wait', async () => {
    await fill();
    const atOnce = started();
    expect(atOnce).toBeGreaterThanOrEqual(1);
    expect(atOnce).toBeLessThanOrEqual(3);
    for (const [index, { finish }] of works.entries()) {
      finish();
      await results[index];
      await nextTick();
      expect(started()).toBe(Math.min(index + 1 + atOnce, works.length));
    }
    await Promise.all(results);
  });

  it('refuses with service_unavailable and Retry-After once fifty are waiting', async () => {
    const refusal = await fill();
    expect(works.length - started()).toBe(50);
    expect(refusal).toBeInstanceOf(ApiError);
    expect(refusal.code).toBe('service_unavailable');
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    works.forEach(({ finish }) => finish());
    await Promise.all(results);
  });

  it('serves in the order of arrival', async () => {
    await fill();
    const next = started();
    works[0]!.finish();
    await nextTick();
    expect(works[next]!.work).toHaveBeenCalledTimes(1);
    expect(works[next + 1]!.work).not.toHaveBeenCalled();
    works.forEach(({ finish }) => finish());
    await Promise.all(results);
  });

  it('continues after work that fails, and has room again once it is done', async () => {
    await fill();
    works[0]!.finish(new Error('out of memory'));
    await expect(results[0]).rejects.toThrow('out of memory');
    works.slice(1).forEach(({ finish }) => finish());
    await Promise.all(results.slice(1));
    expect(await queue.run(() => Promise.resolve('hash'))).toBe('hash');
    works = [];
    results = [];
    await fill();
    expect(works.length).toBeGreaterThan(50);
  });
});
