import type { Outcome, OutcomeCounts } from './attention.rules';

/** What a campaign has left, and what it pays. Amounts are in cents. */
export interface Terms {
  /** The rewards of the five cohorts, from the lowest. */
  rewards: readonly number[];
  /** Places that are left; `Infinity` without `max_responses`. */
  places: number;
  /** Money that is left; `Infinity` without `budget`. */
  money: number;
}

/** Who may begin, in this order. */
export interface Respondents {
  /** How many there are. */
  number: number;
  /** Returns the outcome of the next one. */
  next: () => Outcome;
  /** Adds the outcomes of the next ones to `counts`. */
  count: (next: number, counts: OutcomeCounts) => void;
}

/** What can end a campaign. */
export type Ending = 'max_responses' | 'budget' | 'quotas' | 'respondents';

/** How a campaign went, from its first respondent to its end. */
export interface Run {
  begun: number;
  /** How many did not submit, and how many submitted in each of the five cohorts. */
  outcomes: OutcomeCounts;
  /** What those were paid whose answers to the screening questions do not qualify, if any. */
  screenOutCost?: number;
  endedBy: Ending;
}

/**
 * Runs a campaign by the rules of the functions `begin_participation`, `submit_participation` and
 * `abandon_participation`. Whoever begins takes a place and has the largest reward held. Whoever
 * submits is paid and frees the rest. Whoever does not submit frees everything, and the place.
 *
 * Respondents begin one after the other. When `concurrent` of them are answering, or what they hold
 * leaves too little for another one, the one who began first finishes before the next one begins.
 */
export function runCampaign(
  { rewards, ...left }: Terms,
  { number, next, count }: Respondents,
  concurrent: number,
): Run {
  const largest = Math.max(...rewards);
  const freed = [largest, ...rewards.map((reward) => largest - reward)];
  const outcomes: OutcomeCounts = [0, 0, 0, 0, 0, 0];
  let { places, money } = left;
  let begun = 0;
  let finished = 0;
  for (;;) {
    // So many can begin whatever becomes of those who are answering, who only free more.
    const able = Math.min(number - begun, places, Math.floor(money / largest));
    const answering = begun - finished;
    if (able > 0 && answering < concurrent) {
      const beginning = Math.min(able, concurrent - answering);
      begun += beginning;
      places -= beginning;
      money -= beginning * largest;
    } else if (able > 0) {
      // Each of them begins as soon as one more has finished.
      count(able, outcomes);
      begun += able;
      finished += able;
      places = left.places - begun + outcomes[0];
      money = left.money - answering * largest - paidFor(outcomes, rewards);
    } else if (answering > 0) {
      do {
        const outcome = next();
        outcomes[outcome] += 1;
        finished += 1;
        places += outcome === 0 ? 1 : 0;
        money += freed[outcome] ?? 0;
      } while (finished < begun && (begun === number || places <= 0 || money < largest));
    } else {
      const endedBy = places <= 0 ? 'max_responses' : money < largest ? 'budget' : 'respondents';
      return { begun, outcomes, endedBy };
    }
  }
}

/** What respondents with these outcomes are paid in all. */
export function paidFor(
  [, one, two, three, four, five]: Readonly<OutcomeCounts>,
  [r1 = 0, r2 = 0, r3 = 0, r4 = 0, r5 = 0]: readonly number[],
): number {
  return one * r1 + two * r2 + three * r3 + four * r4 + five * r5;
}
