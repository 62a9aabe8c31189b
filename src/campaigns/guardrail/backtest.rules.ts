import type { Condition } from './condition.rules';
import { Evaluation } from './evaluate.rules';
import { emptyState, LogEntry } from './watch-state.rules';

/**
 * A guardrail that is tried on the history of one campaign, as far as it was read. It evaluates as
 * live guardrails do.
 */
export class Trial {
  /** Responses and reversals that were read. */
  responses = 0;
  reversals = 0;
  /** Responses after the firing, and what they were paid, in hundredths. */
  responsesAfter = 0;
  spentAfter = 0;
  private readonly evaluation: Evaluation;

  /** @param since the number of the event after which the guardrail watches */
  constructor(conditions: readonly Condition[], since: number) {
    this.evaluation = new Evaluation(conditions, emptyState(), since);
  }

  /** Where it would have fired. */
  get fired() {
    return this.evaluation.fired;
  }

  /** Reads the next response, reversal or start of the campaign, in the order of the log. */
  read(entry: LogEntry): void {
    const isSubmission = !entry.is_start && entry.reverses === null;
    if (isSubmission && this.fired !== null) {
      this.responsesAfter += 1;
      this.spentAfter += entry.reward;
    }
    this.evaluation.read(entry);
    this.responses += isSubmission ? 1 : 0;
    this.reversals += entry.reverses === null ? 0 : 1;
  }
}
