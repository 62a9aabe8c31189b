import { Logic, logicOf, outcomeOf } from './logic.rules';
import type { Question } from './question.types';
import { keyOf, partOf } from './shown.rules';
import { Source, sourcesOf } from './source.rules';
import { Walk } from './walk.rules';

/** What a walk through all paths of a set has found. */
export interface Paths {
  /** For each question: whether a respondent can be shown it. */
  reachable: boolean[];
  /** For each question: whether all who come to its condition are shown it. */
  always: boolean[];
  /** For each condition of each question: whether it holds for everyone, or for no one. */
  conditions: Found['conditions'][];
  /** For each question: where the conditions are of options and rows that are never shown. */
  hidden: string[][];
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

/** What a walk has found out about a question. */
interface Found {
  isReachable: boolean;
  isAlways: boolean;
  conditions: { path: string; outcome: Outcome | undefined }[];
  hidden: string[];
  unseen: string[];
}

/** What happens to a question in the states in which respondents come to it. */
class Seen {
  readonly unseen = new Set<string>();
  private isReachable = false;
  private isAlways = true;
  private readonly held: boolean[];
  private readonly failed: boolean[];
  private readonly isPartShown: boolean[];

  constructor(private readonly logic: Logic) {
    this.held = logic.conditions.map(() => false);
    this.failed = logic.conditions.map(() => false);
    this.isPartShown = logic.parts.map(() => false);
  }

  add(
    truths: readonly (boolean | undefined)[],
    isShown: boolean | undefined,
    parts: readonly (boolean | undefined)[],
  ): void {
    this.isAlways &&= isShown === true;
    this.isReachable ||= isShown !== false;
    // The conditions of options and rows are about those who are shown the question.
    const count = isShown === false ? this.logic.own : truths.length;
    for (let place = 0; place < count; place += 1) {
      this.held[place] ||= truths[place] !== false;
      this.failed[place] ||= truths[place] !== true;
    }
    if (isShown !== false) {
      parts.forEach((outcome, index) => {
        this.isPartShown[index] ||= outcome !== false;
      });
    }
  }

  found(): Found {
    const { conditions, parts } = this.logic;
    return {
      isReachable: this.isReachable,
      isAlways: this.isAlways,
      conditions: conditions.map(({ path }, place) => {
        const outcome = this.held[place] === true ? 'always' : 'never';
        return { path, outcome: this.held[place] === this.failed[place] ? undefined : outcome };
      }),
      hidden: parts.filter((_, index) => this.isPartShown[index] !== true).map(({ path }) => path),
      unseen: [...this.unseen],
    };
  }
}

/** The classes of answers to what of a question is shown. */
function classesOf(
  source: Source,
  question: Question,
  { parts }: Logic,
  outcomes: readonly (boolean | undefined)[],
): readonly number[] {
  if (parts.length === 0) {
    return source.whole;
  }
  return outcomes.includes(undefined)
    ? source.unknown()
    : source.classesIn(outcomes.map(Number).join(''), () => {
        const hidden = new Set<unknown>(
          parts.filter((_, index) => outcomes[index] !== true).map(({ option }) => option),
        );
        return partOf(question, (option) => !hidden.has(option));
      });
}

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
  const found = questions.map((question, index): Found => {
    const logic = logics[index] ?? logicOf(question);
    const source = sources.get(keys[index] ?? '');
    walk.limit(source?.size ?? 0);
    const seen = new Seen(logic);
    const reads = logic.conditions.map(({ condition }, place) =>
      walk.reading(condition.question, indexes[index]?.[place] ?? 0),
    );
    const isHidden = (piped[index] ?? []).map((key) => [key, walk.hiding(key)] as const);
    walk.go(keys[index] ?? '', (state) => {
      const truths = reads.map((read) => read(state));
      const isShown = outcomeOf(logic.isShown, truths);
      const parts = logic.parts.map(({ formula }) => outcomeOf(formula, truths));
      seen.add(truths, isShown, parts);
      if (isShown !== false) {
        isHidden.filter(([, hides]) => hides(state)).forEach(([key]) => seen.unseen.add(key));
      }
      const classes = source === undefined ? [] : classesOf(source, question, logic, parts);
      return { isShown, classes };
    });
    walk.leave(index + 1);
    return seen.found();
  });
  return {
    reachable: found.map(({ isReachable }) => isReachable),
    always: found.map(({ isAlways }) => isAlways),
    conditions: found.map((each) => each.conditions),
    hidden: found.map(({ hidden }) => hidden),
    unseen: found.map(({ unseen }) => unseen),
    ...walk.result(),
  };
}
