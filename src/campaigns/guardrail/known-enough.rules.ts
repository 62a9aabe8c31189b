import type { Condition } from './condition.rules';
import { Evaluation } from './evaluate.rules';
import type { FiredValueDto } from './guardrail.dto';
import { emptyState, WatchState } from './watch-state.rules';
import { spreadOf } from './counted.rules';

/** A guardrail that completes a campaign, as it is stored, with what it remembers. */
export interface CompletingRow {
  guardrail_id: string;
  name: string;
  conditions: Condition[];
  /** `null` before the first response, and after it has fired. */
  state: WatchState | null;
  fired_seq: number | null;
  fired_at: Date | null;
  fired_values: FiredValueDto[] | null;
  fired_stopped: boolean | null;
}

/** How well one share or mean is known. */
export interface Precision {
  condition: Condition;
  /** When the guardrail fired, or now. */
  measured: FiredValueDto;
}

/** A guardrail that completes a campaign, and how well what it asks about is known. */
export interface CompletingGuardrail {
  guardrailId: string;
  name: string;
  precisions: Precision[];
  /** Whether nothing else must hold too. */
  isOnlyWidths: boolean;
  /** Where it has fired and is not armed again. */
  reached: { seq: number; at: Date; stopped: boolean } | null;
  state: WatchState;
}

export function completingGuardrail(row: CompletingRow): CompletingGuardrail {
  const { guardrail_id, name, conditions, fired_seq, fired_at, fired_values, fired_stopped } = row;
  const state = row.state ?? emptyState();
  const measured = fired_values ?? new Evaluation(conditions, state, 0).values;
  const all = conditions.flatMap((condition, index) => {
    const value = measured[index];
    return value === undefined ? [] : [{ condition, measured: value }];
  });
  const precisions = all.filter(({ condition }) => condition.metric === 'interval_width');
  return {
    guardrailId: guardrail_id,
    name,
    precisions,
    isOnlyWidths: precisions.length === conditions.length,
    reached:
      fired_seq === null || fired_at === null
        ? null
        : { seq: fired_seq, at: fired_at, stopped: fired_stopped ?? false },
    state,
  };
}

/** The answers to a condition that a guardrail has counted, as a spread on the scale. */
export function countedSpread({ state }: CompletingGuardrail, condition: Condition) {
  const { quota } = condition;
  const part =
    quota === undefined ? state : state.quotas?.find(({ name }) => name === quota)?.state;
  return spreadOf(part ?? emptyState(), condition);
}
