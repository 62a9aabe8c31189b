import { valuesOf } from './answer-kinds.rules';
import { optionsIn } from './option.rules';
import type { Question } from './question.types';
import { Condition, holds } from './shown.rules';

/** The class of the answer to a question that was not shown. */
export const HIDDEN = 0;

/** More classes than a walk keeps states are not kept apart either. */
const CLASSES_MAXIMUM = 512;

/** How many comparisons the answers to parts of a question are worth. */
const WORK_MAXIMUM = 100_000;

/** A question that later ones depend on, and the classes of answers to it that differ for them. */
export class Source {
  /** Whether all classes of answers are kept apart. */
  isExact = true;
  /** The classes of answers to the whole question. */
  readonly whole: readonly number[];
  /** For each class, which conditions hold; `undefined` if they can or not. */
  private readonly truths: (boolean | undefined)[][];
  private readonly names = new Map<string, number>();
  private readonly parts = new Map<string, readonly number[]>();
  private work = 0;

  /**
   * @param conditions on its answer, each once
   * @param last the position of the last question that depends on it
   */
  constructor(
    question: Question,
    private readonly conditions: readonly Condition[],
    readonly last: number,
  ) {
    this.truths = [conditions.map((each) => holds(each, undefined))];
    this.whole = this.classesOf(question);
  }

  /** How many classes there are, that of the hidden question included. */
  get size(): number {
    return this.truths.length;
  }

  /** How a condition holds for each class. */
  truthsOf(condition: number): (boolean | undefined)[] {
    return this.truths.map((each) => each[condition]);
  }

  /**
   * Returns the classes of answers to a part of the question.
   *
   * @param name what tells the part from others
   * @param part returns it
   */
  classesIn(name: string, part: () => Question | undefined): readonly number[] {
    const known = this.parts.get(name);
    if (known !== undefined) {
      return known;
    }
    const question = part();
    if (question === undefined) {
      return [];
    }
    this.work += optionsIn(question).length * this.conditions.length;
    const classes = this.work > WORK_MAXIMUM ? this.unknown() : this.classesOf(question);
    this.parts.set(name, classes);
    return classes;
  }

  /** Returns a class of answers for which every condition can hold or not. */
  unknown(): readonly number[] {
    this.isExact = false;
    return [this.add(this.conditions.map(() => undefined))];
  }

  private classesOf(question: Question): readonly number[] {
    const values = valuesOf(question, this.conditions);
    if (values === undefined) {
      return this.unknown();
    }
    const classes = new Set<number>();
    for (const value of values) {
      if (this.size > CLASSES_MAXIMUM) {
        return this.unknown();
      }
      classes.add(this.add(this.conditions.map((condition) => holds(condition, value))));
    }
    return [...classes];
  }

  private add(truths: (boolean | undefined)[]): number {
    const name = truths.join();
    const found = this.names.get(name) ?? this.truths.push(truths) - 1;
    this.names.set(name, found);
    return found;
  }
}

/** Finds the questions that others depend on, and which of their conditions each condition is. */
export function sourcesOf(
  questions: readonly Question[],
  keys: readonly string[],
  conditions: readonly (readonly Condition[])[],
  piped: readonly (readonly string[])[],
): { sources: Map<string, Source>; indexes: number[][] } {
  const distinct = new Map<
    string,
    { list: Condition[]; places: Map<string, number>; last: number }
  >();
  const used = (key: string, position: number) => {
    const entry = distinct.get(key) ?? { list: [], places: new Map<string, number>(), last: 0 };
    distinct.set(key, entry);
    entry.last = position;
    return entry;
  };
  const indexes = conditions.map((each, index) =>
    each.map((condition) => {
      const { list, places } = used(condition.question, index + 1);
      const name = JSON.stringify([condition.row ?? null, condition.op, condition.value]);
      const place = places.get(name) ?? list.push(condition) - 1;
      places.set(name, place);
      return place;
    }),
  );
  piped.forEach((each, index) => {
    each.forEach((key) => used(key, index + 1));
  });
  const sources = new Map<string, Source>();
  for (const [index, question] of questions.entries()) {
    const found = distinct.get(keys[index] ?? '');
    if (found !== undefined) {
      sources.set(keys[index] ?? '', new Source(question, found.list, found.last));
    }
  }
  return { sources, indexes };
}
