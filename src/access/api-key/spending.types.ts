/** How long a spending limit counts before it begins again, by the database's clock in UTC. */
export const SPENDING_PERIODS = ['day', 'month', 'total'] as const;

export type SpendingPeriod = (typeof SPENDING_PERIODS)[number];

export interface SpendingLimit {
  /** In the company's currency. */
  amount: number;
  per: SpendingPeriod;
}

/** What a key has committed in the current period of its limit. */
export interface KeySpending {
  currency: string;
  /** An exact decimal; `null` without a limit. */
  committed: string | null;
  resetsAt: Date | null;
}
