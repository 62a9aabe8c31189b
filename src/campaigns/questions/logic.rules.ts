import type { Question } from './question.types';
import type { Condition, ConditionGroup, ShowIf } from './shown.rules';

/** A condition of a question. */
export interface PlacedCondition {
  condition: Condition;
  /** Where it is in the question, such as `show_if.all[0].any[1]`. */
  path: string;
}

/** Conditions that are met together, by their indexes in the list of all. */
export type Formula = number | { isAll: boolean; of: readonly Formula[] };

/** The conditions of a question, and how they decide what of it is shown. */
export interface Logic {
  conditions: PlacedCondition[];
  /** `undefined` if the question has no conditions of its own. */
  showIf: Formula | undefined;
}

export function logicOf({ show_if: showIf }: Question): Logic {
  const conditions: PlacedCondition[] = [];
  return { conditions, showIf: showIf && formulaOf(showIf, 'show_if', conditions) };
}

/** The conditions of a group, those of the groups in it included. */
export function conditionsIn(group: ShowIf | ConditionGroup): Condition[] {
  const conditions: PlacedCondition[] = [];
  formulaOf(group, '', conditions);
  return conditions.map(({ condition }) => condition);
}

/** @param conditions receives those of the group */
function formulaOf(
  group: ShowIf | ConditionGroup,
  path: string,
  conditions: PlacedCondition[],
): Formula {
  const isAll = group.all !== undefined;
  const entries: readonly (Condition | ConditionGroup)[] = group.all ?? group.any ?? [];
  return {
    isAll,
    of: entries.map((entry, index) => {
      const at = `${path}.${isAll ? 'all' : 'any'}[${index}]`;
      return 'op' in entry
        ? conditions.push({ condition: entry, path: at }) - 1
        : formulaOf(entry, at, conditions);
    }),
  };
}

/** What a formula comes to; `undefined` if that depends on conditions that can hold or not. */
export function outcomeOf(
  formula: Formula | undefined,
  truths: readonly (boolean | undefined)[],
): boolean | undefined {
  if (formula === undefined) {
    return true;
  }
  if (typeof formula === 'number') {
    return truths[formula];
  }
  const deciding = !formula.isAll;
  let isKnown = true;
  for (const each of formula.of) {
    const outcome = outcomeOf(each, truths);
    if (outcome === deciding) {
      return deciding;
    }
    isKnown &&= outcome !== undefined;
  }
  return isKnown ? !deciding : undefined;
}
