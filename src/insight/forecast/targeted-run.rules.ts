import type { Outcome, OutcomeCounts } from './attention.rules';
import { NO_QUALIFYING_ANSWER } from '../../campaigns/targeting/targeting.types';
import type { Crowd } from './crowd.rules';
import { endingOf, Run, Terms } from './model.rules';

/** Who comes, in this order. */
export interface Comers {
  /** How many there are. */
  number: number;
  /** Returns the place of the group of the next one. */
  group: () => number;
  /** Returns the outcome of the next one who finishes. */
  outcome: () => Outcome;
}

/** How a campaign with targeting went. */
export interface TargetedRun extends Run {
  /** How many came, also those whom it refused. */
  came: number;
  /** How many each rule screened out. */
  screenedOut: number[];
  /** How many were paid because their answers do not qualify. */
  screenOuts: number;
  /** How many each quota turned away because it was full. */
  turnedAway: number[];
  /** How many submitted in each quota. */
  submitted: number[];
  /** How many had come when each quota was full for good; 0 for one that was not. */
  filledAfter: number[];
  /** The place of the last quota that was filled, if nobody could begin then; otherwise `null`. */
  lastFilled: number | null;
}

/** The quotas of a run: their places, and who can still begin. */
class Places {
  readonly taken: number[];
  /** Groups that are not screened out and match no full quota. */
  openGroups: number;
  /** How many full quotas each group matches. */
  private readonly full: number[];
  private readonly matching: number[][];

  constructor(private readonly crowd: Crowd) {
    const { groups, left } = crowd;
    this.taken = left.map(() => 0);
    this.full = groups.map(() => 0);
    this.matching = left.map(() => []);
    this.openGroups = groups.filter(({ refusedBy }) => refusedBy === null).length;
    for (const [place, { quotas }] of groups.entries()) {
      quotas.forEach((quota) => this.matching[quota]?.push(place));
    }
    left.forEach((places, quota) => {
      if (places <= 0) {
        this.block(quota, 1);
      }
    });
  }

  /** Takes a place in each of these quotas, or returns the first one that has none. */
  take(quotas: readonly number[]): number | undefined {
    const full = quotas.find((quota) => this.isFull(quota));
    if (full === undefined) {
      for (const quota of quotas) {
        this.taken[quota] = (this.taken[quota] ?? 0) + 1;
        if (this.isFull(quota)) {
          this.block(quota, 1);
        }
      }
    }
    return full;
  }

  giveBack(quotas: readonly number[]): void {
    for (const quota of quotas) {
      if (this.isFull(quota)) {
        this.block(quota, -1);
      }
      this.taken[quota] = (this.taken[quota] ?? 0) - 1;
    }
  }

  private isFull(quota: number): boolean {
    return (this.taken[quota] ?? 0) >= (this.crowd.left[quota] ?? 0);
  }

  private block(quota: number, change: 1 | -1): void {
    for (const group of this.matching[quota] ?? []) {
      const before = this.full[group] ?? 0;
      this.full[group] = before + change;
      this.openGroups -= before === 0 ? 1 : this.full[group] === 0 ? -1 : 0;
    }
  }
}

/**
 * Runs a campaign with targeting, by the rules of `runCampaign` and of the functions `take_cells`,
 * `submit_cells` and `leave_cells`. Respondents come one after the other, as long as anybody can
 * begin. Whoever is refused does not come again.
 */
export function runTargeted(
  { rewards, knownAfter = Infinity, ...terms }: Terms,
  crowd: Crowd,
  { number, group, outcome }: Comers,
  concurrent: number,
): TargetedRun {
  const { groups, left, screenOuts } = crowd;
  const notQualified = crowd.rules.indexOf(NO_QUALIFYING_ANSWER);
  const largest = Math.max(...rewards);
  const places = new Places(crowd);
  const outcomes: OutcomeCounts = [0, 0, 0, 0, 0, 0];
  const screenedOut = crowd.rules.map(() => 0);
  const turnedAway = left.map(() => 0);
  const submitted = left.map(() => 0);
  const filledAfter = left.map(() => 0);
  const answering: (readonly number[])[] = [];
  let [finished, came, lastFilled, paidOut] = [0, 0, -1, 0];
  let { places: free, money } = terms;

  const come = () => {
    came += 1;
    const { refusedBy, quotas } = groups[group()] ?? { refusedBy: null, quotas: [] };
    const full = refusedBy === null ? places.take(quotas) : undefined;
    if (refusedBy !== null) {
      screenedOut[refusedBy] = (screenedOut[refusedBy] ?? 0) + 1;
      if (refusedBy === notQualified && paidOut < screenOuts.left && money >= screenOuts.reward) {
        paidOut += screenOuts.reward > 0 ? 1 : 0;
        money -= screenOuts.reward;
      }
    } else if (full !== undefined) {
      turnedAway[full] = (turnedAway[full] ?? 0) + 1;
    } else {
      answering.push(quotas);
      free -= 1;
      money -= largest;
    }
  };
  const finish = () => {
    const quotas = answering[finished] ?? [];
    const result = outcome();
    finished += 1;
    outcomes[result] += 1;
    money += largest - (result === 0 ? 0 : (rewards[result - 1] ?? 0));
    if (result === 0) {
      free += 1;
      places.giveBack(quotas);
      return;
    }
    for (const quota of quotas) {
      submitted[quota] = (submitted[quota] ?? 0) + 1;
      if (submitted[quota] === left[quota]) {
        filledAfter[quota] = came;
        lastFilled = quota;
      }
    }
  };
  for (;;) {
    const unknown = knownAfter - (finished - outcomes[0]);
    const isOpen = unknown > 0 && free > 0 && money >= largest;
    if (
      isOpen &&
      came < number &&
      places.openGroups > 0 &&
      answering.length - finished < concurrent
    ) {
      come();
    } else if (finished < answering.length) {
      finish();
    } else {
      const endedBy =
        isOpen && places.openGroups === 0
          ? 'quotas'
          : endingOf({ unknown, places: free, money }, largest);
      return {
        begun: finished,
        outcomes,
        endedBy,
        came,
        screenedOut,
        screenOuts: paidOut,
        screenOutCost: paidOut * screenOuts.reward,
        turnedAway,
        submitted,
        filledAfter,
        lastFilled: endedBy === 'quotas' && lastFilled >= 0 ? lastFilled : null,
      };
    }
  }
}
