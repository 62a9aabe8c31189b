import { ApiError } from '../../platform/protocol/api-error';

export const apiKeyNotFound = () =>
  new ApiError('api_key_not_found', 'There is no such API key, or it is no longer in use.');
