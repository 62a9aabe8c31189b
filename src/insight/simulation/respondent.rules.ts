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

/** Milliseconds that any response takes, and each answer of a careful respondent. */
const START = 3_000;
const ANSWER = [2_000, 10_000] as const;

/**
 * Draws how long a respondent takes, in milliseconds. The careful take more than twice as long as
 * the careless.
 */
export function drawAnswerTime(score: number, answers: number, draws: Draws): number {
  const [least, most] = ANSWER;
  let time = START;
  for (let answer = 0; answer < answers; answer += 1) {
    time += least + drawBelow(draws, most - least);
  }
  return Math.round((time * (4 + 0.6 * score)) / 10);
}

/** The platform's identifier of a respondent: a repeated simulation finds the same ones. */
export function respondentId(seed: number, position: number): string {
  return `simulated ${seed}/${position}`;
}
