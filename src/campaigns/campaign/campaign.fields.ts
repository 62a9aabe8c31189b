/*
 * Limits and examples of a campaign's fields, used by every request and response that has them.
 */

export const TITLE = { maximum: 200, example: 'Coffee habits 2026' } as const;
export const CATEGORY = { maximum: 100, example: 'food' } as const;

/** A company's own name for a campaign. */
export const EXTERNAL_REF = { maximum: 200, example: 'coffee-2026' } as const;

/** The question of an image survey. */
export const IMAGE_QUESTION = { maximum: 1000, example: 'Which design do you prefer?' } as const;

/** How many responses a campaign can accept. */
export const MAX_RESPONSES = { minimum: 1, maximum: 10_000_000 } as const;

/** Days in which a company can dispute a response. */
export const REVIEW_DAYS = { minimum: 0, maximum: 30 } as const;

/** The share of the responses that can be disputed. */
export const DISPUTE_SHARE = { minimum: 0, maximum: 1 } as const;

/** How long a respondent has, in minutes. */
export const ANSWER_MINUTES = { minimum: 1, maximum: 1_440 } as const;
