import { HIDDEN, Source } from './source.rules';

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

/** How a respondent goes on from a state. */
export interface Step {
  /** Whether the next question is shown; `undefined` if it can be or not. */
  isShown: boolean | undefined;
  /** The classes of answers to it as it is shown, if later questions depend on it. */
  classes: readonly number[];
}

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
  private isComplete = true;

  constructor(private readonly sources: ReadonlyMap<string, Source>) {}

  result(): Shown & { exact: boolean } {
    const all = [...this.states.values()];
    return {
      shortest: Math.min(...all.map(({ shortest }) => shortest)),
      longest: Math.max(...all.map(({ longest }) => longest)),
      exact: this.isComplete && [...this.sources.values()].every(({ isExact }) => isExact),
    };
  }

  /** Makes room for the classes of the next answer. */
  limit(classes: number): void {
    while (this.kept.length > 0 && this.states.size * classes > STATES_MAXIMUM) {
      const last = (key: string) => this.sources.get(key)?.last ?? 0;
      this.forget(this.kept.reduce((a, b) => (last(b) > last(a) ? b : a)));
      this.isComplete = false;
    }
  }

  /** Returns how a condition holds in a state; `undefined` if it can hold or not. */
  reading(key: string, condition: number): (state: string) => boolean | undefined {
    const place = this.kept.indexOf(key);
    const source = this.sources.get(key);
    if (place === -1 || source === undefined) {
      return () => undefined;
    }
    const truths = source.truthsOf(condition);
    return (state) => truths[state.charCodeAt(place)];
  }

  /** Returns whether a question was not shown in a state, as far as that is known. */
  hiding(key: string): (state: string) => boolean {
    const place = this.kept.indexOf(key);
    return (state) => place !== -1 && state.charCodeAt(place) === HIDDEN;
  }

  /** Lets the respondents in each state come to the next question, and answer it if it is shown. */
  go(key: string, stepFrom: (state: string) => Step): void {
    const isKept = this.sources.has(key);
    const next = new Map<string, Shown>();
    for (const [state, { shortest, longest }] of this.states) {
      const { isShown, classes } = stepFrom(state);
      if (isShown !== true) {
        add(next, isKept ? state + String.fromCharCode(HIDDEN) : state, shortest, longest);
      }
      if (isShown !== false && isKept) {
        for (const answer of classes) {
          add(next, state + String.fromCharCode(answer), shortest + 1, longest + 1);
        }
      } else if (isShown !== false) {
        add(next, state, shortest + 1, longest + 1);
      }
    }
    this.states = next;
    if (isKept) {
      this.kept.push(key);
      this.limit(1);
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
