import { Interval, rounded, roundedInterval } from '../statistics/interval.rules';
import { compares, Condition, isBelow, MetricName } from './condition.rules';
import { Measured, METRICS } from './metrics.rules';
import { LogEntry, Needs, remember, trimmed, WatchState } from './watch-state.rules';

/** What a condition was when its guardrail fired. */
export interface FiredValue {
  metric: MetricName;
  value: number;
  responses: number;
  interval: Interval | null;
}

/** The event at which a guardrail fired on a campaign. */
export interface Firing {
  seq: number;
  /** Milliseconds since 1970. */
  at: number;
  values: FiredValue[];
}

/** What a guardrail with these conditions has to remember of a campaign. */
export function needsOf(conditions: readonly Condition[]): Needs {
  const window: Needs['window'] = {};
  for (const { metric, last } of conditions) {
    const { keeps } = METRICS[metric];
    if (keeps !== undefined && last !== undefined) {
      window[keeps] = Math.max(window[keeps] ?? 0, last);
    }
  }
  return { window, minutes: conditions.some(({ metric }) => metric === 'responses_per_hour') };
}

/**
 * Continues a guardrail on one campaign with the next entries of the log, up to the one at which
 * all of its conditions hold. A pure function: how the log is cut into calls makes no difference.
 *
 * @param state what the entries before led to; it does not change
 * @param entries responses, reversals and starts of the campaign in the order of the log
 * @param since the number of the event after which the guardrail watches
 * @returns what to continue with, which is of no use after a firing: a guardrail fires once
 */
export function evaluate(
  conditions: readonly Condition[],
  state: WatchState,
  entries: readonly LogEntry[],
  since: number,
): { state: WatchState; fired: Firing | null } {
  const needs = needsOf(conditions);
  const next = structuredClone(state);
  for (const entry of entries) {
    if (entry.seq <= since) {
      continue;
    }
    if (entry.is_start) {
      next.firstAt = null;
      continue;
    }
    remember(next, entry, needs, since);
    if (conditions.every((condition) => holds(next, condition))) {
      const values = conditions.map((condition) => firedValue(next, condition));
      return { state: next, fired: { seq: entry.seq, at: entry.at, values } };
    }
  }
  return { state: trimmed(next, needs), fired: null };
}

/** How many responses a condition counts, of those that were watched. */
function available(state: WatchState, condition: Condition): number {
  const { counted } = METRICS[condition.metric];
  return counted?.(state, condition) ?? Math.min(state.responses, condition.last ?? Infinity);
}

/**
 * Whether a condition holds: with a confidence, whether the bound of the interval that is nearer to
 * the value passes it too.
 */
function holds(state: WatchState, condition: Condition): boolean {
  const { metric, op, last, confidence, minimum_responses } = condition;
  if (available(state, condition) < Math.min(minimum_responses, last ?? minimum_responses)) {
    return false;
  }
  const definition = METRICS[metric];
  if (definition.holds !== undefined) {
    return definition.holds(state, condition);
  }
  // The interval contains the value, so what fails without it fails with it.
  const { value } = definition.measures(state, { ...condition, confidence: undefined });
  if (!compares(value, condition) || confidence === undefined) {
    return compares(value, condition);
  }
  const { interval } = definition.measures(state, condition);
  return interval !== null && compares(interval[isBelow(op) ? 1 : 0], condition);
}

function firedValue(state: WatchState, condition: Condition): FiredValue {
  const { metric } = condition;
  const { value, responses, interval }: Measured = METRICS[metric].measures(state, condition);
  return {
    metric,
    value: rounded(value),
    responses,
    interval: interval && roundedInterval(interval),
  };
}
