import type { StoredId } from '../../platform/database/identifiers';

/** Days after the submission in which a bonus can be paid. `pay_bonus` has the same. */
export const BONUS_DAYS = 90;

/** A bonus is at most so many times the largest reward that the respondent was promised. */
export const BONUS_FACTOR = 10;

/** A bonus as it is stored. */
export interface PaidBonus {
  postId: string;
  participationId: StoredId;
  /** An exact decimal. */
  amount: string;
  paidAt: Date;
}

/** What a refusal of `pay_bonus` is about. */
export interface RefusedBonus {
  state: string | null;
  /** The most that the participation can be paid, as a decimal. */
  maximum: string | null;
}
