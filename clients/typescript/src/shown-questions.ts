/*
 * Decides which questions of a set are shown. The service and its SDK run this very file, so it
 * imports nothing.
 */

/** How a condition compares an answer. */
export type Operator =
  'is' | 'is_not' | 'includes' | 'excludes' | 'at_least' | 'at_most' | 'answered' | 'not_answered';

/** A condition on the answer to an earlier question. */
export interface Condition {
  /** The key of the question. */
  question: string;
  /** The row of a matrix that it compares, by its key, or by its text if it has none. */
  row?: string;
  op: Operator;
  /** Absent for `answered` and `not_answered`. */
  value?: string | number | boolean;
}

/** Conditions of which `all` must hold, or of which `any` must. It has one of the two. */
export interface ConditionGroup {
  all?: readonly Condition[];
  any?: readonly Condition[];
}

/** When a question is shown: as a group, whose entries can be groups themselves. */
export interface ShowIf {
  all?: readonly (Condition | ConditionGroup)[];
  any?: readonly (Condition | ConditionGroup)[];
}

/** What decides whether a question is shown. */
export interface ConditionalQuestion {
  key?: string;
  show_if?: ShowIf;
}

/** An answer, as far as conditions look at it. */
export interface GivenAnswer {
  /** The position of the question, from 1, or its key. */
  question?: number | string;
  value?: unknown;
}

/** The key of the question at a position, from 1: its own, or `q1`, `q2`, … */
export function keyOf({ key }: ConditionalQuestion, position: number): string {
  return key ?? `q${position}`;
}

/**
 * Returns the positions, from 1, of the questions that a respondent with these answers is shown.
 * Answers to questions that are not shown count as not given, so a question that depends on a
 * hidden one is decided as if nobody had answered that.
 */
export function shownQuestions(
  { questions }: { readonly questions: readonly ConditionalQuestion[] },
  answers: readonly GivenAnswer[],
): number[] {
  if (questions.every(({ show_if }) => show_if === undefined)) {
    return questions.map((_, index) => index + 1);
  }
  const given = new Map<number | string | undefined, unknown>();
  for (const { question, value } of answers) {
    given.set(question, value);
  }
  const counted = new Map<string, unknown>();
  const shown: number[] = [];
  questions.forEach((question, index) => {
    const position = index + 1;
    const key = keyOf(question, position);
    if (isShown(question.show_if, counted)) {
      shown.push(position);
      counted.set(key, given.has(position) ? given.get(position) : given.get(key));
    }
  });
  return shown;
}

/** @param values the answers to the questions that are shown, by key */
function isShown(showIf: ShowIf | undefined, values: ReadonlyMap<string, unknown>): boolean {
  const { all, any = [] } = showIf ?? { all: [] };
  const isMet = (entry: Condition | ConditionGroup): boolean =>
    'op' in entry ? holds(entry, values.get(entry.question)) : isShown(entry, values);
  return all === undefined ? any.some(isMet) : all.every(isMet);
}

/**
 * Whether a condition holds for an answer. `is_not`, `excludes` and `not_answered` hold exactly
 * where `is`, `includes` and `answered` do not, so also where there is no answer.
 *
 * @param answer the value of the answer; `undefined` if there is none
 */
export function holds({ row, op, value: wanted }: Condition, answer: unknown): boolean {
  const value = row === undefined ? answer : (answer as Record<string, unknown> | undefined)?.[row];
  switch (op) {
    case 'is':
      return value === wanted;
    case 'is_not':
      return value !== wanted;
    case 'includes':
      return Array.isArray(value) && value.includes(wanted);
    case 'excludes':
      return !(Array.isArray(value) && value.includes(wanted));
    case 'at_least':
      return compare(value, wanted) >= 0;
    case 'at_most':
      return compare(value, wanted) <= 0;
    case 'answered':
      return isAnswered(value);
    case 'not_answered':
      return !isAnswered(value);
  }
}

/** Compares numbers, or dates of the same precision as text; NaN if there is nothing to compare. */
function compare(value: unknown, wanted: unknown): number {
  if (typeof value === 'number' && typeof wanted === 'number') {
    return value - wanted;
  }
  return typeof value === 'string' && typeof wanted === 'string'
    ? Number(value > wanted) - Number(value < wanted)
    : NaN;
}

/** Whether a value is an answer. What a form holds before anyone has answered is none. */
function isAnswered(value: unknown): boolean {
  return typeof value === 'object' && value !== null
    ? Object.keys(value).length > 0
    : value !== undefined && value !== null && value !== '';
}
