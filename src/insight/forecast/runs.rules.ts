import { countOutcomes, drawOutcome, OutcomeCounts, OutcomeLimits } from './attention.rules';
import { Crowd, drawGroup } from './crowd.rules';
import { runCampaign, Terms } from './model.rules';
import type { Size } from './plan.rules';
import type { Draws } from '../../platform/statistics/random.rules';
import { RunSummary, Start, Summary } from './summary.rules';
import { runTargeted } from './targeted-run.rules';
import { TargetedRunSummary, TargetingSummary } from './targeting-summary.rules';

/** What a forecast computes. */
export interface Task extends Size {
  terms: Terms;
  start: Start;
  limits: OutcomeLimits;
  concurrent: number;
  /** Who may come to a campaign with targeting; `null` without. */
  crowd: Crowd | null;
  /** Responses until enough is known, of one run after the other. */
  knownAfter?: readonly number[];
  /** One stream of draws for each run. */
  streams: Iterator<Draws, never>;
}

/**
 * Work between two turns of other requests, in respondents; the last run before a turn can exceed
 * it. `npm run bench -- forecast` measures how long that is: a few milliseconds.
 */
export const PORTION = 200_000;

/** The work of a run besides its respondents, such as finding its draws, in respondents. */
export const RUN = 200;

/** The work of one who comes to a campaign with targeting, in respondents. */
const TARGETED = 20;

/** @param turn lets other requests have their turn; it can end the work by an error */
export async function summaryOfRuns(
  task: Task,
  turn: () => Promise<void>,
): Promise<Summary & { targeting: TargetingSummary | null }> {
  const {
    start,
    runs,
    knownAfter = [],
    respondents: number,
    limits,
    concurrent,
    crowd,
    streams,
  } = task;
  const summary = new RunSummary(start, task.terms, runs);
  const targeted = crowd && new TargetedRunSummary(crowd, runs);
  let work = 0;
  for (let index = 0; index < runs; index += 1) {
    const draws = streams.next().value;
    const known = knownAfter[index % Math.max(1, knownAfter.length)];
    const terms = known === undefined ? task.terms : { ...task.terms, knownAfter: known };
    const next = () => drawOutcome(draws, limits);
    if (crowd === null) {
      const count = (many: number, counts: OutcomeCounts) => {
        countOutcomes(draws, limits, many, counts);
      };
      const run = runCampaign(terms, { number, next, count }, concurrent);
      summary.add(run);
      work += RUN + run.begun;
    } else {
      const comers = { number, group: drawGroup(crowd, draws), outcome: next };
      const run = runTargeted(terms, crowd, comers, concurrent);
      summary.add(run);
      targeted?.add(run);
      work += RUN + TARGETED * run.came;
    }
    if (work >= PORTION) {
      await turn();
      work = 0;
    }
  }
  await turn();
  return { ...summary.summarize(), targeting: targeted?.summarize() ?? null };
}
