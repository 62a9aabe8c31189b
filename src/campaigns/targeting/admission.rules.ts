import {
  AUDIENCE_RULES,
  AttributeCondition,
  Attributes,
  Choice,
  NO_CONDITION,
  NO_QUALIFYING_ANSWER,
  NO_QUOTA,
  RULE_NAME_LENGTH,
  Rules,
  SCREENED_OUT_BEFORE,
  Screening,
  Targeting,
  When,
} from './targeting.types';
import { nameOfQualifying } from './screening-questions.rules';

/** What the rules of a campaign say about a respondent. */
export type Admission =
  | { refusedBy: string; cells: null }
  /** The cells that the respondent counts in; `null` for none. */
  | { refusedBy: null; cells: number[] | null };

/** Compares a respondent with the rules of a campaign, but not with the counts of its cells. */
export function admit({ targeting, cells }: Rules, attributes: Attributes): Admission {
  const refusedBy = findUnmet(targeting.screening, attributes);
  if (refusedBy !== null) {
    return { refusedBy, cells: null };
  }
  const own = cells.filter((_, index) => matches(whenOf(targeting, index), attributes));
  if (own.length > 0) {
    return { refusedBy: null, cells: own };
  }
  return cells.length > 0 && targeting.other === 'refuse'
    ? { refusedBy: NO_QUOTA, cells: null }
    : { refusedBy: null, cells: null };
}

/**
 * Whether a respondent could begin a campaign some of whose cells are full. It compares no more
 * quotas than it has to: a list asks this about every live campaign.
 */
export function couldBegin(
  { targeting, cells }: Rules,
  full: ReadonlySet<number>,
  attributes: Attributes,
): boolean {
  const isMatched = (cell: number, index: number) =>
    (targeting.other === 'refuse' || full.has(cell)) &&
    matches(whenOf(targeting, index), attributes);
  if (findUnmet(targeting.screening, attributes) !== null) {
    return false;
  }
  const own = cells.filter(isMatched);
  return own.some((cell) => full.has(cell))
    ? false
    : own.length > 0 || cells.length === 0 || targeting.other === 'admit';
}

const whenOf = ({ quotas }: Targeting, index: number): When => quotas[index]?.when ?? {};

/** Whether a respondent has one of the choices of every attribute. */
export function matches(when: When, attributes: Attributes): boolean {
  for (const name in when) {
    const value = valueOf(attributes, name);
    if (value === undefined || !when[name]?.some((choice) => isChosen(choice, value))) {
      return false;
    }
  }
  return true;
}

function isChosen(choice: Choice, value: string | number): boolean {
  if (typeof choice === 'string') {
    return value === choice;
  }
  const { from = -Infinity, to = Infinity } = choice;
  return typeof value === 'number' && value >= from && value <= to;
}

/** Attributes are from a request, and may have any name. */
function valueOf(attributes: Attributes, name: string): string | number | undefined {
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined;
}

/** Returns the name of the rule that a respondent does not meet; `null` if there is none. */
function findUnmet(screening: Screening | null, attributes: Attributes): string | null {
  if (screening === null) {
    return null;
  }
  const isMet = (condition: AttributeCondition) =>
    meets(condition, valueOf(attributes, condition.attribute));
  if (screening.any !== undefined) {
    return screening.any.some(isMet) ? null : NO_CONDITION;
  }
  const unmet = screening.all.find((condition) => !isMet(condition));
  return unmet === undefined ? null : nameOf(unmet);
}

/** Whether a value meets a condition. A value of another type than the attribute's never does. */
export function meets({ op, value }: AttributeCondition, given?: string | number): boolean {
  const type = typeof (Array.isArray(value) ? value[0] : value);
  if (given === undefined || typeof given !== type) {
    return false;
  }
  switch (op) {
    case 'is':
      return given === value;
    case 'is_not':
      return given !== value;
    case 'one_of':
      return (value as string[]).includes(given as string);
    case 'none_of':
      return !(value as string[]).includes(given as string);
    case 'at_least':
      return Number(given) >= Number(value);
    case 'at_most':
      return Number(given) <= Number(value);
  }
}

/** What a refusal calls a condition. */
export function nameOf({ name, attribute, op, value }: AttributeCondition): string {
  return name ?? `${attribute} ${op} ${[value].flat().join(', ')}`.slice(0, RULE_NAME_LENGTH);
}

/** The names of the rules that can screen a respondent out, in their order, each once. */
export function screeningNames(targeting: Targeting): string[] {
  const { screening, quotas, other } = targeting;
  const { qualify, screen_out_reward } = targeting;
  const names = screening?.all?.map(nameOf) ?? (screening === null ? [] : [NO_CONDITION]);
  const answers =
    qualify?.all?.map(nameOfQualifying) ?? (qualify === null ? [] : [NO_QUALIFYING_ANSWER]);
  return [
    ...new Set([
      ...names,
      ...answers,
      ...(screen_out_reward === null ? [] : [SCREENED_OUT_BEFORE]),
      ...(quotas.length > 0 && other === 'refuse' ? [NO_QUOTA] : []),
      ...AUDIENCE_RULES.filter((rule) => targeting[rule] !== null),
    ]),
  ];
}
