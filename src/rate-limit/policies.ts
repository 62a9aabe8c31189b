import { Env } from '../config/env';

const MINUTE = 60;
const HOUR = 3_600;

export const POLICY_NAMES = [
  'address',
  'registrations',
  'logins',
  'bad-credentials',
  'key',
] as const;

/** What is counted, as the `RateLimit` headers name it. */
export type PolicyName = (typeof POLICY_NAMES)[number];

/** How many requests are admitted in a window, which begins with the first of them. */
export interface Policy {
  name: PolicyName;
  quota: number;
  /** Seconds. */
  window: number;
}

export function policiesOf(env: Env): Record<PolicyName, Policy> {
  return {
    address: { name: 'address', quota: env.RATE_LIMIT_PER_ADDRESS, window: MINUTE },
    registrations: { name: 'registrations', quota: env.RATE_LIMIT_REGISTRATIONS, window: HOUR },
    logins: { name: 'logins', quota: env.RATE_LIMIT_LOGINS, window: MINUTE },
    'bad-credentials': {
      name: 'bad-credentials',
      quota: env.RATE_LIMIT_BAD_CREDENTIALS,
      window: MINUTE,
    },
    key: { name: 'key', quota: env.RATE_LIMIT_PER_KEY, window: MINUTE },
  };
}
