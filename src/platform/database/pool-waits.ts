import type { Span } from '@opentelemetry/api';
import { isSampled, isTracing, tracer } from '../tracing/tracing';

let report: ((seconds: number) => void) | undefined;

/** Calls a listener with the length of each wait for a connection, in seconds. */
export function onPoolWait(listener: (seconds: number) => void): void {
  report = listener;
}

/**
 * Measures how long work waits for a connection, and makes a span of it.
 *
 * @returns what ends the wait
 */
export function startPoolWait(): () => void {
  if (report === undefined && !isTracing) {
    return () => undefined;
  }
  const start = performance.now();
  const span: Span | undefined =
    isTracing && isSampled() ? tracer.startSpan('wait for a connection') : undefined;
  return () => {
    span?.end();
    report?.((performance.now() - start) / 1_000);
  };
}
