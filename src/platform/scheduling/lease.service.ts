import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { RepeatedFailures } from '../logging/repeated-failures';
import { gauges } from '../metrics/metrics.registry';

/** Milliseconds that a lease lasts; after a process was killed, another one takes over. */
const DURATION = 4_000;

/** Milliseconds from a renewal to the next one. */
const RENEWAL = 1_500;

/** Milliseconds between two polls for a lease that another process holds. */
const LOOK_INTERVAL = 2_000;

const TERM = `interval '${DURATION} milliseconds'`;

/**
 * Whether a lease has not ended. It ends at most one term from now: one that ends later was written
 * before the database's clock went back, and its holder may be gone. Rounded as it is stored.
 */
const RUNS = `(l.held_until > clock_timestamp()
  AND l.held_until <= (clock_timestamp() + ${TERM})::timestamptz(3))`;

const FREE = `
  SELECT NOT EXISTS (SELECT FROM lease AS l WHERE name = $1 AND holder <> $2 AND ${RUNS}) AS free`;

const TAKE = `
  INSERT INTO lease AS l (name, holder, held_until)
  VALUES ($1, $2, clock_timestamp() + ${TERM})
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
  WHERE l.holder = excluded.holder OR NOT ${RUNS}
  RETURNING name`;

const RELEASE = `UPDATE lease SET held_until = '-infinity' WHERE name = $1 AND holder = $2`;

const KEEP = `
  UPDATE lease SET kept = kept || jsonb_build_object($3::text, $4::jsonb)
  WHERE name = $1 AND holder = $2
  RETURNING 1`;

const KEPT = 'SELECT kept -> $2 AS value FROM lease WHERE name = $1';

/** What the lease is for. */
const NAME = 'background work';

const reportHeld = gauges([
  'background_work_lease_held',
  'Whether this process does the background work of all: 1 or 0.',
]);

/**
 * The lease of the background work that one process does for all of them, in the database. The
 * process holds it a little shorter by its own clock than by the database's, which decides. A
 * process that was suspended may still end a statement that it began while it held the lease, so
 * the work itself must be safe to do twice.
 */
@Injectable()
export class Lease {
  private readonly logger = new Logger(Lease.name);
  private readonly holder = randomUUID();
  private readonly failures = new RepeatedFailures(
    this.logger,
    'could not read or renew the lease',
  );
  private readonly lostListeners: (() => void)[] = [];
  private held = false;
  /** When the lease ends, by the process's monotonic clock. */
  private end = 0;
  /** When to ask the database again, by the process's monotonic clock. */
  private nextLook = 0;
  private looking: Promise<void> | undefined;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Returns whether this process holds the lease, after it tried to take or renew it if due. */
  async holds(): Promise<boolean> {
    if (performance.now() >= this.nextLook) {
      this.looking ??= this.look().finally(() => (this.looking = undefined));
      await this.looking;
    }
    if (this.held && performance.now() >= this.end) {
      this.lose();
    }
    return this.held;
  }

  /** Calls a listener whenever this process no longer holds the lease. */
  onLost(listener: () => void): void {
    this.lostListeners.push(listener);
  }

  /** Calls the listeners. */
  tellLost(): void {
    this.lostListeners.forEach((listener) => {
      listener();
    });
  }

  /** Lets another process take the lease at once. */
  async release(): Promise<void> {
    if (!this.held) {
      return;
    }
    this.lose();
    try {
      await this.dataSource.query(RELEASE, [NAME, this.holder]);
    } catch (error) {
      // It ends by itself.
      this.failures.add(error);
    }
  }

  /**
   * Keeps a value in the lease, for the process that holds it then.
   *
   * @returns whether this process still holds the lease; otherwise nothing is kept
   */
  async keep(key: string, value: unknown): Promise<boolean> {
    const parameters = [NAME, this.holder, key, JSON.stringify(value)];
    const [rows] = await this.dataSource.query<[unknown[], number]>(KEEP, parameters);
    return rows.length > 0;
  }

  /** Returns the value that was kept last, by this process or another one. */
  async kept(key: string): Promise<unknown> {
    const [row] = await this.dataSource.query<{ value: unknown }[]>(KEPT, [NAME, key]);
    return row?.value;
  }

  private async look(): Promise<void> {
    const start = performance.now();
    try {
      const taken = await this.take();
      if (taken) {
        this.end = start + DURATION;
        if (!this.held) {
          this.held = true;
          reportHeld(1);
          this.logger.log(`does the ${NAME} of all instances, as ${this.holder}`);
        }
      } else if (this.held) {
        this.lose();
      }
    } catch (error) {
      this.failures.add(error);
    }
    this.nextLook = start + (this.held ? RENEWAL : LOOK_INTERVAL);
  }

  /** Reads before it writes, so that the processes without the lease write nothing. */
  private async take(): Promise<boolean> {
    const parameters = [NAME, this.holder];
    if (!this.held) {
      const [{ free }] = await this.dataSource.query<[{ free: boolean }]>(FREE, parameters);
      if (!free) {
        return false;
      }
    }
    const rows = await this.dataSource.query<unknown[]>(TAKE, parameters);
    return rows.length > 0;
  }

  private lose(): void {
    this.held = false;
    reportHeld(0);
    this.logger.log(`no longer does the ${NAME} of all instances`);
    this.tellLost();
  }
}
