import type { Condition } from './condition.rules';
import { evaluate, Firing } from './evaluate.rules';
import { emptyState, LogEntry, WatchState } from './watch-state.rules';

/** A guardrail that is tried on the history of one campaign, as far as it was read. */
export interface Trial {
  state: WatchState;
  /** Where it would have fired. */
  fired: Firing | null;
  /** Responses and reversals that were read. */
  responses: number;
  reversals: number;
  /** Responses after the firing, and what they were paid, in hundredths. */
  responsesAfter: number;
  spentAfter: number;
}

export function newTrial(): Trial {
  return {
    state: emptyState(),
    fired: null,
    responses: 0,
    reversals: 0,
    responsesAfter: 0,
    spentAfter: 0,
  };
}

/**
 * Continues a trial with the next entries of the log, by the function that live guardrails use. A
 * pure function.
 *
 * @param entries responses, reversals and starts of the campaign in the order of the log
 * @param since the number of the event after which the guardrail watches
 */
export function continueTrial(
  trial: Trial,
  conditions: readonly Condition[],
  entries: readonly LogEntry[],
  since: number,
): Trial {
  if (entries.length === 0) {
    return trial;
  }
  const { state, fired } =
    trial.fired === null ? evaluate(conditions, trial.state, entries, since) : trial;
  const submitted = entries.filter(({ is_start, reverses }) => !is_start && reverses === null);
  const reversed = entries.filter(({ reverses }) => reverses !== null);
  const after = fired === null ? [] : submitted.filter(({ seq }) => seq > fired.seq);
  return {
    state,
    fired,
    responses: trial.responses + submitted.length,
    reversals: trial.reversals + reversed.length,
    responsesAfter: trial.responsesAfter + after.length,
    spentAfter: trial.spentAfter + after.reduce((sum, { reward }) => sum + reward, 0),
  };
}
