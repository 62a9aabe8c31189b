import type { Span } from '@opentelemetry/api';
import type { PoolClient } from 'pg';
import { isSampled, isTracing, tracer } from '../tracing/tracing';

type Release = (error?: Error | boolean) => void;
/** What receives a connection of a pool, and gives it back. */
export type Connected = (
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
 * Measures how long work waits for a connection while the pool has no idle one for it, and makes a
 * span of it. What fails to get a connection has waited too.
 */
export function measuredWait(done: Connected): Connected {
  if (report === undefined && !isTracing) {
    return done;
  }
  const start = performance.now();
  const span: Span | undefined =
    isTracing && isSampled() ? tracer.startSpan('wait for a connection') : undefined;
  return (error, client, release) => {
    span?.end();
    report?.((performance.now() - start) / 1_000);
    done(error, client, release);
  };
}
