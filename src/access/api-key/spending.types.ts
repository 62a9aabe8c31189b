/** How long a spending limit counts before it begins again, by the database's clock in UTC. */
export const SPENDING_PERIODS = ['day', 'month', 'total'] as const;

export type SpendingPeriod = (typeof SPENDING_PERIODS)[number];

export interface SpendingLimit {
  /** In the company's currency. */
  amount: number;
  per: SpendingPeriod;
}

/** The limits of a key; of those that are missing, nothing is said. */
export interface KeyLimits {
  spending_limit?: SpendingLimit | null;
  /** What a campaign may cost without an approval, in the company's currency. */
  approval_above?: number | null;
}

/** What a key has committed in the current period of its limit. */
export interface KeySpending {
  currency: string;
  /** An exact decimal; `null` without a limit. */
  committed: string | null;
  resetsAt: Date | null;
}
