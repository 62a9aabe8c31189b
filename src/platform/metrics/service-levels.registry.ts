import { labelledCounter } from './metrics.registry';

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

const countAsked = labelledCounter(
  'service_level_total',
  'Requests or looks that could keep or break a promise, by promise.',
  ['promise'],
);

const countKept = labelledCounter(
  'service_level_success_total',
  'Requests or looks that kept a promise, by promise.',
  ['promise'],
);

// A counter that begins with its first failure shows no increase.
for (const promise of PROMISES) {
  countAsked({ promise }, 0);
  countKept({ promise }, 0);
}

/** Counts one case of a promise. */
export function countPromise(promise: ServicePromise, isKept: boolean): void {
  countAsked({ promise });
  countKept({ promise }, isKept ? 1 : 0);
}
