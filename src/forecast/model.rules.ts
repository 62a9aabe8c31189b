/** What a campaign has left, and what it pays. Amounts are in cents. */
export interface Terms {
  /** The rewards of the five cohorts, from the lowest. */
  rewards: readonly number[];
  /** Places that are left; `Infinity` without `max_responses`. */
  places: number;
  /** Money that is left; `Infinity` without `budget`. */
  money: number;
}

/** What can end a campaign. */
export type Ending = 'max_responses' | 'budget' | 'respondents';

/** How a campaign went, from its first respondent to its end. */
export interface Run {
  begun: number;
  /** How many did not submit, and how many submitted in each of the five cohorts. */
  outcomes: ArrayLike<number>;
  endedBy: Ending;
}

const OUTCOMES = 6;

/**
 * Runs a campaign by the rules of the functions `begin_participation`, `submit_participation` and
 * `abandon_participation`. Whoever begins takes a place and has the largest reward held. Whoever
 * submits is paid and frees the rest. Whoever does not submit frees everything, and the place.
 *
 * Respondents begin one after the other. When `concurrent` of them are answering, or what they hold
 * leaves too little for another one, the one who began first finishes before the next one begins.
 *
 * @param outcomes what becomes of each respondent, in the order in which they begin: 0 for not
 *   submitting, otherwise the cohort
 */
export function runCampaign(
  { rewards, places, money }: Terms,
  outcomes: Uint8Array,
  concurrent: number,
): Run {
  const held = Math.max(...rewards);
  const freed = Float64Array.of(held, ...rewards.map((reward) => held - reward));
  const counts = new Uint32Array(OUTCOMES);
  let begun = 0;
  let finished = 0;
  for (;;) {
    const canBegin = begun < outcomes.length && places > 0 && money >= held;
    if (canBegin && begun - finished < concurrent) {
      begun += 1;
      places -= 1;
      money -= held;
    } else if (finished < begun) {
      const outcome = outcomes[finished] ?? 0;
      finished += 1;
      counts[outcome] = (counts[outcome] ?? 0) + 1;
      places += outcome === 0 ? 1 : 0;
      money += freed[outcome] ?? 0;
    } else {
      const endedBy = places <= 0 ? 'max_responses' : money < held ? 'budget' : 'respondents';
      return { begun, outcomes: counts, endedBy };
    }
  }
}
