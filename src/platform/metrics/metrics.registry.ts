import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { certificateEnd } from '../database/server-certificate';
import { onPoolWait } from '../database/pool-waits';

/** All metrics of this process. */
export const registry = new Registry();

const registers = [registry];

/**
 * Creates gauges, each with its name and its help, and returns what sets them in this order.
 * Background work calls it, so that reading the metrics needs no statement.
 */
export function gauges<Gauges extends [name: string, help: string][]>(
  ...described: Gauges
): (...values: { [Each in keyof Gauges]: number }) => void {
  const created = described.map(([name, help]) => new Gauge({ name, help, registers }));
  return (...values) => {
    values.forEach((value, index) => {
      created[index]?.set(value);
    });
  };
}

/** Creates a gauge for each value of its labels. */
export function labelledGauge<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
): Gauge<Label> {
  return new Gauge({ name, help, labelNames, registers });
}

/** Creates a counter, and returns what increments it. */
export function counter(name: string, help: string): (by?: number) => void {
  const metric = new Counter({ name, help, registers });
  return (by) => {
    metric.inc(by);
  };
}

/** Creates a counter for each value of its labels, and returns what increments it. */
export function labelledCounter<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
): (labels: Record<Label, string>, by?: number) => void {
  const metric = new Counter({ name, help, labelNames, registers });
  return (labels, by) => {
    metric.inc(labels, by);
  };
}

/**
 * In seconds. The label `route` is the pattern, not the path, because there is no limit on the
 * number of paths.
 */
export const requestDuration = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Seconds from receiving a request to the end of its response, sent or not.',
  labelNames: ['method', 'route', 'status', 'mode'] as const,
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers,
});

export const countLimitedRequest = labelledCounter(
  'rate_limited_requests_total',
  'Requests that got 429, by limit.',
  ['policy'],
);

export const countIdempotentReplay = counter(
  'idempotent_replays_total',
  'Requests that got the stored outcome of an earlier request.',
);

/** What the sequencer found: how many events, and the age of the oldest in seconds. */
export const reportUnsequenced = gauges(
  ['events_unsequenced', 'Events without a number at the last poll, of all companies.'],
  [
    'event_sequencer_lag_seconds',
    'Age of the oldest event without a number at the last poll; 0 without such an event.',
  ],
);

/** What the fold found: how many events, and the age of the oldest in seconds. */
export const reportUnfolded = gauges(
  [
    'results_events_unfolded',
    'Numbered events that the results do not count yet at the last poll, of all companies.',
  ],
  [
    'results_fold_lag_seconds',
    'Age of the oldest event that the results do not count yet at the last poll; 0 without one.',
  ],
);

export const countFolded = counter(
  'results_responses_folded_total',
  'Responses that this process has added to the results.',
);

export const reportWaitingReaders = gauges([
  'event_feed_waiting_requests',
  'Requests of this process that wait for an event.',
]);

/** In seconds. The label `outcome` is `delivered`, or the error of the attempt. */
export const attemptDuration = new Histogram({
  name: 'webhook_attempt_duration_seconds',
  help: 'Seconds from sending a webhook message to the end of the attempt, by outcome.',
  labelNames: ['outcome'] as const,
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60],
  registers,
});

/** The queue of webhooks: pending and waiting, and the age of the oldest in seconds. */
export const reportDeliveries = gauges(
  [
    'webhook_deliveries_pending',
    'Webhook deliveries that are begun and not finished, of all companies.',
  ],
  [
    'webhook_events_waiting',
    'Numbered events that enabled webhooks have not read, summed over the webhooks.',
  ],
  [
    'webhook_oldest_pending_seconds',
    'Age of the oldest event that is waiting or in an unfinished delivery; 0 without one.',
  ],
);

export const reportDueLag = gauges([
  'webhook_due_lag_seconds',
  'Seconds for which a webhook has waited for the service to look at it; 0 without one.',
]);

/** Counts webhooks that a sweep had to wake. */
export const countMissedWakeups = counter(
  'webhook_wakeups_missed_total',
  'Webhooks that had events to read and that nothing was going to look at; must stay 0.',
);

const poolWaits = new Histogram({
  name: 'database_pool_wait_seconds',
  help: 'Seconds that work waited for a connection when none was idle, whether or not it got one.',
  buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 3],
  registers,
});

/** When the certificate of the database ends, in seconds since 1970. */
new Gauge({
  name: 'database_certificate_end_seconds',
  help: 'When the certificate ends that the database has shown last, as a Unix time; 0 without TLS.',
  registers,
  collect() {
    this.set((certificateEnd() ?? 0) / 1_000);
  },
});

export const reportRedisAway = gauges([
  'rate_limit_redis_unreachable',
  'Whether this process counts requests for itself, because Redis is unreachable: 1 or 0.',
]);

/** The webhooks that fail: all enabled ones, and those that began to within a day. */
export const reportFailingWebhooks = gauges(
  ['webhook_endpoints_failing', 'Enabled webhooks whose attempts have failed for over an hour.'],
  [
    'webhook_endpoints_failing_lately',
    'Enabled webhooks whose attempts have failed for over an hour, and for less than a day.',
  ],
);

export const countRequestError = labelledCounter(
  'http_request_errors_total',
  'Requests that were refused or failed, by error code.',
  ['method', 'route', 'code', 'mode'],
);

/** Pool connections: in total, idle, and requests that wait for one. */
export interface PoolUse {
  total: number;
  idle: number;
  waiting: number;
}

let readPool: (() => PoolUse) | undefined;

new Gauge({
  name: 'database_pool_connections',
  help: 'Database connections, idle connections, and requests waiting for a connection.',
  labelNames: ['state'] as const,
  registers,
  collect() {
    for (const [state, count] of Object.entries(readPool?.() ?? {})) {
      this.set({ state }, count as number);
    }
  },
});

let collecting = false;

/** Starts measuring the process itself (memory, event loop delay and others) and a pool. */
export function collectProcessMetrics(pool: () => PoolUse): void {
  readPool = pool;
  if (!collecting) {
    collecting = true;
    collectDefaultMetrics({ register: registry });
    onPoolWait((seconds) => {
      poolWaits.observe(seconds);
    });
  }
}
