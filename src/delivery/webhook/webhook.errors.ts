import { ApiError, fieldError } from '../../platform/protocol/api-error';

export const webhookNotFound = () =>
  new ApiError('webhook_not_found', 'There is no webhook with this webhook_id.');

export const tooManyWebhooks = () =>
  new ApiError('too_many_webhooks', 'Your company has 20 webhooks, which is the maximum.');

export const webhookDisabled = () =>
  new ApiError('webhook_disabled', 'This webhook is disabled and receives no events.');

export const nothingToUpdate = () =>
  new ApiError(
    'nothing_to_update',
    'At least one field besides webhook_id must be present in an update.',
  );

/** @param why continues a sentence that begins with the field's name */
export const urlRefused = (why: string) => fieldError('url', 'invalid_url', `url ${why}.`);

export const oneOfReplays = () =>
  new ApiError('validation_failed', 'Send exactly one of event_id, after_seq and failed_since.', [
    {
      field: 'event_id',
      code: 'required',
      message: 'Exactly one of event_id, after_seq and failed_since is required.',
    },
  ]);
