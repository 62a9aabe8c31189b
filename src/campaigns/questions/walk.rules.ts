import { valuesOf } from './answer-kinds.rules';
import type { Question } from './question.types';
import { Condition, holds } from './shown.rules';

/*
 * Finds out which questions can be reached. It walks through a set and keeps the states in which
 * respondents can be: what they have answered to the questions that later conditions are about.
 * Answers for which the same conditions hold are one state, and a question that nothing later
 * depends on is forgotten.
 *
 * With more states than STATES_MAXIMUM, the question that is needed longest is forgotten as well:
 * its conditions can then hold or not. So what is found impossible is impossible, but not all that
 * is impossible is found.
 */

const STATES_MAXIMUM = 512;

/** A question that later ones depend on, and the answers to it that differ for them. */
export interface Source {
  /** The position of the last question that depends on it. */
  last: number;
  /**
   * For each class of answers, which of its conditions hold; `undefined` if they can or not. The
   * first is of a hidden question.
   */
  truths: (boolean | undefined)[][];
  /** Whether its answers are not kept apart. */
  isFree: boolean;
}

/** The class of the answer to a question that was not shown. */
const HIDDEN = 0;

/** How many questions those who are in a state were shown. */
export interface Shown {
  shortest: number;
  longest: number;
}

/**
 * The states in which respondents can be. The name of a state has one character for each source
 * that is kept: the class of its answer.
 */
export class Walk {
  private states = new Map<string, Shown>([['', { shortest: 0, longest: 0 }]]);
  /** The keys of the sources that are kept, in the order of the characters. */
  private kept: string[] = [];
  private exact: boolean;

  constructor(private readonly sources: ReadonlyMap<string, Source>) {
    this.exact = [...sources.values()].every(({ isFree }) => !isFree);
  }

  result(): Shown & { exact: boolean } {
    const all = [...this.states.values()];
    return {
      shortest: Math.min(...all.map(({ shortest }) => shortest)),
      longest: Math.max(...all.map(({ longest }) => longest)),
      exact: this.exact,
    };
  }

  /** Makes room for the classes of the next answer. */
  limit(classes: number): void {
    while (this.kept.length > 0 && this.states.size * classes > STATES_MAXIMUM) {
      const last = (key: string) => this.sources.get(key)?.last ?? 0;
      this.forget(this.kept.reduce((a, b) => (last(b) > last(a) ? b : a)));
      this.exact = false;
    }
  }

  /** Returns how a condition holds in a state; `undefined` if it can hold or not. */
  reading(key: string, condition: number): (state: string) => boolean | undefined {
    const place = this.kept.indexOf(key);
    const source = this.sources.get(key);
    if (place === -1 || source === undefined) {
      return () => undefined;
    }
    const truths = source.truths.map((each) => each[condition]);
    return (state) => truths[state.charCodeAt(place)];
  }

  /** Returns whether a question was not shown in a state, as far as that is known. */
  hiding(key: string): (state: string) => boolean {
    const place = this.kept.indexOf(key);
    return (state) => place !== -1 && state.charCodeAt(place) === HIDDEN;
  }

  /** Lets the respondents in each state come to the next question, and answer it if it is shown. */
  go(key: string, decide: (state: string) => boolean | undefined): void {
    const classes = this.sources.get(key)?.truths.length;
    const next = new Map<string, Shown>();
    for (const [state, { shortest, longest }] of this.states) {
      const decided = decide(state);
      if (decided !== true) {
        const hidden = classes === undefined ? state : state + String.fromCharCode(HIDDEN);
        add(next, hidden, shortest, longest);
      }
      if (decided !== false) {
        for (let answer = 1; answer < (classes ?? 2); answer += 1) {
          const shown = classes === undefined ? state : state + String.fromCharCode(answer);
          add(next, shown, shortest + 1, longest + 1);
        }
      }
    }
    this.states = next;
    if (classes !== undefined) {
      this.kept.push(key);
    }
  }

  /** Forgets the questions that nothing after a position depends on. */
  leave(position: number): void {
    for (const key of this.kept.filter((each) => this.sources.get(each)?.last === position)) {
      this.forget(key);
    }
  }

  private forget(key: string): void {
    const place = this.kept.indexOf(key);
    const states = new Map<string, Shown>();
    for (const [state, { shortest, longest }] of this.states) {
      add(states, state.slice(0, place) + state.slice(place + 1), shortest, longest);
    }
    this.states = states;
    this.kept.splice(place, 1);
  }
}

function add(states: Map<string, Shown>, state: string, shortest: number, longest: number): void {
  const same = states.get(state);
  if (same === undefined) {
    states.set(state, { shortest, longest });
  } else {
    same.shortest = Math.min(same.shortest, shortest);
    same.longest = Math.max(same.longest, longest);
  }
}

/** Finds the questions that others depend on, and which of their conditions each condition is. */
export function sourcesOf(
  questions: readonly Question[],
  keys: readonly string[],
  conditions: readonly (readonly Condition[])[],
  piped: readonly (readonly string[])[],
): { sources: Map<string, Source>; indexes: number[][] } {
  const positions = new Map(keys.map((key, index) => [key, index]));
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
  for (const [key, { list, last }] of distinct) {
    const question = questions[positions.get(key) ?? -1];
    if (question !== undefined) {
      const values = valuesOf(question, list);
      const truths = values?.map((value) => list.map((each) => holds(each, value)));
      const classes = new Map((truths ?? []).map((truth) => [truth.join(), truth]));
      const hidden = list.map((each) => holds(each, undefined));
      const unknown = truths === undefined ? [list.map(() => undefined)] : [];
      sources.set(key, {
        last,
        truths: [hidden, ...classes.values(), ...unknown],
        isFree: truths === undefined,
      });
    }
  }
  return { sources, indexes };
}
