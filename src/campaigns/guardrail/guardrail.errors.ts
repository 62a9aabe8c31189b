import { ApiError, fieldError, serviceUnavailable } from '../../platform/protocol/api-error';
import { CAMPAIGN_GUARDRAILS_MAXIMUM, GUARDRAILS_MAXIMUM } from './guardrail.types';

export const guardrailNotFound = () =>
  new ApiError('guardrail_not_found', 'There is no guardrail with this guardrail_id.');

const guardrailNameTaken = () =>
  new ApiError(
    'guardrail_name_taken',
    'Another guardrail of the campaign, or of all campaigns, has this name.',
    [{ field: 'name', code: 'duplicate', message: 'name is already in use.' }],
  );

const tooManyGuardrails = () =>
  new ApiError(
    'too_many_guardrails',
    `Your company has ${GUARDRAILS_MAXIMUM} guardrails, which is the maximum.`,
  );

const tooManyOfCampaign = () =>
  new ApiError(
    'too_many_guardrails',
    `The campaign has ${CAMPAIGN_GUARDRAILS_MAXIMUM} guardrails, which is the maximum. As many can watch all campaigns.`,
  );

const completesUnknown = () =>
  fieldError(
    'then',
    'not_allowed',
    'then must not be complete without a condition on interval_width.',
  );

export const nothingToUpdate = () =>
  new ApiError(
    'nothing_to_update',
    'At least one field besides guardrail_id must be present in an update.',
  );

/** The errors of the constraints on guardrails. */
export const GUARDRAIL_ERRORS = {
  guardrail_name_unique: guardrailNameTaken,
  guardrail_maximum: tooManyGuardrails,
  guardrail_campaign_maximum: tooManyOfCampaign,
  guardrail_complete: completesUnknown,
} as const;

/** A place for a respondent cannot be given before the guardrails have read the log. */
export const guardrailsBehind = () =>
  serviceUnavailable(
    'The guardrails of this campaign are still processing recent responses. Retry shortly.',
  );

export const notWatched = () =>
  new ApiError('validation_failed', 'The guardrail does not watch this campaign.', [
    {
      field: 'post_id',
      code: 'not_allowed',
      message: 'post_id must be a campaign that the guardrail watches.',
    },
  ]);
