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
 * Limits by address that a route can have. `platform-address` replaces the general one for
 * platforms, because they send the requests of all their users from a few addresses; the others
 * apply besides it.
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
  const { RATE_LIMIT_PER_ADDRESS: perAddress, RATE_LIMIT_PER_PLATFORM: perPlatform } = env;
  const policy = (name: PolicyName, quota: number, window = MINUTE) => ({ name, quota, window });
  return {
    address: policy('address', perAddress),
    registrations: policy('registrations', env.RATE_LIMIT_REGISTRATIONS, HOUR),
    logins: policy('logins', env.RATE_LIMIT_LOGINS),
    'platform-address': policy('platform-address', Math.max(perAddress, perPlatform)),
    'bad-credentials': policy('bad-credentials', env.RATE_LIMIT_BAD_CREDENTIALS),
    key: policy('key', env.RATE_LIMIT_PER_KEY),
    platform: policy('platform', perPlatform),
  };
}
