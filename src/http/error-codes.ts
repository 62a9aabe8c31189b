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
  rate_limited: 429,
  internal_error: 500,
  service_unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;
