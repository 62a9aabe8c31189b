import { LRUCache } from 'lru-cache';
import { Gauge } from 'prom-client';
import type { StoredId } from '../../platform/database/identifiers';
import { registry } from '../../platform/metrics/metrics.registry';

/** Milliseconds for which an attempt counts, and companies that are remembered. */
const WINDOW = 600_000;
const MAXIMUM = 10_000;

/** When the last attempt of each company was delivered, by the process's monotonic clock. */
const companies = new LRUCache<StoredId, { deliveredAt: number }>({ max: MAXIMUM, ttl: WINDOW });

/** Notes the outcome of an attempt, to tell receivers that fail from a fault of this side. */
export function noteAttempt(companyId: StoredId, delivered: boolean): void {
  const { deliveredAt = -Infinity } = companies.get(companyId) ?? {};
  companies.set(companyId, { deliveredAt: delivered ? performance.now() : deliveredAt });
}

new Gauge({
  name: 'webhook_companies',
  help: 'Companies to whose webhooks this process has sent in the last ten minutes: those of which nothing was delivered, and the others.',
  labelNames: ['outcome'] as const,
  registers: [registry],
  collect() {
    companies.purgeStale();
    const since = performance.now() - WINDOW;
    const seen = [...companies.values()];
    const failing = seen.filter(({ deliveredAt }) => deliveredAt < since).length;
    this.set({ outcome: 'failing' }, failing);
    this.set({ outcome: 'delivered' }, seen.length - failing);
  },
});
