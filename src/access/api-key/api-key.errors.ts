import { ApiError } from '../../platform/protocol/api-error';

export const apiKeyNotFound = () =>
  new ApiError('api_key_not_found', 'There is no such API key, or it is no longer in use.');

export const noLimitToUpdate = () =>
  new ApiError(
    'nothing_to_update',
    'At least one of spending_limit and approval_above is required.',
  );
