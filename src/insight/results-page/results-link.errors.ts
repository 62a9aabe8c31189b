import { ApiError, fieldError } from '../../platform/protocol/api-error';
import type { LinkKind } from './results-link.entity';

/** Links of a campaign and kind that work at the same time (`results_link_maximum`). */
export const LINKS_MAXIMUM = 20;

/** How long a link works at most, in days (`results_link_lifetime`). */
const DAYS_MAXIMUM = 365;

export const linkNotFound = (kind: LinkKind) =>
  new ApiError(`${kind}_link_not_found`, `There is no ${kind} link with this link_id.`);

export const tooManyLinks = (kind: LinkKind) =>
  new ApiError(
    `too_many_${kind}_links`,
    `The campaign has ${LINKS_MAXIMUM} ${kind} links that work, which is the maximum.`,
  );

export const expiresTooLate = () =>
  fieldError(
    'expires_at',
    'too_large',
    `expires_at must be in the future, and at most ${DAYS_MAXIMUM} days from now.`,
  );
