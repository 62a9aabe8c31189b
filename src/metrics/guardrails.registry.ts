import { Gauge, Histogram } from 'prom-client';
import { registry } from './metrics.registry';

/*
 * What guardrails do. Reading these metrics needs no statement.
 */

const registers = [registry];

const waiting = new Gauge({
  name: 'guardrail_events_waiting',
  help: 'Numbered events that guardrails have not read at the last look, of all companies.',
  registers,
});

const lag = new Gauge({
  name: 'guardrail_lag_seconds',
  help: 'Age of the oldest event that guardrails have not read at the last look; 0 without one.',
  registers,
});

const firings = new Histogram({
  name: 'guardrail_firing_delay_seconds',
  help: 'Seconds from a response to the firing of a guardrail at it.',
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 3, 5, 10, 30, 60],
  registers,
});

/** @param oldest the age of the oldest event, in seconds */
export function reportUnwatched(count: number, oldest: number): void {
  waiting.set(count);
  lag.set(oldest);
}

/** @param seconds from the response to the firing */
export function observeFiring(seconds: number): void {
  firings.observe(seconds);
}
