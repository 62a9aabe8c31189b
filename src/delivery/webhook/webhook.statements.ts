/**
 * Where the log ends. It waits for a transaction that numbers events, and keeps others from
 * starting until the endpoint is visible to them: its claim would not see their numbers. The lock
 * also lets one creation at a time choose a slot.
 */
export const LOCK_END_OF_LOG = `
  INSERT INTO event_sequence AS s (company_id, last_seq) VALUES ($1, 0)
  ON CONFLICT (company_id) DO UPDATE SET last_seq = s.last_seq
  RETURNING last_seq`;

/** Makes the results of running attempts void. They are repeated when their leases end. */
export const FORGET_ATTEMPTS = `
  UPDATE webhook_delivery SET claim = claim + 1
  WHERE company_id = $1 AND webhook_id = $2 AND claimed_at IS NOT NULL`;

export const TAKEN_SLOTS = 'SELECT slot FROM webhook_endpoint WHERE company_id = $1';

/* Assignments of an update, which also has the times `clock.now` and `clock.tomorrow`. */

export const ENABLE = 'enabled = true, disabled_reason = NULL, due_at = clock.now';

export const DISABLE = `enabled = false, due_at = NULL,
  disabled_reason = coalesce(webhook_endpoint.disabled_reason, 'owner')`;

export const KEEP_SECRET = [
  'previous_secret = webhook_endpoint.secret',
  'previous_secret_ends_at = clock.tomorrow',
];

export const TEST = 'tests = webhook_endpoint.tests + 1';
