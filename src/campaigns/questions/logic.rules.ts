import { optionsIn, rowsIn } from './option.rules';
import type { Option, Question } from './question.types';
import { Condition, ConditionGroup, isConditional, ShowIf } from './shown.rules';

/** A condition of a question. */
export interface PlacedCondition {
  condition: Condition;
  /** Where it is in the question, such as `show_if.all[0].any[1]`. */
  path: string;
}

/** Conditions that are met together, by their indexes in the list of all. */
export type Formula = number | { isAll: boolean; of: readonly Formula[] };

/** An option or a row that is shown under conditions. */
export interface ConditionalPart {
  option: Option;
  /** Where its conditions are in the question, such as `options[2].show_if`. */
  path: string;
  formula: Formula;
}

/** The conditions of a question, and how they decide what of it is shown. */
export interface Logic {
  /** First those of the question itself, then those of its options and rows. */
  conditions: PlacedCondition[];
  /** How many are of the question itself. */
  own: number;
  /** Whether the question is shown, which it is not without any of its options or rows. */
  isShown: Formula;
  parts: ConditionalPart[];
}

const NONE: Logic = { conditions: [], own: 0, isShown: { isAll: true, of: [] }, parts: [] };

export function logicOf(question: Question): Logic {
  if (!isConditional(question)) {
    return NONE;
  }
  const conditions: PlacedCondition[] = [];
  const { show_if: showIf } = question;
  const needed = showIf === undefined ? [] : [formulaOf(showIf, 'show_if', conditions)];
  const own = conditions.length;
  const parts: ConditionalPart[] = [];
  for (const [name, options] of [
    ['options', optionsIn(question)],
    ['rows', rowsIn(question)],
  ] as const) {
    const found = options.flatMap((option, index): ConditionalPart[] => {
      const condition = typeof option === 'string' ? undefined : option.show_if;
      const path = `${name}[${index}].show_if`;
      return condition === undefined
        ? []
        : [{ option, path, formula: formulaOf(condition, path, conditions) }];
    });
    parts.push(...found);
    if (found.length > 0 && found.length === options.length) {
      needed.push({ isAll: false, of: found.map(({ formula }) => formula) });
    }
  }
  return { conditions, own, isShown: { isAll: true, of: needed }, parts };
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
  formula: Formula,
  truths: readonly (boolean | undefined)[],
): boolean | undefined {
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
