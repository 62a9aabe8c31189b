import { ApiError } from '../../platform/protocol/api-error';

export const participationNotFound = () =>
  new ApiError(
    'participation_not_found',
    'There is no participation with this participation_id in this campaign.',
  );

/** For a request that names no campaign. */
export const participationUnknown = () =>
  new ApiError('participation_not_found', 'There is no participation with this participation_id.');

export const participationClosed = (status: string) =>
  new ApiError(
    'participation_closed',
    `The participation is ${status}, so it cannot be changed any more.`,
  );

export const participationNotSubmitted = (status: string) =>
  new ApiError(
    'participation_not_submitted',
    `The participation is ${status}; only a submitted one has a reward to take back.`,
  );

export const notSupported = (types: readonly string[]) =>
  new ApiError(
    'not_supported',
    `The campaign asks questions of types that are not in supports: ${types.join(', ')}.`,
  );

/** The errors of the conditions for a place. */
export const PLACE_ERRORS = {
  participation_campaign_live: () =>
    new ApiError('campaign_not_live', 'The campaign is not live, so nobody can begin it.'),
  participation_campaign_open: () =>
    new ApiError('campaign_completed', 'The campaign is completed, so nobody can begin it.'),
  participation_balance_left: () =>
    new ApiError(
      'balance_low',
      "The company's balance does not cover the largest reward at the moment. The campaign goes on by itself once it does.",
    ),
  participation_place_left: () =>
    new ApiError(
      'fully_held',
      'No place is free, or the rest of the budget does not cover the largest reward. A place can become free when another respondent gives up or runs out of time, if there are any.',
    ),
} as const;
