import { ApiError, fieldError } from '../../platform/protocol/api-error';

/** Links of a campaign that work at the same time (`results_link_maximum`). */
export const LINKS_MAXIMUM = 20;

/** How long a link works at most, in days (`results_link_lifetime`). */
const DAYS_MAXIMUM = 365;

export const resultsLinkNotFound = () =>
  new ApiError('results_link_not_found', 'There is no results link with this link_id.');

export const tooManyResultsLinks = () =>
  new ApiError(
    'too_many_results_links',
    `The campaign has ${LINKS_MAXIMUM} results links that work, which is the maximum.`,
  );

export const expiresTooLate = () =>
  fieldError(
    'expires_at',
    'too_large',
    `expires_at must be in the future, and at most ${DAYS_MAXIMUM} days from now.`,
  );
