import type { PoolClient } from 'pg';
import { inShareOf, PoolShares } from './pool-shares';
import type { Connected } from './pool-waits';

const TIMEOUT = 3_000;

/** A pool of connections that open when the test says so. */
class SlowPool {
  readonly opening: Connected[] = [];
  /** How many are open and in use. */
  used = 0;
  readonly shares: PoolShares;

  constructor(max: number) {
    const connections = () => ({ max, idle: 0, timeout: TIMEOUT });
    this.shares = new PoolShares(connections, (done) => this.opening.push(done));
  }

  open(): void {
    this.used += 1;
    this.opening.shift()?.(undefined, {} as PoolClient, () => {
      this.used -= 1;
    });
  }
}

describe('connections that companies share', () => {
  beforeEach(() => jest.useFakeTimers());

  afterEach(() => jest.useRealTimers());

  function ask({ shares }: SlowPool, company: string) {
    const answers: [string | undefined, (() => void) | undefined][] = [];
    inShareOf(company, () => {
      shares.connect((error, client, release) => {
        answers.push([error?.message, client === undefined ? undefined : release]);
      });
    });
    return answers;
  }

  it('are half for one company while another one is active', () => {
    const pool = new SlowPool(4);
    ask(pool, 'a');
    ask(pool, 'b');
    ask(pool, 'b');
    ask(pool, 'b');
    expect([pool.opening.length, pool.shares.waiting]).toEqual([3, 1]);
  });

  it('go to whoever waits and holds the fewest', () => {
    const pool = new SlowPool(2);
    const [first] = [ask(pool, 'a'), ask(pool, 'b')];
    pool.open();
    pool.open();
    const [more, other] = [ask(pool, 'b'), ask(pool, 'c')];
    first[0]?.[1]?.();
    pool.open();
    expect([more.length, other.length]).toEqual([0, 1]);
  });

  it('are refused to work that has waited too long', () => {
    const pool = new SlowPool(1);
    ask(pool, 'a');
    const late = ask(pool, 'b');
    jest.advanceTimersByTime(TIMEOUT);
    expect(late).toEqual([['timeout exceeded when trying to connect', undefined]]);
    expect(pool.shares.waiting).toBe(0);
  });

  it('go back to the pool if they open after their work was refused', () => {
    const pool = new SlowPool(1);
    const first = ask(pool, 'a');
    pool.open();
    const late = ask(pool, 'b');
    jest.advanceTimersByTime(TIMEOUT - 1);
    first[0]?.[1]?.();
    jest.advanceTimersByTime(1);
    pool.open();
    expect(late).toEqual([['timeout exceeded when trying to connect', undefined]]);
    expect([pool.used, pool.shares.waiting]).toEqual([0, 0]);
    const next = ask(pool, 'b');
    pool.open();
    expect(next).toEqual([[undefined, expect.any(Function)]]);
  });
});
