import { ApiError } from '../http/api-error';
import { InvalidRequest } from '../validation/validation.pipe';
import { DAYS_MAXIMUM, LINKS_MAXIMUM } from './results-link.limits';

export const resultsLinkNotFound = () =>
  new ApiError('results_link_not_found', 'There is no results link with this link_id.');

export const tooManyResultsLinks = () =>
  new ApiError(
    'too_many_results_links',
    `The campaign has ${LINKS_MAXIMUM} results links that work, which is the maximum.`,
  );

export const expiresTooLate = () =>
  new InvalidRequest([
    {
      field: 'expires_at',
      code: 'too_large',
      message: `expires_at must be in the future, and at most ${DAYS_MAXIMUM} days from now.`,
    },
  ]);
