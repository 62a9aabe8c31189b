import { Big } from 'big.js';
import { isDate, NPS_SCALE, NUMBER_MAXIMUM } from './answer-value.rules';
import { identitiesOf, identityOf, optionOf } from './option.rules';
import {
  AnswerValue,
  ByType,
  callByType,
  DatePrecision,
  Option,
  Question,
  QuestionType,
} from './question.types';
import { Condition, holds, keyOf, Operator } from './shown.rules';
import type { Scale } from '../campaign/image-survey.rules';
import { Problem, problem } from '../validation/fields/field';

const PRESENCE = ['answered', 'not_answered'] as const;
const EQUALITY = ['is', 'is_not'] as const;
const MEMBERSHIP = ['includes', 'excludes'] as const;
const ORDER = ['at_least', 'at_most'] as const;

/** The operators of conditions on each type of question. */
export const OPERATORS: Readonly<Record<QuestionType, readonly Operator[]>> = {
  descriptive: PRESENCE,
  text: PRESENCE,
  single_choice: [...EQUALITY, ...PRESENCE],
  multiple_choice: [...MEMBERSHIP, ...PRESENCE],
  rating: [...EQUALITY, ...ORDER, ...PRESENCE],
  nps: [...EQUALITY, ...ORDER, ...PRESENCE],
  number: [...EQUALITY, ...ORDER, ...PRESENCE],
  date: [...EQUALITY, ...ORDER, ...PRESENCE],
  ranking: [...MEMBERSHIP, ...PRESENCE],
  matrix: PRESENCE,
  checkbox: [...EQUALITY, ...PRESENCE],
  statement: [],
};

/** All operators. */
export const ALL_OPERATORS: readonly Operator[] = [
  ...EQUALITY,
  ...MEMBERSHIP,
  ...ORDER,
  ...PRESENCE,
];

export function takesValue(op: Operator): boolean {
  return op !== 'answered' && op !== 'not_answered';
}

/** Returns what is wrong with a condition on a question, with paths from the condition. */
export function checkCondition({ op, value }: Condition, source: Question): Problem[] {
  const allowed = OPERATORS[source.type];
  if (!allowed.includes(op)) {
    return problem(
      'not_allowed',
      allowed.length === 0
        ? `must not be about a ${source.type}, which has no answer`
        : `must be one of ${allowed.join(', ')} for a question of type ${source.type}`,
      '.op',
    );
  }
  if (!takesValue(op)) {
    return value === undefined ? [] : problem('not_allowed', `must be absent with ${op}`, '.value');
  }
  if (value === undefined) {
    return problem('required', 'is required', '.value');
  }
  return callByType(CAN_BE, source, value)
    ? []
    : problem('not_allowed', 'is no value that the question can have', '.value');
}

type Value = NonNullable<Condition['value']>;

/** Whether the answer to a question can be, or include, a value. */
const CAN_BE: ByType<[value: Value], boolean> = {
  descriptive: () => false,
  text: () => false,
  single_choice: ({ options }, value) => hasOption(options, value),
  multiple_choice: ({ options }, value) => hasOption(options, value),
  rating: ({ scale }, value) => isOnScale(scale, value),
  nps: (_, value) => isOnScale(NPS_SCALE, value),
  number: ({ minimum = -NUMBER_MAXIMUM, maximum = NUMBER_MAXIMUM, decimals = 0 }, value) =>
    typeof value === 'number' &&
    value >= minimum &&
    value <= maximum &&
    new Big(value).round(decimals).eq(value),
  date: ({ precision = 'day' }, value) => isDate(value, precision),
  ranking: ({ options }, value) => hasOption(options, value),
  matrix: () => false,
  checkbox: (_, value) => typeof value === 'boolean',
  statement: () => false,
};

function hasOption(options: readonly Option[], value: Value): boolean {
  return options.some((option) => identityOf(option) === value);
}

function isOnScale({ min, max, step }: Scale, value: Value): boolean {
  return (
    typeof value === 'number' &&
    value >= min &&
    value <= max &&
    new Big(value).minus(min).mod(step).eq(0)
  );
}

/*
 * What follows finds out which questions can be reached. It walks through the set and keeps the
 * states in which respondents can be: what they have answered to the questions that later conditions
 * are about. Answers for which the same conditions hold are one state, and a question that nothing
 * later depends on is forgotten.
 *
 * With more states than STATES_MAXIMUM, the question that is needed longest is forgotten as well:
 * its conditions can then hold or not. So what is found impossible is impossible, but not everything
 * that is impossible is found.
 */

const STATES_MAXIMUM = 512;

/** From so many ticks that conditions name on, each is thought of as independent of the others. */
const TICKS_MAXIMUM = 6;

/** What a walk through all paths of a set has found. */
export interface Paths {
  /** For each question: whether a respondent can be shown it. */
  reachable: boolean[];
  /** For each question: whether all who come to its condition are shown it. */
  always: boolean[];
  /** For each condition of each question: whether it holds for everyone, or for no one. */
  conditions: (Outcome | undefined)[][];
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

/** A question that later ones depend on, and the answers to it that differ for them. */
interface Source {
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
interface Shown {
  shortest: number;
  longest: number;
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
  const conditions = questions.map(({ show_if }) => show_if?.all ?? show_if?.any ?? []);
  const { sources, indexes } = sourcesOf(questions, keys, conditions, piped);
  const walk = new Walk(sources);
  const reachable = questions.map(() => false);
  const always = questions.map(() => true);
  const unseen = questions.map(() => new Set<string>());
  const held = conditions.map((each) => each.map(() => false));
  const failed = conditions.map((each) => each.map(() => false));
  for (const [index, question] of questions.entries()) {
    const key = keys[index] ?? '';
    const classes = sources.get(key)?.truths.length ?? 0;
    walk.limit(classes);
    const truthOf = (conditions[index] ?? []).map(({ question: about }, place) =>
      walk.reading(about, indexes[index]?.[place] ?? 0),
    );
    const isHidden = (piped[index] ?? []).map((about) => [about, walk.hiding(about)] as const);
    walk.go(key, (state) => {
      const truths = truthOf.map((read) => read(state));
      truths.forEach((truth, place) => {
        (held[index] as boolean[])[place] ||= truth !== false;
        (failed[index] as boolean[])[place] ||= truth !== true;
      });
      const decided = question.show_if === undefined || decide(question.show_if, truths);
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
    conditions: held.map((each, index) =>
      each.map((holdsOnce, place) => {
        const failsOnce = failed[index]?.[place] === true;
        return holdsOnce === failsOnce ? undefined : holdsOnce ? 'always' : 'never';
      }),
    ),
    unseen: unseen.map((each) => [...each]),
    ...walk.result(),
  };
}

function decide(
  showIf: NonNullable<Question['show_if']>,
  truths: readonly (boolean | undefined)[],
): boolean | undefined {
  const deciding = showIf.all === undefined;
  if (truths.includes(deciding)) {
    return deciding;
  }
  return truths.includes(undefined) ? undefined : !deciding;
}

/**
 * The states in which respondents can be. The name of a state has one character for each source that
 * is kept: the class of its answer.
 */
class Walk {
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
function sourcesOf(
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
      const name = JSON.stringify([condition.op, condition.value]);
      const place = places.get(name) ?? list.push(condition) - 1;
      places.set(name, place);
      return place;
    }),
  );
  piped.forEach((each, index) => each.forEach((key) => used(key, index + 1)));
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

/**
 * Returns answers to a question, one of each kind that conditions tell apart; `undefined` is no
 * answer. Returns nothing if there are too many kinds.
 */
function valuesOf(
  question: Question,
  conditions: readonly Condition[],
): (AnswerValue | undefined)[] | undefined {
  const named = [
    ...new Set(conditions.flatMap(({ value }) => (value === undefined ? [] : [value]))),
  ];
  const values = callByType(VALUES, question, named);
  const isOptional = question.type !== 'statement' && question.required === false;
  return isOptional && values !== undefined ? [undefined, ...values] : values;
}

const VALUES: ByType<[named: readonly Value[]], AnswerValue[] | undefined> = {
  descriptive: () => ['text'],
  text: () => ['text'],
  single_choice: ({ options }, named) => {
    const other = identitiesOf(options).find((option) => !named.includes(option));
    return [...(named as string[]), ...(other === undefined ? [] : [other])];
  },
  multiple_choice: ({ options, minimum_choices = 1, maximum_choices = options.length }, named) => {
    const alone = new Set(
      options.filter((option) => optionOf(option).exclusive === true).map(identityOf),
    );
    const free = identitiesOf(options).filter((option) => !alone.has(option));
    const subsets = subsetsOf(
      free.filter((option) => named.includes(option)),
      free.filter((option) => !named.includes(option)),
      [minimum_choices, maximum_choices],
    );
    return subsets && [...subsets, ...[...alone].map((option) => [option])];
  },
  rating: ({ scale }, named) => around(scale, named as number[]),
  nps: (_, named) => around(NPS_SCALE, named as number[]),
  number: ({ minimum = -NUMBER_MAXIMUM, maximum = NUMBER_MAXIMUM, decimals = 0 }, named) => {
    const step = new Big(10).pow(-decimals).toNumber();
    return around({ min: minimum, max: maximum, step }, named as number[]);
  },
  date: ({ precision = 'day' }, named) =>
    (named.length === 0 ? [FIRST_DATE] : (named as string[])).flatMap((date) => [
      date,
      ...[-1, 1].map((distance) => dateBeside(date, distance, precision)),
    ]),
  ranking: ({ options, rank_at_most }, named) =>
    rank_at_most === undefined
      ? [identitiesOf(options)]
      : subsetsOf(
          identitiesOf(options).filter((option) => named.includes(option)),
          identitiesOf(options).filter((option) => !named.includes(option)),
          [1, rank_at_most],
        ),
  matrix: () => [{ row: 1 }],
  checkbox: ({ must_be_true }) => (must_be_true === true ? [true] : [true, false]),
  statement: () => [''],
};

/** Numbers on a scale: its ends, some values, and what is beside them. */
function around({ min, max, step }: Scale, named: readonly number[]): number[] {
  return [min, max, ...named]
    .flatMap((value) => [-1, 0, 1].map((steps) => new Big(step).times(steps).plus(value)))
    .filter((value) => value.gte(min) && value.lte(max))
    .map((value) => value.toNumber());
}

const FIRST_DATE = '2000-01-01';

/** The date before or after another one, as text. */
function dateBeside(date: string, distance: number, precision: DatePrecision): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const add = { year: 0, month: 0, day: 0, [precision]: distance };
  const beside = new Date(0);
  beside.setUTCFullYear(year + add.year, month - 1 + add.month, day + add.day);
  return beside.toISOString().slice(0, date.length);
}

/** All ways to tick some options that conditions name, filled up with others where that is needed. */
function subsetsOf(
  named: readonly string[],
  others: readonly string[],
  [minimum, maximum]: readonly [number, number],
): string[][] | undefined {
  if (named.length > TICKS_MAXIMUM) {
    return undefined;
  }
  return Array.from({ length: 2 ** named.length }, (_, bits) =>
    named.filter((_option, index) => (bits & (1 << index)) !== 0),
  )
    .map((ticked) => [...ticked, ...others.slice(0, Math.max(0, minimum - ticked.length))])
    .filter(({ length }) => length >= minimum && length <= maximum);
}
