import { Column } from 'typeorm';

/** PostgreSQL's exact decimal with two places; arrives and leaves as a decimal string. */
export const MONEY_COLUMN = { type: 'numeric', precision: 12, scale: 2 } as const;

/**
 * What each of the five attention cohorts is paid (section 2.3), as exact decimals such as
 * `"79.20"`. Part of the campaign's row, so that the rules which tie it to `reward_amount` are
 * checks of that row and hold at every moment.
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
