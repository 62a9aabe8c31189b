import { Big } from 'big.js';
import type { Scale } from '../../campaigns/campaign/image-survey.rules';

/** Steps that the histogram of a scale has at most. */
export const STEPS_MAXIMUM = 101;

/**
 * The lowest rating of each step of a histogram, as the function `rating_step` makes them: each
 * rating by itself, or as many together as it takes to have no more than {@link STEPS_MAXIMUM}.
 */
export function ratingSteps({ min, max, step }: Scale): number[] {
  const ratings = new Big(max).minus(min).div(step).plus(1);
  const width = ratings.div(STEPS_MAXIMUM).round(0, Big.roundUp).times(step);
  const last = new Big(max).minus(min).div(width).round(0, Big.roundDown).toNumber();
  return Array.from({ length: last + 1 }, (_, index) => width.times(index).plus(min).toNumber());
}
