import { drawOutcome, outcomeLimits, Shares } from '../forecast/attention.rules';
import { drawBelow, Draws } from '../../platform/statistics/random.rules';

/** Attention scores in hundredths that a cohort has. The highest cohort also has 10. */
const BAND = 200;
const COHORTS = 5;

/**
 * Draws what a respondent does: the attention score of the answers, or `undefined` for giving up.
 * Scores of one cohort are equally likely.
 */
export function drawScore(
  completionRate: number,
  shares: Shares,
  draws: Draws,
): number | undefined {
  const cohort = drawOutcome(draws, outcomeLimits(completionRate, shares));
  const hundredths = drawBelow(draws, cohort === COHORTS ? BAND + 1 : BAND);
  return cohort === 0 ? undefined : ((cohort - 1) * BAND + hundredths) / 100;
}

/** The platform's identifier of a respondent: a repeated simulation finds the same ones. */
export function respondentId(seed: number, position: number): string {
  return `simulated ${seed}/${position}`;
}
