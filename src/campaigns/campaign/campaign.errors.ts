import { SPENDING_ERROR_CODES, SPENDING_ERRORS } from '../../access/api-key/spending.errors';
import { ApiError } from '../../platform/protocol/api-error';
import type { ErrorCode } from '../../platform/protocol/error-codes';

export const campaignNotFound = () =>
  new ApiError('campaign_not_found', 'There is no campaign with this post_id.');

export const campaignNotOwned = () =>
  new ApiError('campaign_not_owned', 'This campaign belongs to another company.');

export const versionConflict = () =>
  new ApiError(
    'version_conflict',
    'The campaign has changed since the version that If-Match names. Nothing was changed; read it again.',
  );

/** For a document that would create a campaign, although If-Match names a version of one. */
export const noVersionToMatch = () =>
  new ApiError(
    'version_conflict',
    'No campaign of your company has this external_ref, and If-Match never creates one. Nothing was changed.',
  );

export const nothingToUpdate = () =>
  new ApiError(
    'nothing_to_update',
    'At least one field besides post_id must be present in an update.',
  );

const campaignCompleted = (why: string) => () =>
  new ApiError('campaign_completed', `The campaign cannot be started: ${why}`);

/** A field that contradicts what is stored. */
function tooSmall(code: ErrorCode, field: string, message: string): ApiError {
  return new ApiError(code, message, [{ field, code: 'too_small', message }]);
}

/** A term of disputes that would grow. */
const termsKept = (field: 'review_days' | 'maximum_dispute_share') => () => {
  const message = `${field} cannot grow, because respondents have begun and rely on it.`;
  return new ApiError('dispute_terms_kept', message, [{ field, code: 'too_large', message }]);
};

export const endsBeforeStart = () =>
  tooSmall('ends_before_start', 'ends_at', 'ends_at must be after starts_at.');

const advertisementFieldsOnSurvey = () =>
  new ApiError(
    'wrong_campaign_type',
    'video_url, thumbnail_url and duration_seconds are fields of advertisements; this campaign is a survey.',
  );

export const cohortRewardMismatch = (field = 'cohort_5_reward') => {
  const message = "cohort_5_reward must equal the campaign's reward_amount.";
  return new ApiError('cohort_reward_mismatch', message, [
    { field, code: 'differs_from_reward_amount', message },
  ]);
};

/** The errors of the constraints that a write of a campaign can violate. */
export const CAMPAIGN_ERRORS = {
  ...SPENDING_ERRORS,
  campaign_advertisement_fields: advertisementFieldsOnSurvey,
  campaign_cohort_5_equals_reward: () => cohortRewardMismatch(),
  campaign_live_unless_archived: campaignCompleted('it is archived. Unarchive it first.'),
  campaign_live_unless_ends_at_passed: campaignCompleted('its ends_at has passed. Move it first.'),
  campaign_live_unless_max_responses_reached: campaignCompleted(
    'its max_responses are reached. Raise max_responses first.',
  ),
  campaign_live_unless_budget_spent: campaignCompleted(
    'its budget does not cover another response. Raise budget first.',
  ),
  campaign_live_within_balance: () =>
    new ApiError(
      'balance_low',
      "The campaign cannot be started: your company's balance does not pay one response at the largest reward. Fund it first.",
    ),
  campaign_dispute_share_kept: termsKept('maximum_dispute_share'),
  campaign_review_days_kept: termsKept('review_days'),
  campaign_ends_after_start: endsBeforeStart,
  campaign_progress_within_max_responses: () =>
    tooSmall(
      'max_responses_below_taken',
      'max_responses',
      'max_responses must be at least the number of places that are taken.',
    ),
  campaign_progress_within_budget: () =>
    tooSmall('budget_below_spent', 'budget', 'budget must be at least what is spent and held.'),
} as const;

/** The codes of the errors about a campaign's life. */
export const LIFE_ERROR_CODES = [
  'campaign_completed',
  'balance_low',
  'ends_before_start',
  'max_responses_below_taken',
  'budget_below_spent',
  ...SPENDING_ERROR_CODES,
  'dispute_terms_kept',
] as const satisfies readonly ErrorCode[];
