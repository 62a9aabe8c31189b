/** The attention scores: decimals from 0 to 10 with at most two places. */
export const ATTENTION_SCORE = { minimum: 0, maximum: 10, places: 2 } as const;

const COHORTS = 5;

/** How many points a cohort spans. */
const BAND = 2;

/**
 * Returns the cohort of an attention score, from 1 to 5 (section 2.3). The bands of the
 * specification share their borders: a score on a border belongs to the higher band.
 */
export function cohortOf(attentionScore: number): number {
  // Exact, as halving a double is.
  return Math.min(COHORTS, Math.floor(attentionScore / BAND) + 1);
}
