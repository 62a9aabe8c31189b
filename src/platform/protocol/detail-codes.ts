/**
 * Every `error.details[].code` that the service returns. Each meaning ends a sentence that begins
 * with "The field". The list is closed, so a client can switch over it. The OpenAPI document and
 * docs/errors.md show the meanings.
 */
export const DETAIL_CODES = {
  required: 'is missing',
  null_not_allowed: 'is `null`',
  unknown_field: 'is not defined for this request; check its spelling',
  invalid_type: 'has the wrong JSON type; nothing is converted',
  not_allowed:
    'is not one of the allowed values, or is not allowed here, such as `options` of a `text` question',
  empty: 'is empty, or only blank',
  too_short: 'has too few characters',
  too_long: 'has too many characters',
  invalid_characters:
    'contains NUL, unpaired surrogates, a wrong encoding, or more than 30 combining marks in a row',
  invalid_email: 'is not an email address',
  invalid_url: 'is not an absolute http or https URL, or has a user name or password',
  invalid_timestamp: 'is not an RFC 3339 timestamp with a time zone',
  invalid_date: 'is not a date of the precision that the question asks for',
  invalid_language: 'is not a language tag as BCP 47 defines it',
  in_the_past: 'must be in the future',
  too_small: 'is below its minimum',
  too_large: 'is above its maximum',
  too_precise: 'has too many decimal places, or more digits than can be kept exactly',
  not_an_integer: 'must be a whole number',
  too_few: 'has too few entries',
  too_many: 'has too many entries',
  duplicate: 'repeats an earlier entry',
  sum_not_one: '`cohort_shares` do not sum to 1',
  uneven_step: '`step` does not divide the range of the scale evenly',
  differs_from_reward_amount: '`cohort_5_reward` differs from `reward_amount`',
  unreachable: 'lets no respondent reach the question or option, or match the quota',
  not_shown: 'answers a question, an option or a row that the other answers hide',
  cannot_change: 'is fixed once the campaign exists',
  not_for_this_campaign: 'belongs to another type or format of campaign',
  invalid_cursor: 'is not a cursor that a list returned',
  cursor_mismatch: 'is a cursor of another list, or of other filters',
  invalid_key: 'is not a valid `Idempotency-Key`',
} as const satisfies Record<string, string>;

export type DetailCode = keyof typeof DETAIL_CODES;
