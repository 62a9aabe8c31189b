import { ApiError } from '../../platform/protocol/api-error';

export const disputeNotFound = () =>
  new ApiError('dispute_not_found', 'The participation is not disputed.');

export const disputeClosed = (state: string) =>
  new ApiError('dispute_closed', `The dispute is ${state}, so it cannot be decided any more.`);

/** The errors of the refusals of `open_dispute`, besides that of an unknown participation. */
export const DISPUTE_REFUSALS = {
  exists: () =>
    new ApiError('dispute_exists', 'The response was disputed before, for another reason.'),
  not_submitted: (state: string | null) =>
    new ApiError(
      'participation_not_submitted',
      `The participation is ${String(state)}; only a submitted one can be disputed.`,
    ),
  erased: () =>
    new ApiError('response_erased', 'The respondent is erased, so nobody can look at the answers.'),
  not_offered: () =>
    new ApiError(
      'disputes_not_offered',
      'The campaign states no review_days, or no maximum_dispute_share, so nothing can be disputed.',
    ),
  too_old: () =>
    new ApiError(
      'response_too_old',
      'The review_days of the campaign have passed since the submission.',
    ),
  share_reached: () =>
    new ApiError(
      'dispute_share_reached',
      'As many responses are disputed as maximum_dispute_share of the campaign allows, rounded down.',
    ),
} as const;
