import { Env } from '../config/env';

const MINUTE = 60;
const HOUR = 3_600;

/** The limit's name in the `RateLimit` headers. */
export type PolicyName =
  | 'address'
  | 'registrations'
  | 'logins'
  | 'platform-address'
  | 'bad-credentials'
  | 'key'
  | 'platform';

/**
 * Limits by address that a route can have. `platform-address` replaces the general one, because
 * platforms send the requests of all their users from a few addresses; the others apply besides it.
 */
export type AddressPolicy = Extract<PolicyName, 'registrations' | 'logins' | 'platform-address'>;

/** A maximum number of requests in a window that begins with the first of them. */
export interface Policy {
  name: PolicyName;
  quota: number;
  /** In seconds. */
  window: number;
}

export function policiesOf(env: Env): Record<PolicyName, Policy> {
  return {
    address: { name: 'address', quota: env.RATE_LIMIT_PER_ADDRESS, window: MINUTE },
    registrations: { name: 'registrations', quota: env.RATE_LIMIT_REGISTRATIONS, window: HOUR },
    logins: { name: 'logins', quota: env.RATE_LIMIT_LOGINS, window: MINUTE },
    'platform-address': {
      name: 'platform-address',
      quota: Math.max(env.RATE_LIMIT_PER_ADDRESS, env.RATE_LIMIT_PER_PLATFORM),
      window: MINUTE,
    },
    'bad-credentials': {
      name: 'bad-credentials',
      quota: env.RATE_LIMIT_BAD_CREDENTIALS,
      window: MINUTE,
    },
    key: { name: 'key', quota: env.RATE_LIMIT_PER_KEY, window: MINUTE },
    platform: { name: 'platform', quota: env.RATE_LIMIT_PER_PLATFORM, window: MINUTE },
  };
}
