import type { Span } from '@opentelemetry/api';
import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { isSampled, isTracing, tracer } from '../tracing/tracing';

type Release = (error?: Error | boolean) => void;
type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: Release,
) => void;

let report: ((seconds: number) => void) | undefined;

/** Calls a listener with the length of each wait for a connection, in seconds. */
export function onPoolWait(listener: (seconds: number) => void): void {
  report = listener;
}

/**
 * Measures how long work waits for a connection while the pool has no idle one, and makes a span of
 * it. What fails to get a connection has waited too.
 */
export function measurePoolWaits({ driver }: DataSource): void {
  const pool = (driver as unknown as { master: Pool }).master;
  // TypeORM calls it with a callback.
  const connect = pool.connect.bind(pool) as (done: Connected) => void;
  pool.connect = ((done: Connected) => {
    const waits = pool.idleCount <= pool.waitingCount;
    if (!waits || (report === undefined && !isTracing)) {
      connect(done);
      return;
    }
    const start = performance.now();
    const span: Span | undefined =
      isTracing && isSampled() ? tracer.startSpan('wait for a connection') : undefined;
    connect((error, client, release) => {
      span?.end();
      report?.((performance.now() - start) / 1_000);
      done(error, client, release);
    });
  }) as Pool['connect'];
}
