import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { poolOf } from '../private-members/typeorm';
import { Connected, measuredWait } from './pool-waits';

/** Milliseconds for which a company that has asked for a connection counts as active. */
const ACTIVE = 10_000;

/** The part of the connections that a company may hold, and the part while no other is active. */
const PART = 0.5;
const PART_ALONE = 0.8;

/** The message of pg for the same. */
const TIMEOUT_MESSAGE = 'timeout exceeded when trying to connect';

/** The share of background work, which belongs to no company. */
const BACKGROUND = '';

interface Work {
  /** Whose connections it uses. */
  company: string;
}

const current = new AsyncLocalStorage<Work>();

/** Runs work that uses the share of a company, or of another caller, in the connections. */
export function inShareOf<T>(company: string, work: () => T): T {
  return current.run({ company }, work);
}

/** Runs work that belongs to no company, whoever has caused it. */
export function inBackground<T>(work: () => T): T {
  return current.exit(work);
}

/** Lets the work that runs now use the share of another company from now on. */
export function moveToShareOf(company: string): void {
  const work = current.getStore();
  if (work !== undefined) {
    work.company = company;
  }
}

interface Share {
  company: string;
  held: number;
  /** What waits for a connection, in the order of arrival. */
  waiting: Set<Connected>;
}

/** The connections that companies share. */
interface Connections {
  max: number;
  /** How many are open and not in use. */
  idle: number;
  /** Milliseconds to wait for one; `undefined` for no limit. */
  timeout: number | undefined;
}

/**
 * Divides the connections of a pool between companies. A company holds at most half of them; while
 * no other one is active, four in five. A connection that becomes free goes to whoever waits and
 * holds the fewest. Background work waits in the same queue, and has no maximum.
 */
export class PoolShares {
  private readonly shares = new Map<string, Share>();
  private held = 0;
  /** How many wait for a connection. */
  waiting = 0;
  /** The company that asked last, and when another one did before. */
  private latest = { company: BACKGROUND, at: -Infinity, otherAt: -Infinity };

  /** @param open opens a connection, or takes one that is idle */
  constructor(
    private readonly connections: () => Connections,
    private readonly open: (done: Connected) => void,
  ) {}

  /** Opens a connection when the company that the current work belongs to may have one. */
  connect(done: Connected): void {
    const company = current.getStore()?.company ?? BACKGROUND;
    const share = this.shares.get(company) ?? { company, held: 0, waiting: new Set() };
    this.shares.set(company, share);
    const connections = this.connections();
    const now = performance.now();
    this.note(company, now);
    if (this.mayOpen(share, connections, now)) {
      this.give(share, connections.idle > 0 ? done : measuredWait(done));
    } else {
      this.wait(share, connections, measuredWait(done));
    }
  }

  private note(company: string, now: number): void {
    const { latest } = this;
    if (company === BACKGROUND) {
      return;
    }
    if (company !== latest.company) {
      latest.otherAt = latest.at;
      latest.company = company;
    }
    latest.at = now;
  }

  private mayOpen({ company, held }: Share, { max }: Connections, now: number): boolean {
    if (company === BACKGROUND || held === 0) {
      return this.held < max;
    }
    const { latest } = this;
    const otherAt = company === latest.company ? latest.otherAt : latest.at;
    const part = now - otherAt > ACTIVE ? PART_ALONE : PART;
    return this.held < max && held < Math.floor(max * part);
  }

  private give(share: Share, done: Connected): void {
    share.held += 1;
    this.held += 1;
    this.open((error, client, release) => {
      if (client === undefined) {
        this.takeBack(share);
        done(error, client, release);
        return;
      }
      done(error, client, (failure) => {
        release(failure);
        this.takeBack(share);
      });
    });
  }

  private wait(share: Share, { timeout }: Connections, done: Connected): void {
    let isOver = false;
    const waiter: Connected = (error, client, release) => {
      clearTimeout(timer);
      if (!isOver) {
        done(error, client, release);
      } else if (client !== undefined) {
        // It has opened for work that was refused meanwhile.
        release();
      }
    };
    const timer =
      timeout &&
      setTimeout(() => {
        isOver = true;
        if (share.waiting.delete(waiter)) {
          this.waiting -= 1;
          this.forget(share);
        }
        done(new Error(TIMEOUT_MESSAGE), undefined, () => undefined);
      }, timeout);
    share.waiting.add(waiter);
    this.waiting += 1;
  }

  private takeBack(share: Share): void {
    share.held -= 1;
    this.held -= 1;
    if (this.waiting > 0) {
      this.serve();
    }
    this.forget(share);
  }

  private forget({ company, held, waiting }: Share): void {
    if (held === 0 && waiting.size === 0) {
      this.shares.delete(company);
    }
  }

  private serve(): void {
    const connections = this.connections();
    const now = performance.now();
    for (;;) {
      const share = this.next(connections, now);
      const [waiter] = share?.waiting ?? [];
      if (share === undefined || waiter === undefined) {
        return;
      }
      share.waiting.delete(waiter);
      this.waiting -= 1;
      // Those that hold as many come first the next time.
      this.shares.delete(share.company);
      this.shares.set(share.company, share);
      this.give(share, waiter);
    }
  }

  /** Whoever waits, may have a connection, and holds the fewest. */
  private next(connections: Connections, now: number): Share | undefined {
    let next: Share | undefined;
    for (const share of this.shares.values()) {
      const isNext = share.waiting.size > 0 && share.held < (next?.held ?? Infinity);
      if (isNext && this.mayOpen(share, connections, now)) {
        next = share;
      }
    }
    return next;
  }
}

const sharesOf = new WeakMap<Pool, PoolShares>();

/** Lets companies share the connections of a data source. */
export function sharePool(dataSource: DataSource): void {
  const pool = poolOf(dataSource);
  const { options } = pool;
  const connections = () => ({
    max: options.max,
    idle: pool.idleCount,
    timeout: options.connectionTimeoutMillis,
  });
  // TypeORM calls it with a callback.
  const shares = new PoolShares(connections, pool.connect.bind(pool) as (done: Connected) => void);
  pool.connect = ((done: Connected) => {
    shares.connect(done);
  }) as Pool['connect'];
  sharesOf.set(pool, shares);
}

/** How many wait for a connection of a pool. */
export function waitingFor(pool: Pool): number {
  return (sharesOf.get(pool)?.waiting ?? 0) + pool.waitingCount;
}
