import type { Comparison } from './comparison.js';
import type { Expression } from './condition.js';
import type { Draft } from './draft.js';
import type { QsfQuestion } from './qualtrics-questions.js';

interface Term {
  LogicType?: string;
  QuestionID?: string;
  LeftOperand?: string;
  ChoiceLocator?: string;
  Operator?: string;
  RightOperand?: string;
  Conjuction?: string;
  Conjunction?: string;
}

/** Sets of terms by number; each has its terms by number, and `Type`. */
export type Logic = Record<string, Record<string, Term> | string | boolean>;

const OPERATORS: Readonly<Record<string, Comparison['op']>> = {
  Selected: 'has',
  NotSelected: 'lacks',
  EqualTo: 'equal',
  NotEqualTo: 'unequal',
  GreaterThan: 'above',
  GreaterThanOrEqual: 'least',
  LessThan: 'below',
  LessThanOrEqual: 'most',
  Empty: 'none',
  NotEmpty: 'some',
  Displayed: 'some',
};

/** What the author calls a question. */
export const nameOf = ({ DataExportTag, QuestionID }: QsfQuestion) => DataExportTag ?? QuestionID;

/** The display logic of a question; what cannot be expressed is lost. */
export function conditionsOfLogic(
  draft: Draft,
  question: QsfQuestion,
  questions: ReadonlyMap<string, QsfQuestion>,
): Expression[] {
  const { DisplayLogic } = question;
  if (DisplayLogic === undefined) {
    return [];
  }
  const sets = numbered(DisplayLogic).map((set) =>
    chain(numbered(set as Record<string, Term>), questions),
  );
  const expression = sets.length > 0 && !sets.includes(undefined) ? sets : undefined;
  if (expression === undefined) {
    draft.loseCondition(nameOf(question), 'it is about something else than answers');
    return [];
  }
  // Qualtrics reads several sets as alternatives unless they say otherwise.
  return [{ any: expression as Expression[] }];
}

function numbered<T>(record: Record<string, T>): T[] {
  return Object.entries(record)
    .filter(([name]) => /^\d+$/.test(name))
    .map(([, value]) => value);
}

/** Terms that are joined one after the other: “and” binds more tightly. */
function chain(
  terms: readonly Term[],
  questions: ReadonlyMap<string, QsfQuestion>,
): Expression | undefined {
  const groups: Expression[][] = [];
  for (const term of terms) {
    const compared = comparison(term, questions);
    if (compared === undefined) {
      return undefined;
    }
    const joins = term.Conjuction ?? term.Conjunction;
    const last = groups.at(-1);
    if (last !== undefined && joins === 'And') {
      last.push(compared);
    } else {
      groups.push([compared]);
    }
  }
  return { any: groups.map((all) => ({ all })) };
}

function comparison(
  { LogicType, QuestionID, LeftOperand = '', ChoiceLocator, Operator = '', RightOperand }: Term,
  questions: ReadonlyMap<string, QsfQuestion>,
): Comparison | undefined {
  const source = questions.get(QuestionID ?? '');
  const op = OPERATORS[Operator];
  if (LogicType !== 'Question' || source === undefined || op === undefined) {
    return undefined;
  }
  const [, place, first, second] =
    /\/(SelectableChoice|ChoiceTextEntryValue|SelectableAnswer|ChoiceNumericEntryValue)\/(\w+)(?:\/(\w+))?/.exec(
      ChoiceLocator ?? LeftOperand,
    ) ?? [];
  const name = nameOf(source);
  if (op === 'some' || op === 'none') {
    return { name, op };
  }
  if (place === 'SelectableChoice' && (op === 'has' || op === 'lacks')) {
    // In a table, a row stands before the answer.
    return second === undefined
      ? { name, op, value: first }
      : { name, row: first, op, value: second };
  }
  return RightOperand === undefined ? undefined : { name, op, value: RightOperand };
}
