import { logicOf, outcomeOf } from './logic.rules';
import type { Question } from './question.types';
import { keyOf } from './shown.rules';
import { sourcesOf, Walk } from './walk.rules';

/** What a walk through all paths of a set has found. */
export interface Paths {
  /** For each question: whether a respondent can be shown it. */
  reachable: boolean[];
  /** For each question: whether all who come to its condition are shown it. */
  always: boolean[];
  /** For each condition of each question: whether it holds for everyone, or for no one. */
  conditions: { path: string; outcome: Outcome | undefined }[][];
  /** For each question: the keys in its text of questions that were not shown to all who see it. */
  unseen: string[][];
  /** How many questions a respondent is shown, statements included. */
  shortest: number;
  longest: number;
  /** Whether all states were kept. Otherwise the shortest and longest path are bounds. */
  exact: boolean;
}

/** What a condition always comes to. */
export type Outcome = 'always' | 'never';

/**
 * Walks through all paths of a set whose conditions are valid.
 *
 * @param piped the keys in the text of each question
 */
export function findPaths(
  questions: readonly Question[],
  piped: readonly (readonly string[])[],
): Paths {
  const keys = questions.map((question, index) => keyOf(question, index + 1));
  const logics = questions.map(logicOf);
  const conditions = logics.map((each) => each.conditions.map(({ condition }) => condition));
  const { sources, indexes } = sourcesOf(questions, keys, conditions, piped);
  const walk = new Walk(sources);
  const reachable = questions.map(() => false);
  const always = questions.map(() => true);
  const unseen = questions.map(() => new Set<string>());
  const held = conditions.map((each) => each.map(() => false));
  const failed = conditions.map((each) => each.map(() => false));
  for (const [index, key] of keys.entries()) {
    const classes = sources.get(key)?.truths.length ?? 0;
    walk.limit(classes);
    const truthOf = (conditions[index] ?? []).map(({ question: about }, place) =>
      walk.reading(about, indexes[index]?.[place] ?? 0),
    );
    const isHidden = (piped[index] ?? []).map((about) => [about, walk.hiding(about)] as const);
    walk.go(key, (state) => {
      const truths = truthOf.map((read) => read(state));
      truths.forEach((truth, place) => {
        note(held, index, place, truth !== false);
        note(failed, index, place, truth !== true);
      });
      const decided = outcomeOf(logics[index]?.showIf, truths);
      always[index] &&= decided === true;
      if (decided !== false) {
        reachable[index] = true;
        for (const [about, hides] of isHidden) {
          if (hides(state)) {
            unseen[index]?.add(about);
          }
        }
      }
      return decided;
    });
    walk.leave(index + 1);
  }
  return {
    reachable,
    always,
    conditions: logics.map((logic, index) =>
      logic.conditions.map(({ path }, place) => {
        const [holdsOnce, failsOnce] = [held[index]?.[place], failed[index]?.[place]];
        const outcome = holdsOnce === true ? 'always' : 'never';
        return { path, outcome: holdsOnce === failsOnce ? undefined : outcome };
      }),
    ),
    unseen: unseen.map((each) => [...each]),
    ...walk.result(),
  };
}

function note(flags: readonly boolean[][], index: number, place: number, flag: boolean): void {
  const row = flags[index];
  if (row !== undefined && flag) {
    row[place] = true;
  }
}
