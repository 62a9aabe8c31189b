import type { Crowd } from './crowd.rules';
import type { ForecastCountsDto } from './forecast-figures.dto';
import { counts, percentilesOf } from './summary.rules';
import type { TargetedRun } from './targeted-run.rules';

/** What all runs together say of a quota. */
export interface QuotaSummary {
  /** Those who submit in it, on average over the runs. */
  submitted: number;
  /** Those whom it turns away because it is full, on average. */
  turnedAway: number;
  /** The part of the runs in which it is full in the end. */
  filled: number;
  /** How many have come by then; `null` if it is never filled. */
  filledAfter: Omit<ForecastCountsDto, 'mean'> | null;
  /** The part of the runs that it ends, because nobody can begin once it is full. */
  ends: number;
}

/** What all runs together say of the targeting. */
export interface TargetingSummary {
  came: ForecastCountsDto;
  /** Those whom each rule screens out, on average. */
  screenedOut: { rule: string; refused: number }[];
  /** How many are paid because their answers do not qualify, on average. */
  screenOuts: number;
  /** What they are paid, on average, in minor units. */
  screenOutCost: number;
  /** In the order of the quotas. */
  quotas: QuotaSummary[];
}

/** Collects the runs of a campaign with targeting. */
export class TargetedRunSummary {
  private added = 0;
  private readonly came: Float64Array;
  private readonly screenedOut: number[];
  private screenOuts = 0;
  private readonly quotas;

  /** @param runs how many there will be */
  constructor(
    private readonly crowd: Crowd,
    runs: number,
  ) {
    this.came = new Float64Array(runs);
    this.screenedOut = crowd.rules.map(() => 0);
    this.quotas = crowd.left.map(() => ({
      submitted: 0,
      turnedAway: 0,
      ends: 0,
      filledAfter: new Uint32Array(runs),
    }));
  }

  add(run: TargetedRun): void {
    const { came, screenedOut, screenOuts, lastFilled } = run;
    this.screenOuts += screenOuts;
    for (const [rule, count] of screenedOut.entries()) {
      this.screenedOut[rule] = (this.screenedOut[rule] ?? 0) + count;
    }
    for (const [place, quota] of this.quotas.entries()) {
      quota.submitted += run.submitted[place] ?? 0;
      quota.turnedAway += run.turnedAway[place] ?? 0;
      quota.ends += lastFilled === place ? 1 : 0;
      quota.filledAfter[this.added] = run.filledAfter[place] ?? 0;
    }
    this.came[this.added] = came;
    this.added += 1;
  }

  summarize(): TargetingSummary {
    const mean = (sum: number) => Math.round((100 * sum) / this.added) / 100;
    return {
      came: counts(this.came.toSorted()),
      screenedOut: this.crowd.rules.map((rule, place) => ({
        rule,
        refused: mean(this.screenedOut[place] ?? 0),
      })),
      screenOuts: mean(this.screenOuts),
      screenOutCost: Math.round((this.screenOuts * this.crowd.screenOuts.reward) / this.added),
      quotas: this.quotas.map(({ submitted, turnedAway, ends, filledAfter }) => {
        const filled = Float64Array.from(filledAfter.filter((came) => came > 0)).sort();
        return {
          submitted: mean(submitted),
          turnedAway: mean(turnedAway),
          filled: filled.length / this.added,
          filledAfter: filled.length === 0 ? null : percentilesOf(filled, Number),
          ends: ends / this.added,
        };
      }),
    };
  }
}
