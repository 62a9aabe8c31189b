import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { onPoolWait } from '../database/pool-waits';
import type { ErrorCode } from '../http/error-codes';
import type { CallerMode } from '../http/principal';

/** All metrics of this process. */
export const registry = new Registry();

const registers = [registry];

const requests = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Seconds from receiving a request to the end of its response, sent or not.',
  labelNames: ['method', 'route', 'status', 'mode'] as const,
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers,
});

const limited = new Counter({
  name: 'rate_limited_requests_total',
  help: 'Requests that got 429, by limit.',
  labelNames: ['policy'] as const,
  registers,
});

const replays = new Counter({
  name: 'idempotent_replays_total',
  help: 'Requests that got the stored outcome of an earlier request.',
  registers,
});

const unsequenced = new Gauge({
  name: 'events_unsequenced',
  help: 'Events without a number at the last look, of all companies.',
  registers,
});

const sequencerLag = new Gauge({
  name: 'event_sequencer_lag_seconds',
  help: 'Age of the oldest event without a number at the last look; 0 without such an event.',
  registers,
});

const unfolded = new Gauge({
  name: 'results_events_unfolded',
  help: 'Numbered events that the results do not count yet at the last look, of all companies.',
  registers,
});

const foldLag = new Gauge({
  name: 'results_fold_lag_seconds',
  help: 'Age of the oldest event that the results do not count yet at the last look; 0 without one.',
  registers,
});

const folded = new Counter({
  name: 'results_responses_folded_total',
  help: 'Responses that this process has added to the results.',
  registers,
});

const waitingReaders = new Gauge({
  name: 'event_feed_waiting_requests',
  help: 'Requests of this process that wait for an event.',
  registers,
});

const attempts = new Histogram({
  name: 'webhook_attempt_duration_seconds',
  help: 'Seconds from sending a webhook message to the end of the attempt, by outcome.',
  labelNames: ['outcome'] as const,
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60],
  registers,
});

const pendingDeliveries = new Gauge({
  name: 'webhook_deliveries_pending',
  help: 'Webhook deliveries that are begun and not finished, of all companies.',
  registers,
});

const waitingEvents = new Gauge({
  name: 'webhook_events_waiting',
  help: 'Numbered events that enabled webhooks have not read, summed over the webhooks.',
  registers,
});

const oldestDelivery = new Gauge({
  name: 'webhook_oldest_pending_seconds',
  help: 'Age of the oldest event that is waiting or in an unfinished delivery; 0 without one.',
  registers,
});

const dueLag = new Gauge({
  name: 'webhook_due_lag_seconds',
  help: 'Seconds for which a webhook has waited for the service to look at it; 0 without one.',
  registers,
});

const missedWakeups = new Counter({
  name: 'webhook_wakeups_missed_total',
  help: 'Webhooks that had events to read and that nothing was going to look at; must stay 0.',
  registers,
});

const poolWaits = new Histogram({
  name: 'database_pool_wait_seconds',
  help: 'Seconds that work waited for a connection when none was idle, whether or not it got one.',
  buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 3],
  registers,
});

const errors = new Counter({
  name: 'http_request_errors_total',
  help: 'Requests that were refused or failed, by error code.',
  labelNames: ['method', 'route', 'code', 'mode'] as const,
  registers,
});

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

/**
 * @param labels the route is the pattern, not the path, because there is no limit on the number of
 *   paths
 */
export function observeRequest(
  labels: { method: string; route: string; status: number; mode: CallerMode },
  seconds: number,
): void {
  requests.observe(labels, seconds);
}

export function countRequestError(labels: {
  method: string;
  route: string;
  code: ErrorCode;
  mode: CallerMode;
}): void {
  errors.inc(labels);
}

/**
 * Reports what the sequencer found, so that reading the metrics needs no statement.
 *
 * @param oldest the age of the oldest event, in seconds
 */
export function reportUnsequenced(count: number, oldest: number): void {
  unsequenced.set(count);
  sequencerLag.set(oldest);
}

/**
 * Reports what the fold found, so that reading the metrics needs no statement.
 *
 * @param oldest the age of the oldest event, in seconds
 */
export function reportUnfolded(count: number, oldest: number): void {
  unfolded.set(count);
  foldLag.set(oldest);
}

export function countFolded(responses: number): void {
  folded.inc(responses);
}

export function reportWaitingReaders(count: number): void {
  waitingReaders.set(count);
}

/** @param outcome `delivered`, or the error of the attempt */
export function observeAttempt(outcome: string, seconds: number): void {
  attempts.observe({ outcome }, seconds);
}

/**
 * Reports the queue of webhooks, so that reading the metrics needs no statement.
 *
 * @param oldest the age of the oldest event in it, in seconds
 */
export function reportDeliveries(pending: number, waiting: number, oldest: number): void {
  pendingDeliveries.set(pending);
  waitingEvents.set(waiting);
  oldestDelivery.set(oldest);
}

export function reportDueLag(seconds: number): void {
  dueLag.set(seconds);
}

/** Counts webhooks that a sweep had to wake. */
export function countMissedWakeups(count: number): void {
  missedWakeups.inc(count);
}

export function countLimitedRequest(policy: string): void {
  limited.inc({ policy });
}

export function countIdempotentReplay(): void {
  replays.inc();
}
