import type { Outcome, OutcomeCounts } from './attention.rules';

/** What a campaign has left, and what it pays. Amounts are in cents. */
export interface Terms {
  /** The rewards of the five cohorts, from the lowest. */
  rewards: readonly number[];
  /** Places that are left; `Infinity` without `max_responses`. */
  places: number;
  /** Money that is left; `Infinity` without `budget`. */
  money: number;
  /** Responses until enough is known; by default, nothing waits for that. */
  knownAfter?: number;
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
export type Ending = 'known_enough' | 'max_responses' | 'budget' | 'quotas' | 'respondents';

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
 * When enough is known, nobody else begins.
 */
export function runCampaign(
  { rewards, knownAfter = Infinity, ...left }: Terms,
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
    const unknown = knownAfter - (finished - outcomes[0]);
    const able = unknown > 0 ? Math.min(number - begun, places, Math.floor(money / largest)) : 0;
    // Whatever becomes of so many, too little is known yet.
    const following = Math.min(able, unknown - 1);
    const answering = begun - finished;
    if (able > 0 && answering < concurrent) {
      const beginning = Math.min(able, concurrent - answering);
      begun += beginning;
      places -= beginning;
      money -= beginning * largest;
    } else if (following > 0) {
      // Each of them begins as soon as one more has finished.
      count(following, outcomes);
      begun += following;
      finished += following;
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
      return { begun, outcomes, endedBy: endingOf({ unknown, places, money }, largest) };
    }
  }
}

/** What ended a campaign that nobody can begin, or that nobody else comes to. */
export function endingOf(
  { unknown, places, money }: { unknown: number; places: number; money: number },
  largest: number,
): Ending {
  return unknown <= 0
    ? 'known_enough'
    : places <= 0
      ? 'max_responses'
      : money < largest
        ? 'budget'
        : 'respondents';
}

/** What respondents with these outcomes are paid in all. */
export function paidFor(
  [, one, two, three, four, five]: Readonly<OutcomeCounts>,
  [r1 = 0, r2 = 0, r3 = 0, r4 = 0, r5 = 0]: readonly number[],
): number {
  return one * r1 + two * r2 + three * r3 + four * r4 + five * r5;
}
