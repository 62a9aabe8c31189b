import { ApiError } from '../../platform/protocol/api-error';

export const cohortRewardMismatch = (field = 'cohort_5_reward') => {
  const message = "cohort_5_reward must equal the campaign's reward_amount.";
  return new ApiError('cohort_reward_mismatch', message, [
    { field, code: 'differs_from_reward_amount', message },
  ]);
};
