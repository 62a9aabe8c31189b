/**
 * Every `error.code` the service can answer, with its HTTP status. The list is closed: a client
 * may switch over it.
 */
export const ERROR_STATUS = {
  validation_failed: 400,
  malformed_json: 400,
  nothing_to_update: 400,
  api_key_missing: 401,
  api_key_invalid: 401,
  api_key_expired: 401,
  api_key_revoked: 401,
  token_missing: 401,
  token_invalid: 401,
  invalid_credentials: 401,
  campaign_not_owned: 403,
  insufficient_scope: 403,
  campaign_not_found: 404,
  api_key_not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  email_taken: 409,
  idempotency_in_progress: 409,
  version_conflict: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  cohort_reward_mismatch: 422,
  wrong_campaign_type: 422,
  feedback_not_enabled: 422,
  questions_fixed: 422,
  idempotency_key_reused: 422,
  internal_error: 500,
  service_unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** What a client is to do about each code. The OpenAPI document and the README say it. */
export const ERROR_ADVICE: Readonly<Record<ErrorCode, string>> = {
  validation_failed: 'Correct the fields in `details`',
  malformed_json: 'Send valid JSON in UTF-8; also answered to what is not valid HTTP',
  nothing_to_update: 'Send at least one field besides `post_id`',
  api_key_missing: 'Send the `X-API-Key` header',
  api_key_invalid: 'Check the key for typing mistakes, or generate a new one',
  api_key_expired: 'Generate a new key',
  api_key_revoked: 'The key was revoked or rotated; use another',
  token_missing: 'Send the `Authorization` header',
  token_invalid: 'Log in again: the token has expired or was not issued here',
  invalid_credentials: 'The e-mail address or the password is wrong; the answer does not say which',
  campaign_not_owned: 'Use a key of the company that created the campaign',
  insufficient_scope: 'Use a key with the scope that the message names',
  campaign_not_found: 'Check the `post_id`',
  api_key_not_found: 'Check the `key_id`; a key that has ended cannot be rotated',
  route_not_found: 'Check the path',
  method_not_allowed: 'Use a method of the `Allow` header',
  email_taken: 'Log in instead, or register another address',
  idempotency_in_progress:
    'Wait for the seconds in `Retry-After`, then send the same request again',
  version_conflict: 'Read the campaign again, and decide again',
  payload_too_large: 'Keep the body within 2 MiB',
  unsupported_media_type: 'Send `Content-Type: application/json`',
  cohort_reward_mismatch: "Make `cohort_5_reward` equal to the campaign's `reward_amount`",
  wrong_campaign_type: "Use what belongs to the campaign's type; a type or format cannot change",
  feedback_not_enabled: 'Create the advertisement with `has_feedback` true',
  questions_fixed: "An image survey's content is fixed at its creation; create another",
  idempotency_key_reused: 'Use a new key for another request',
  internal_error: 'Ours to mend; name the `request_id` when you ask for help',
  service_unavailable: 'Send the same request again after the seconds in `Retry-After`',
};
