import { ApiError } from '../../platform/protocol/api-error';

export const feedbackNotEnabled = () =>
  new ApiError(
    'feedback_not_enabled',
    'This advertisement was not created with has_feedback true.',
  );

export const questionsFixed = () =>
  new ApiError('questions_fixed', "An image survey's content is fixed at its creation.");
