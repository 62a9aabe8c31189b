import { Counter } from 'prom-client';
import { registry } from './metrics.registry';

/**
 * What the service promises to its users, each as a question that is often asked and has a yes or a
 * no. docs/operations.md says what each one means.
 */
export const PROMISES = [
  'available',
  'fast',
  'events_prompt',
  'results_prompt',
  'guardrails_prompt',
  'webhooks_prompt',
  'expiry_prompt',
  'books_balance',
] as const;

export type ServicePromise = (typeof PROMISES)[number];

const asked = new Counter({
  name: 'service_level_total',
  help: 'Requests or looks that could keep or break a promise, by promise.',
  labelNames: ['promise'] as const,
  registers: [registry],
});

const kept = new Counter({
  name: 'service_level_success_total',
  help: 'Requests or looks that kept a promise, by promise.',
  labelNames: ['promise'] as const,
  registers: [registry],
});

// A counter that begins with its first failure shows no increase.
for (const promise of PROMISES) {
  asked.inc({ promise }, 0);
  kept.inc({ promise }, 0);
}

/** Counts one case of a promise. */
export function countPromise(promise: ServicePromise, isKept: boolean): void {
  asked.inc({ promise });
  if (isKept) {
    kept.inc({ promise });
  }
}
