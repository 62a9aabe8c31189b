import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { poolOf } from '../private-members/typeorm';
import { startPoolWait } from './pool-waits';

/** What receives a connection of a pool, and gives it back. */
type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;

/** SQLSTATE of a connection beyond what the server, the database or the role allows. */
const TOO_MANY_CONNECTIONS = '53300';

/** Milliseconds after which the pool tries again to open as many connections as it may. */
const RETRY_INTERVAL = 10_000;

/**
 * Lets work wait for a connection of the pool if the server allows no further one: a role can have
 * a lower limit than the pool. While the pool has none at all, the error stays.
 */
export function waitForConnections(dataSource: DataSource): void {
  const pool = poolOf(dataSource);
  const connect = pool.connect.bind(pool) as (done: Connected) => void;
  const { max, connectionTimeoutMillis = Infinity } = pool.options;
  const waiting = new WeakSet<Error>();
  let retryAt = 0;

  pool.Client = class extends pool.Client {
    override connect(done: (error?: Error) => void): void {
      // Before the pool learns of it, and opens another one for what waits already.
      super.connect((error) => {
        const others = pool.totalCount - 1;
        if (isRefused(error) && others > 0) {
          pool.options.max = others;
          retryAt = performance.now() + RETRY_INTERVAL;
          waiting.add(error);
        }
        done(error);
      });
    }
  };

  pool.connect = ((done: Connected) => {
    const start = performance.now();
    // What asked before takes the idle ones first, but not yet.
    const endWait = pool.idleCount > pool.waitingCount ? undefined : startPoolWait();
    if (pool.options.max < max && start >= retryAt) {
      pool.options.max = max;
    }
    const again: Connected = (error, client, release) => {
      const hasTime = performance.now() - start < connectionTimeoutMillis;
      if (error !== undefined && waiting.has(error) && hasTime) {
        connect(again);
      } else {
        // What fails to get a connection has waited too.
        endWait?.();
        done(error, client, release);
      }
    };
    connect(again);
  }) as Pool['connect'];
}

function isRefused(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === TOO_MANY_CONNECTIONS;
}
