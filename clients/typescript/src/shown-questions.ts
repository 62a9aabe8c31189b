/*
 * Decides what of a set is shown. The service and its SDK run this very file, so it imports
 * nothing.
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

/** When something is shown: as a group, whose entries can be groups themselves. */
export interface ShowIf {
  all?: readonly (Condition | ConditionGroup)[];
  any?: readonly (Condition | ConditionGroup)[];
}

/** What decides whether an option or a row is shown. */
export type ConditionalOption =
  string | { text: string; key?: string; exclusive?: boolean; show_if?: ShowIf };

/** What decides whether a question is shown, and what of it. */
export interface ConditionalQuestion {
  key?: string;
  show_if?: ShowIf;
  options?: readonly ConditionalOption[];
  rows?: readonly ConditionalOption[];
  minimum_choices?: number;
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

/** Whether the answers decide whether a question is shown, or what of it. */
export function isConditional({ show_if, options, rows }: ConditionalQuestion): boolean {
  return show_if !== undefined || hasConditions(options) || hasConditions(rows);
}

function hasConditions(options: readonly ConditionalOption[] | undefined): boolean {
  return options?.some((each) => typeof each !== 'string' && each.show_if !== undefined) === true;
}

/**
 * Returns the positions, from 1, of the questions that a respondent with these answers is shown.
 * Answers to what is not shown count as not given, so a question that depends on a hidden one is
 * decided as if nobody had answered that.
 */
export function shownQuestions(
  set: { readonly questions: readonly ConditionalQuestion[] },
  answers: readonly GivenAnswer[],
): number[] {
  return [...shownContent(set, answers).keys()];
}

/**
 * Returns the questions that a respondent with these answers is shown, by their positions, from 1:
 * with the options and rows that are shown, and with as few `minimum_choices` as these leave.
 */
export function shownContent<Question extends ConditionalQuestion>(
  { questions }: { readonly questions: readonly Question[] },
  answers: readonly GivenAnswer[],
): Map<number, Question> {
  if (!questions.some(isConditional)) {
    return new Map(questions.map((question, index) => [index + 1, question]));
  }
  const given = new Map<number | string | undefined, unknown>();
  for (const { question, value } of answers) {
    given.set(question, value);
  }
  return showInTurn(questions, (question, position) =>
    given.has(position) ? given.get(position) : given.get(keyOf(question, position)),
  );
}

/**
 * Shows questions one by one, as {@link shownContent} returns them.
 *
 * @param answerTo returns the value of the answer to a question as it is shown
 */
export function showInTurn<Question extends ConditionalQuestion>(
  questions: readonly Question[],
  answerTo: (question: Question, position: number) => unknown,
): Map<number, Question> {
  const counted = new Map<string, unknown>();
  const shown = new Map<number, Question>();
  const isHere = (option: ConditionalOption) =>
    typeof option === 'string' || option.show_if === undefined || isMet(option.show_if, counted);
  questions.forEach((question, index) => {
    if (question.show_if !== undefined && !isMet(question.show_if, counted)) {
      return;
    }
    const position = index + 1;
    const part = partOf(question, isHere);
    if (part !== undefined) {
      shown.set(position, part);
      const value = answerTo(part, position);
      counted.set(
        keyOf(question, position),
        part === question ? value : withoutHidden(question, part, value),
      );
    }
  });
  return shown;
}

/** Returns a question with some of its options and rows; nothing if none of them are left. */
export function partOf<Question extends ConditionalQuestion>(
  question: Question,
  isHere: (option: ConditionalOption) => boolean,
): Question | undefined {
  const { options, rows, minimum_choices: minimum = 1 } = question;
  const left = hasConditions(options) ? options?.filter(isHere) : options;
  const leftRows = hasConditions(rows) ? rows?.filter(isHere) : rows;
  if (left?.length === options?.length && leftRows?.length === rows?.length) {
    return question;
  }
  if (left?.length === 0 || leftRows?.length === 0) {
    return undefined;
  }
  const together = left?.filter((each) => typeof each === 'string' || each.exclusive !== true);
  const most = Math.max(1, together?.length ?? 1);
  return {
    ...question,
    ...(left && { options: left }),
    ...(leftRows && { rows: leftRows }),
    ...(minimum > most && { minimum_choices: most }),
  };
}

/** Returns an answer without the options and rows that are not shown. */
function withoutHidden(
  { options, rows }: ConditionalQuestion,
  part: ConditionalQuestion,
  value: unknown,
): unknown {
  const hiddenOptions = hiddenFrom(options, part.options);
  const hiddenRows = hiddenFrom(rows, part.rows);
  const shownOf = (given: unknown): unknown => {
    if (Array.isArray(given)) {
      return given.filter((each) => !hiddenOptions.has(each as string));
    }
    return hiddenOptions.has(given as string) ? undefined : given;
  };
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([row, cell]) => !hiddenRows.has(row) && shownOf(cell) !== undefined)
          .map(([row, cell]) => [row, shownOf(cell)]),
      )
    : shownOf(value);
}

/** What answers name the options by that are not shown. */
export function hiddenFrom(
  all: readonly ConditionalOption[] = [],
  shown: readonly ConditionalOption[] = [],
): Set<string> {
  const names = (options: readonly ConditionalOption[]) =>
    options.map((each) => (typeof each === 'string' ? each : (each.key ?? each.text)));
  const hidden = new Set(names(all));
  for (const name of names(shown)) {
    hidden.delete(name);
  }
  return hidden;
}

/** @param values the answers to the questions that are shown, by key */
function isMet({ all, any = [] }: ShowIf, values: ReadonlyMap<string, unknown>): boolean {
  const isEntryMet = (entry: Condition | ConditionGroup): boolean =>
    'op' in entry ? holds(entry, values.get(entry.question)) : isMet(entry, values);
  return all === undefined ? any.some(isEntryMet) : all.every(isEntryMet);
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
