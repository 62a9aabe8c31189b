import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Everything this process tells of itself. */
export const registry = new Registry();

const registers = [registry];

const requests = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Seconds from the arrival of a request to the end of its answer.',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers,
});

const limited = new Counter({
  name: 'rate_limited_requests_total',
  help: 'Requests answered 429, by the limit they met.',
  labelNames: ['policy'] as const,
  registers,
});

const replays = new Counter({
  name: 'idempotent_replays_total',
  help: 'Requests answered with the stored outcome of an earlier one.',
  registers,
});

/** How many connections there are, are free, and are waited for. */
export interface PoolUse {
  total: number;
  idle: number;
  waiting: number;
}

let readPool: (() => PoolUse) | undefined;

new Gauge({
  name: 'database_pool_connections',
  help: 'Connections to the database: all, those that are idle, and requests waiting for one.',
  labelNames: ['state'] as const,
  registers,
  collect() {
    for (const [state, count] of Object.entries(readPool?.() ?? {})) {
      this.set({ state }, count as number);
    }
  },
});

let collecting = false;

/** Begins to measure the process itself (memory, event-loop delay, …) and a pool. */
export function collectProcessMetrics(pool: () => PoolUse): void {
  readPool = pool;
  if (!collecting) {
    collecting = true;
    collectDefaultMetrics({ register: registry });
  }
}

/** @param route the pattern, not the path, of which there are endlessly many */
export function observeRequest(
  method: string,
  route: string,
  status: number,
  seconds: number,
): void {
  requests.observe({ method, route, status }, seconds);
}

export function countLimitedRequest(policy: string): void {
  limited.inc({ policy });
}

export function countIdempotentReplay(): void {
  replays.inc();
}
