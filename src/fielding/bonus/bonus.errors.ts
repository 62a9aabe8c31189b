import { ApiError } from '../../platform/protocol/api-error';
import { BONUS_DAYS, BONUS_FACTOR, RefusedBonus } from './bonus.types';

export const bonusRefTaken = () =>
  new ApiError(
    'bonus_ref_taken',
    'Your company has paid a bonus with this bonus_ref, to another response or of another amount.',
  );

export const bonusOverBudget = () =>
  new ApiError(
    'bonus_over_budget',
    'The rest of the budget of the campaign does not cover the bonus. Nothing was paid.',
  );

export const bonusOverBalance = () =>
  new ApiError('balance_low', "Your company's balance does not cover the bonus. Nothing was paid.");

/** The errors of the refusals of `pay_bonus`, besides that of an unknown participation. */
export const BONUS_REFUSALS = {
  ref_taken: bonusRefTaken,
  not_submitted: ({ state }: RefusedBonus) =>
    new ApiError(
      'participation_not_submitted',
      `The participation is ${String(state)}; only a submitted one can be paid a bonus.`,
    ),
  erased: () =>
    new ApiError('response_erased', 'The respondent is erased, so nobody can be paid a bonus.'),
  already_paid: () =>
    new ApiError('bonus_already_paid', 'The response was paid another bonus; it has one at most.'),
  too_old: () =>
    new ApiError(
      'response_too_old',
      `The response was submitted more than ${BONUS_DAYS} days ago, so no bonus can be paid.`,
    ),
  too_large: ({ maximum }: RefusedBonus) => {
    const message = `amount must be at most ${Number(maximum)}: ${BONUS_FACTOR} times the largest reward that was promised.`;
    return new ApiError('bonus_too_large', message, [
      { field: 'amount', code: 'too_large', message },
    ]);
  },
} as const;
