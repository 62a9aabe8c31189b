import { SCOPES } from './scopes';

/**
 * The key_id in the documentation's examples. On the documentation page it stands for the key that
 * was generated there last.
 */
export const EXAMPLE_KEY_ID = 'key_01k9x2v8zdf3xbz0q4v5rk6t7m';

/** A request for a key. It has no limit, so that the other examples can use the key. */
export const GENERATE_EXAMPLES = {
  'a key with every scope': {
    value: {
      name: 'campaign importer',
      scopes: [...SCOPES],
      expires_at: '2099-12-31T23:59:59Z',
      mode: 'live',
    },
  },
};

/** Requests that set or remove the limits of a key. */
export const LIMITS_EXAMPLES = {
  'a limit for each month': {
    value: { key_id: EXAMPLE_KEY_ID, spending_limit: { amount: 500, per: 'month' } },
  },
  'an approval for larger campaigns': { value: { key_id: EXAMPLE_KEY_ID, approval_above: 200 } },
  'no limit any more': {
    value: { key_id: EXAMPLE_KEY_ID, spending_limit: null, approval_above: null },
  },
};
