import { ApiError } from '../../platform/protocol/api-error';

/** What is told of a request that waits; plain data, which an idempotency record keeps. */
export interface Waiting {
  approval_id: string;
  limit: number;
  required?: number;
  currency: string;
  expires_at: string;
}

export function approvalRequired(waiting: Waiting): ApiError {
  const { limit, required, currency } = waiting;
  const cost =
    required === undefined
      ? 'Nothing limits what the campaign could cost'
      : `The campaign could cost ${required} ${currency}`;
  return new ApiError(
    'approval_required',
    `${cost}, and this API key may commit ${limit} ${currency} without an approval. The request waits for your account.`,
    [],
    {},
    waiting,
  );
}

export const approvalNotFound = () =>
  new ApiError('approval_not_found', 'There is no approval with this approval_id.');

export const approvalClosed = (state: string) =>
  new ApiError('approval_closed', `The request is ${state}, so it cannot be decided any more.`);

export const approvalRefused = (reason: string | null) =>
  new ApiError(
    'approval_refused',
    reason === null
      ? 'Your account has refused this request.'
      : `Your account has refused this request: ${reason}`,
  );

export const tooManyApprovals = () =>
  new ApiError('too_many_approvals', '50 requests of your company wait for an approval already.');

export const approvalKeyEnded = () =>
  new ApiError(
    'approval_key_ended',
    'The API key that sent the request was revoked or has expired.',
  );

export const approvalOutdated = () =>
  new ApiError(
    'version_conflict',
    'The campaign has changed since the request was made. Nothing was changed; the request has to be made again.',
  );
