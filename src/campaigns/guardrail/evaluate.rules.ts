import { rounded, roundedInterval } from '../../platform/statistics/interval.rules';
import { answerName, isAnswer } from './answer-looks.rules';
import { compares, Condition, isBelow } from './condition.rules';
import type { FiredValueDto } from './guardrail.dto';
import { LatestSums } from './latest-sums.rules';
import { METRICS } from './metrics.rules';
import { Kept, LogEntry, Needs, remember, trimmed, WatchState } from './watch-state.rules';

/** The event at which a guardrail fired on a campaign. */
export interface Firing {
  seq: number;
  /** Milliseconds since 1970. */
  at: number;
  values: FiredValueDto[];
}

/** What a guardrail with these conditions has to remember of a campaign. */
export function needsOf(conditions: readonly Condition[]): Needs {
  const window = new Map<Kept, number>();
  for (const condition of conditions) {
    const kept = METRICS[condition.metric].keeps?.(condition);
    if (kept !== undefined && condition.last !== undefined) {
      window.set(kept, Math.max(window.get(kept) ?? 0, condition.last));
    }
  }
  // An erasure finds what it removes by its place, which is the same in all of these windows.
  const erasable = [...window.keys()].filter((kept) => kept === 'quality' || isAnswer(kept));
  if (erasable.length > 0) {
    const size = Math.max(...erasable.map((kept) => window.get(kept) ?? 0));
    for (const kept of [...erasable, 'seq'] as const) {
      window.set(kept, size);
    }
  }
  return {
    window,
    minutes: conditions.some(({ metric }) => metric === 'responses_per_hour'),
    options: [
      ...new Set(
        conditions
          .filter(({ metric, last }) => metric === 'option_share' && last === undefined)
          .map(answerName),
      ),
    ],
  };
}

/** A condition with what its latest responses add up to, if it looks at the latest only. */
interface Watched {
  condition: Condition;
  latest: LatestSums | undefined;
}

/**
 * A guardrail on one campaign, which reads the log entry by entry up to the one at which all of its
 * conditions hold. What it makes of an entry depends on what it has read only.
 */
export class Evaluation {
  /** Where it fired. */
  fired: Firing | null = null;
  private readonly needs: Needs;
  private readonly state: WatchState;
  private readonly watched: readonly Watched[];

  /**
   * @param state what the entries before led to; it does not change
   * @param since the number of the event after which the guardrail watches
   */
  constructor(
    conditions: readonly Condition[],
    state: WatchState,
    private readonly since: number,
  ) {
    this.needs = needsOf(conditions);
    this.state = structuredClone(state);
    this.watched = conditions.map((condition) => ({
      condition,
      latest: latestOf(condition, state),
    }));
  }

  /** What to continue with, which is of no use after a firing: a guardrail fires once. */
  get remembered(): WatchState {
    return trimmed(this.state, this.needs);
  }

  /** Reads the next response, reversal or start of the campaign, in the order of the log. */
  read(entry: LogEntry): void {
    if (entry.seq <= this.since || this.fired !== null) {
      return;
    }
    if (entry.is_start) {
      this.state.firstAt = null;
      return;
    }
    if (entry.reverses === null) {
      for (const { latest } of this.watched) {
        latest?.add(this.state, entry);
      }
    }
    remember(this.state, entry, this.needs, this.since);
    if (this.watched.every((each) => holds(this.state, each))) {
      const values = this.watched.map((each) => firedValue(this.state, each));
      this.fired = { seq: entry.seq, at: entry.at, values };
    }
  }
}

/**
 * Continues a guardrail on one campaign with the next entries of the log. A pure function: how the
 * log is cut into calls makes no difference.
 */
export function evaluate(
  conditions: readonly Condition[],
  state: WatchState,
  entries: readonly LogEntry[],
  since: number,
): { state: WatchState; fired: Firing | null } {
  const evaluation = new Evaluation(conditions, state, since);
  for (const entry of entries) {
    evaluation.read(entry);
  }
  return { state: evaluation.remembered, fired: evaluation.fired };
}

function latestOf(condition: Condition, state: WatchState): LatestSums | undefined {
  const { keeps, adds, squares = false } = METRICS[condition.metric];
  const { last, confidence } = condition;
  return keeps === undefined || adds === undefined || last === undefined
    ? undefined
    : new LatestSums(keeps(condition), last, adds(condition), squares && !!confidence, state);
}

/** How many responses a condition counts, of those that were watched. */
function available(state: WatchState, { condition, latest }: Watched): number {
  const { counted } = METRICS[condition.metric];
  return (
    counted?.(state, condition, latest) ?? Math.min(state.responses, condition.last ?? Infinity)
  );
}

/**
 * Whether a condition holds: with a confidence, whether the bound of the interval that is nearer to
 * the value passes it too.
 */
function holds(state: WatchState, watched: Watched): boolean {
  const { condition, latest } = watched;
  const { metric, op, last, confidence, minimum_responses } = condition;
  if (available(state, watched) < Math.min(minimum_responses, last ?? minimum_responses)) {
    return false;
  }
  const definition = METRICS[metric];
  if (definition.holds !== undefined) {
    return definition.holds(state, condition, latest);
  }
  // The interval contains the value, so what fails without it fails with it.
  const { value } = definition.measures(state, { ...condition, confidence: undefined }, latest);
  if (!compares(value, condition) || !confidence) {
    return compares(value, condition);
  }
  const { interval } = definition.measures(state, condition, latest);
  return interval !== null && compares(interval[isBelow(op) ? 1 : 0], condition);
}

function firedValue(state: WatchState, { condition, latest }: Watched): FiredValueDto {
  const { metric } = condition;
  const { value, responses, interval } = METRICS[metric].measures(state, condition, latest);
  return {
    metric,
    value: rounded(value),
    responses,
    interval: interval && roundedInterval(interval),
  };
}
