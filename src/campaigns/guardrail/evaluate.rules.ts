import { rounded, roundedInterval } from '../../platform/statistics/interval.rules';
import { answerName, isAnswer, spreadName } from './answer-looks.rules';
import { compares, Condition, isBelow } from './condition.rules';
import type { FiredValueDto } from './guardrail.dto';
import { LatestSums } from './latest-sums.rules';
import { METRICS } from './metrics.rules';
import {
  emptyState,
  Kept,
  LogEntry,
  Needs,
  remember,
  Scale,
  trimmed,
  WatchState,
} from './watch-state.rules';

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
          .filter(({ option, last }) => option !== undefined && last === undefined)
          .map(answerName),
      ),
    ],
    scales: scalesOf(conditions),
  };
}

function scalesOf(conditions: readonly Condition[]): Scale[] {
  const scales = new Map<string, Scale>();
  for (const condition of conditions) {
    const { metric, option, bounds } = condition;
    if (metric === 'interval_width' && option === undefined && bounds !== undefined) {
      const name = spreadName(condition);
      scales.set(name, { name, answer: answerName(condition), bounds });
    }
  }
  return [...scales.values()];
}

/** Returns the quotas that conditions name, after `undefined` for those that name none. */
export function partsOf(
  conditions: readonly Condition[],
): { quota: string | undefined; conditions: Condition[] }[] {
  return [...new Set([undefined, ...conditions.map(({ quota }) => quota)])].map((quota) => ({
    quota,
    conditions: conditions.filter((each) => each.quota === quota),
  }));
}

/** A condition with what its latest responses add up to, if it looks at the latest only. */
interface Watched {
  condition: Condition;
  state: WatchState;
  latest: LatestSums | undefined;
}

/** What is remembered of the responses of one quota, or of all responses. */
interface Part {
  quota: string | undefined;
  needs: Needs;
  state: WatchState;
  watched: Watched[];
}

/**
 * A guardrail on one campaign, which reads the log entry by entry up to the one at which all of its
 * conditions hold. What it makes of an entry depends on what it has read only.
 */
export class Evaluation {
  /** Where it fired. */
  fired: Firing | null = null;
  private readonly parts: readonly Part[];
  /** In the order of the conditions. */
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
    this.parts = partsOf(conditions).map(({ quota, conditions: own }) => {
      const known =
        quota === undefined ? state : state.quotas?.find(({ name }) => name === quota)?.state;
      const copy = structuredClone({ ...(known ?? emptyState()), quotas: undefined });
      const watched = own.map((condition) => ({
        condition,
        state: copy,
        latest: latestOf(condition, copy),
      }));
      return { quota, needs: needsOf(own), state: copy, watched };
    });
    const all = this.parts.flatMap(({ watched }) => watched);
    this.watched = all.toSorted(
      (a, b) => conditions.indexOf(a.condition) - conditions.indexOf(b.condition),
    );
  }

  /** What its conditions are now. */
  get values(): FiredValueDto[] {
    return this.watched.map(firedValue);
  }

  /** What to continue with, which is of no use after a firing: a guardrail fires once. */
  get remembered(): WatchState {
    const [whole = emptyState(), ...others] = this.parts.map(({ state, needs }) =>
      trimmed(state, needs),
    );
    const quotas = others.map((state, index) => ({
      name: this.parts[index + 1]?.quota ?? '',
      state,
    }));
    return { ...whole, ...(quotas.length > 0 && { quotas }) };
  }

  /** Reads the next response, reversal or start of the campaign, in the order of the log. */
  read(entry: LogEntry): void {
    if (entry.seq <= this.since || this.fired !== null) {
      return;
    }
    for (const { quota, needs, state, watched } of this.parts) {
      if (entry.is_start) {
        state.firstAt = null;
      } else if (quota === undefined || entry.quotas?.includes(quota)) {
        if (entry.reverses === null) {
          for (const { latest } of watched) {
            latest?.add(state, entry);
          }
        }
        remember(state, entry, needs, this.since);
      }
    }
    if (!entry.is_start && this.watched.every(holds)) {
      this.fired = { seq: entry.seq, at: entry.at, values: this.values };
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
function available({ condition, state, latest }: Watched): number {
  const { counted } = METRICS[condition.metric];
  return (
    counted?.(state, condition, latest) ?? Math.min(state.responses, condition.last ?? Infinity)
  );
}

/**
 * Whether a condition holds: with a confidence, whether the bound of the interval that is nearer to
 * the value passes it too.
 */
function holds(watched: Watched): boolean {
  const { condition, state, latest } = watched;
  const { metric, op, last, confidence, minimum_responses } = condition;
  if (available(watched) < Math.min(minimum_responses, last ?? minimum_responses)) {
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

function firedValue({ condition, state, latest }: Watched): FiredValueDto {
  const { metric } = condition;
  const { value, responses, interval } = METRICS[metric].measures(state, condition, latest);
  return {
    metric,
    value: rounded(value),
    responses,
    interval: interval && roundedInterval(interval),
  };
}
