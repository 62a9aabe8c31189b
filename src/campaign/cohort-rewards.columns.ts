import { Column } from 'typeorm';

/** PostgreSQL's exact decimal with two places, as a decimal string in TypeScript. */
export const MONEY_COLUMN = { type: 'numeric', precision: 12, scale: 2 } as const;

/**
 * The rewards of the five attention cohorts (section 2.3), as exact decimals such as `"79.20"`.
 * They are part of the campaign's row, so that the rules that tie them to `reward_amount` are
 * checks of one row and always hold.
 */
export class CohortRewards {
  /** Attention score 0–2. */
  @Column(MONEY_COLUMN)
  cohort1Reward!: string;

  /** Attention score 2–4. */
  @Column(MONEY_COLUMN)
  cohort2Reward!: string;

  /** Attention score 4–6. */
  @Column(MONEY_COLUMN)
  cohort3Reward!: string;

  /** Attention score 6–8. */
  @Column(MONEY_COLUMN)
  cohort4Reward!: string;

  /** Attention score 8–10; equals the campaign's `reward_amount`. */
  @Column(MONEY_COLUMN)
  cohort5Reward!: string;
}
