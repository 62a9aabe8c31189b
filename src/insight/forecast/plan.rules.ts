import { ApiError, fieldError } from '../../platform/protocol/api-error';
import { sumOf } from '../../platform/statistics/linear-algebra.rules';
import type { Crowd } from './crowd.rules';
import type { Expectation } from './expectation.rules';
import type { Terms } from './model.rules';

/** How often a campaign is run. */
export const RUNS = { minimum: 100, maximum: 10_000 } as const;

const RUNS_DEFAULT = 2_000;

const CENTS = 100;

/** The most respondents of all runs together: about half a second of work for one core. */
const WORK_MAXIMUM = 20_000_000;

/** How many begin in each run. */
export const RESPONDENTS = { minimum: 1, maximum: WORK_MAXIMUM / RUNS.minimum } as const;

/** How many answer at once. */
export const CONCURRENT = { minimum: 1, maximum: 100_000 } as const;

export const CONCURRENT_DEFAULT = 20;

/** The largest amount of a forecast. A JSON number keeps the cents of amounts below 2^46. */
export const AMOUNT_MAXIMUM = 70_000_000_000_000;

/** How much to compute. */
export interface Size {
  runs: number;
  /** How many begin at most, in each run; with targeting, how many come. */
  respondents: number;
}

/**
 * Decides how often to run a campaign, and with how many respondents.
 *
 * @throws ApiError `validation_failed` if the request asks for too much, `respondents_required` if
 *   it leaves the number of respondents to limits that the campaign does not have, or that end it
 *   too late
 */
export function sizeOf(
  asked: Partial<Size>,
  terms: Terms,
  expectation: Pick<Expectation, 'shares' | 'completionRate'>,
  crowd: Crowd | null = null,
): Size {
  const respondents = asked.respondents ?? enoughFor(terms, expectation, crowd);
  const affordable = Math.floor(WORK_MAXIMUM / respondents);
  const runs = asked.runs ?? Math.min(RUNS_DEFAULT, affordable);
  if (runs <= affordable && runs >= RUNS.minimum) {
    return { runs, respondents };
  }
  throw asked.respondents === undefined
    ? respondentsRequired(respondents, affordable)
    : tooMuch(affordable);
}

/**
 * Returns a number of respondents with which a limit ends the campaign, but for a chance of less
 * than 1 in 10^12: by Chernoff's bound for sums of terms from 0 to 1. With targeting, those who
 * match no quota are enough; if there are none, it ends once each group matches a full quota.
 */
function enoughFor(
  { rewards, places, money }: Terms,
  { shares, completionRate }: Pick<Expectation, 'shares' | 'completionRate'>,
  crowd: Crowd | null,
): number {
  const largest = Math.max(...rewards);
  const meanReward = rewards.reduce(
    (sum, reward, cohort) => sum + reward * (shares[cohort] ?? 0),
    0,
  );
  /** @param limit what all respondents use, and `mean` what one uses; at most 1 */
  const until = (limit: number, mean: number) =>
    Math.ceil((limit + 10 * Math.sqrt(limit) + 50) / mean);
  const admitted = (crowd?.groups ?? []).flatMap(({ refusedBy, quotas }, place) =>
    refusedBy === null ? [{ quotas, share: crowd?.shares[place] ?? 0 }] : [],
  );
  const free =
    crowd === null
      ? 1
      : sumOf(admitted.filter(({ quotas }) => quotas.length === 0).map(({ share }) => share));
  if (free === 0) {
    const needed = admitted.map(({ quotas, share }) =>
      until(Math.min(...quotas.map((quota) => crowd?.left[quota] ?? 0)), share * completionRate),
    );
    return Math.max(1, ...needed);
  }
  return Math.min(
    until(places, free * completionRate),
    until(money / largest, (free * completionRate * meanReward) / largest),
  );
}

/**
 * Refuses a number of respondents whose amounts a response could not state exactly.
 *
 * @param spent what the campaign has paid already, in cents
 * @throws ApiError `validation_failed`
 */
export function checkAmounts(
  respondents: number,
  { rewards }: Pick<Terms, 'rewards'>,
  spent: bigint,
): void {
  const left = BigInt(AMOUNT_MAXIMUM * CENTS) - spent;
  const exact = left / BigInt(Math.max(...rewards));
  if (respondents > exact) {
    const message = `respondents must be at most ${exact}, because the amounts of more could exceed ${AMOUNT_MAXIMUM}, which is not exact in JSON.`;
    throw fieldError('respondents', 'too_large', message);
  }
}

function tooMuch(affordable: number): ApiError {
  const message = `runs must be at most ${affordable}, because runs × respondents is at most ${WORK_MAXIMUM}.`;
  return fieldError('runs', 'too_large', message);
}

function respondentsRequired(respondents: number, affordable: number): ApiError {
  if (!Number.isFinite(respondents)) {
    const message = 'The campaign has no limit that ends it. Send respondents.';
    return new ApiError('respondents_required', message);
  }
  const why = `The limits of the campaign may take ${respondents} respondents`;
  const message =
    affordable < RUNS.minimum
      ? `${why}, which are too many for ${RUNS.minimum} runs. Send respondents.`
      : `${why}, which are too many for so many runs. Send respondents, or at most ${affordable} runs.`;
  return new ApiError('respondents_required', message);
}
