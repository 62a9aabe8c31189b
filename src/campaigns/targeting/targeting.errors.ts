import {
  ApiError,
  fieldDetail,
  fieldError,
  retryLater,
  summarize,
} from '../../platform/protocol/api-error';

/** Refuses limits below what is taken already, by their positions among the quotas. */
export function quotaBelowTaken(positions: readonly number[], parent: string): ApiError {
  const details = positions.map((position) =>
    fieldDetail(
      `${parent}quotas[${position}].limit`,
      'too_small',
      'must be at least the number of places that are taken',
    ),
  );
  return new ApiError('quota_below_taken', summarize(details), details);
}

/** For a campaign whose removed quotas have all numbers of cells. */
export const tooManyQuotas = (parent: string) =>
  fieldError(
    `${parent}quotas`,
    'too_many',
    `${parent}quotas must have names of earlier quotas, because the campaign keeps the counts of as many as it can.`,
  );

/** Refuses a respondent whom the campaign does not ask. */
export const screenedOut = (rule: string) =>
  new ApiError(
    'screened_out',
    'The campaign does not ask this respondent: rule says which of its rules is not met.',
    [],
    {},
    { rule },
  );

/** Refuses a respondent whose answers do not qualify, and who was paid for them. */
export const paidScreenOut = ({ rule, reward, currency }: PaidScreenOut) =>
  new ApiError(
    'screened_out',
    'The answers do not qualify the respondent, who was paid reward for them.',
    [],
    {},
    { rule, reward, currency },
  );

/** What a respondent was paid whose answers do not qualify, once. */
export interface PaidScreenOut {
  rule: string;
  reward: number;
  currency: string;
}

/** Refuses whoever would begin sooner than the pace of the campaign allows. */
export const paceReached = (seconds: number) =>
  retryLater(
    'pace_reached',
    'As many respondents as the campaign allows have begun it within the last hour.',
    seconds,
  );

/** Refuses a respondent who matches a quota that has no place left. */
export const quotaFull = (rule: string) =>
  new ApiError(
    'quota_full',
    'A quota that the respondent matches has no place left: rule is its name. A place can become free when another respondent gives up or runs out of time.',
    [],
    {},
    { rule },
  );
