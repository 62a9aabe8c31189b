import { Histogram } from 'prom-client';
import { gauges, registry } from '../../platform/metrics/metrics.registry';

/** What guardrails have not read: how many events, and the age of the oldest in seconds. */
export const reportUnwatched = gauges(
  [
    'guardrail_events_waiting',
    'Numbered events that guardrails have not read at the last poll, of all companies.',
  ],
  [
    'guardrail_lag_seconds',
    'Age of the oldest event that guardrails have not read at the last poll; 0 without one.',
  ],
);

/** In seconds. */
export const firingDelay = new Histogram({
  name: 'guardrail_firing_delay_seconds',
  help: 'Seconds from a response to the firing of a guardrail at it.',
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 3, 5, 10, 30, 60],
  registers: [registry],
});
