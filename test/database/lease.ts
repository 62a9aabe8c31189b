import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { registry } from '../../src/platform/metrics/metrics.registry';
import { Lease } from '../../src/platform/scheduling/lease.service';
import { service } from '../support/service';

/** What this process shows of the lease. */
const leaseHeld = async () =>
  (await registry.getSingleMetric('background_work_lease_held')!.get()).values[0]!.value;

describe('the lease of background work', () => {
  let dataSource: DataSource;
  let first: Lease;
  let second: Lease;
  let now: number;

  beforeAll(() => {
    ({ dataSource } = service);
  });

  beforeEach(async () => {
    // A name of its own, because the service holds the other one.
    const anotherName = {
      query: (statement: string, [name, ...others]: unknown[]) =>
        dataSource.query(statement, [`${String(name)} of the test`, ...others]),
    } as unknown as DataSource;
    await dataSource.query(`DELETE FROM lease WHERE name LIKE '%of the test'`);
    first = new Lease(anotherName);
    second = new Lease(anotherName);
    now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });

  afterEach(() => jest.restoreAllMocks());

  /** Lets the given milliseconds pass, in the process and in the database. */
  async function pass(milliseconds: number): Promise<void> {
    now += milliseconds;
    await dataSource.query(
      `UPDATE lease SET held_until = held_until - $1 * interval '1 millisecond'
       WHERE name LIKE '%of the test'`,
      [milliseconds],
    );
  }

  const holders = async () => [await first.holds(), await second.holds()];

  it('is held by one process at a time, which renews it', async () => {
    expect(await holders()).toEqual([true, false]);
    for (let renewal = 0; renewal < 10; renewal += 1) {
      await pass(1_000);
      expect(await holders()).toEqual([true, false]);
    }
  });

  it('is taken by one process of several that ask at once', async () => {
    const held = await Promise.all([first.holds(), second.holds(), first.holds()]);
    expect(held[0]).toBe(held[2]);
    expect(held.filter(Boolean)).toHaveLength(held[0] ? 2 : 1);
  });

  it('passes to another process within six seconds after the last renewal', async () => {
    await first.holds();
    await second.holds();
    await pass(2_500);
    expect(await second.holds()).toBe(false);
    await pass(3_500);
    expect(await second.holds()).toBe(true);
    expect(await first.holds()).toBe(false);
  });

  it('passes to another process as soon as it is released', async () => {
    const lost = jest.fn();
    first.onLost(lost);
    await first.holds();
    await first.release();
    expect(lost).toHaveBeenCalledTimes(1);
    expect(await second.holds()).toBe(true);
    await first.release();
    await pass(2_000);
    expect(await holders()).toEqual([false, true]);
  });

  it('is over if it ends later than one term from now, as after a clock that went back', async () => {
    expect(await holders()).toEqual([true, false]);
    await pass(2_000);
    await dataSource.query(
      `UPDATE lease SET held_until = held_until + interval '1 hour'
       WHERE name LIKE '%of the test'`,
    );
    expect(await second.holds()).toBe(true);
    expect(await first.holds()).toBe(false);
  });

  it('is held by whom the log and the metric name', async () => {
    const log = jest.spyOn(Logger.prototype, 'log').mockImplementation();
    await holders();
    const [{ holder }] = await dataSource.query<[{ holder: string }]>(
      `SELECT holder FROM lease WHERE name LIKE '%of the test'`,
    );
    expect(log.mock.calls).toEqual([[expect.stringContaining(`as ${holder}`)]]);
    expect(await leaseHeld()).toBe(1);
    await pass(1_500);
    await holders();
    expect(log).toHaveBeenCalledTimes(1);
    await first.release();
    expect(log).toHaveBeenLastCalledWith(expect.stringContaining('no longer'));
    expect(await leaseHeld()).toBe(0);
  });

  it('keeps what its holder says, and tells the next one', async () => {
    expect(await first.kept('a job')).toBeUndefined();
    await first.holds();
    expect(await first.keep('a job', { at: 1 })).toBe(true);
    expect(await first.keep('another job', 'here')).toBe(true);
    expect(await first.keep('a job', { at: 2 })).toBe(true);
    expect(await second.keep('a job', { at: 3 })).toBe(false);
    await first.release();
    await second.holds();
    expect(await first.keep('a job', { at: 4 })).toBe(false);
    expect(await second.kept('a job')).toEqual({ at: 2 });
    expect(await second.kept('another job')).toBe('here');
  });

  it('is lost when the database does not respond for as long as it lasts', async () => {
    const lost = jest.fn();
    const query = jest
      .fn()
      .mockResolvedValueOnce([{ free: true }])
      .mockResolvedValueOnce([{}]);
    const lease = new Lease({ query } as unknown as DataSource);
    lease.onLost(lost);
    expect(await lease.holds()).toBe(true);
    query.mockRejectedValue(new Error('no connection'));
    now += 3_999;
    expect(await lease.holds()).toBe(true);
    now += 1;
    expect(await lease.holds()).toBe(false);
    expect(lost).toHaveBeenCalledTimes(1);
  });
});
