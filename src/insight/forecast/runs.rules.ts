import { countOutcomes, drawOutcome, OutcomeLimits } from './attention.rules';
import { runCampaign, Terms } from './model.rules';
import type { Size } from './plan.rules';
import type { Draws } from '../../platform/statistics/random.rules';
import { RunSummary, Start, Summary } from './summary.rules';

/** What a forecast computes. */
export interface Task extends Size {
  terms: Terms;
  start: Start;
  limits: OutcomeLimits;
  concurrent: number;
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

/** @param turn lets other requests have their turn; it can end the work by an error */
export async function summaryOfRuns(task: Task, turn: () => Promise<void>): Promise<Summary> {
  const { terms, start, runs, respondents: number, limits, concurrent, streams } = task;
  const summary = new RunSummary(start, terms, runs);
  let work = 0;
  for (let index = 0; index < runs; index += 1) {
    const draws = streams.next().value;
    const run = runCampaign(
      terms,
      {
        number,
        next: () => drawOutcome(draws, limits),
        count: (next, counts) => {
          countOutcomes(draws, limits, next, counts);
        },
      },
      concurrent,
    );
    summary.add(run);
    work += RUN + run.begun;
    if (work >= PORTION) {
      await turn();
      work = 0;
    }
  }
  await turn();
  return summary.summarize();
}
