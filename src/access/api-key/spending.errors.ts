import { ApiError } from '../../platform/protocol/api-error';
import type { ErrorCode } from '../../platform/protocol/error-codes';
import type { SpendingPeriod } from './spending.types';

/** What the function `charge_campaign` says of a limit that a change exceeds. */
interface ExceededLimit {
  limit: number;
  per: SpendingPeriod;
  left: number;
  required: number;
  currency: string;
  resets_at: string | null;
}

const PER: Readonly<Record<SpendingPeriod, string>> = {
  day: 'a day',
  month: 'a month',
  total: 'in total',
};

function spendingLimitExceeded(detail = '{}'): ApiError {
  const exceeded = JSON.parse(detail) as ExceededLimit;
  const { limit, per, left, required, currency } = exceeded;
  return new ApiError(
    'spending_limit_exceeded',
    `This API key may commit ${limit} ${currency} ${PER[per]}. ${left} is left, and this takes ${required}.`,
    [],
    {},
    { ...exceeded },
  );
}

const unboundedCost = () =>
  new ApiError(
    'unbounded_cost',
    'This API key has a spending limit, and nothing limits what the campaign can cost. Set max_responses or budget first.',
  );

interface UnapprovedCost {
  limit: number;
  required: number | null;
  currency: string;
}

/** Where no request waits, such as in a dry run, it has no `approval_id`. */
function approvalRequired(detail = '{}'): ApiError {
  const { limit, required, currency } = JSON.parse(detail) as UnapprovedCost;
  return new ApiError(
    'approval_required',
    `This API key may commit ${limit} ${currency} without an approval by your account.`,
    [],
    {},
    { limit, ...(required === null ? {} : { required }), currency },
  );
}

/** The errors of the constraints that a change violates which commits more than its key may. */
export const SPENDING_ERRORS = {
  campaign_cost_bounded: unboundedCost,
  key_spending_within_limit: spendingLimitExceeded,
  campaign_commitment_approved: approvalRequired,
} as const;

/** The codes of these errors, for each route that can start or enlarge a campaign. */
export const SPENDING_ERROR_CODES = [
  'spending_limit_exceeded',
  'unbounded_cost',
] as const satisfies readonly ErrorCode[];
