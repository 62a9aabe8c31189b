import { Problem, problem } from '../../platform/validation/fields/field';
import { meets } from './admission.rules';
import { checkScreeningQuestions } from './screening-questions.rules';
import {
  ALL,
  Attribute,
  AttributeCondition,
  Choice,
  NumberRange,
  Screening,
  Targeting,
  TARGETING_BYTES,
} from './targeting.types';

type Attributes = ReadonlyMap<string, Attribute>;

/**
 * Returns what is wrong with rules whose parts are valid in themselves, with paths from the
 * request. Whether a respondent can match a quota is asked only of rules that are right otherwise.
 */
export function checkTargeting(targeting: Targeting): Problem[] {
  const known = new Map(targeting.attributes.map((each) => [each.name, each]));
  const problems = [
    ...checkScreening(targeting, known),
    ...checkScreeningQuestions(targeting),
    ...checkQuotas(targeting, known),
    ...checkAudience(targeting),
  ];
  if (problems.length > 0) {
    return problems;
  }
  return Buffer.byteLength(JSON.stringify(targeting)) > TARGETING_BYTES
    ? problem(
        'too_large',
        `must have at most ${TARGETING_BYTES} bytes with the other rules`,
        'quotas',
      )
    : targeting.quotas.flatMap(({ when }, index) =>
        canMatch(when, targeting.screening)
          ? []
          : problem(
              'unreachable',
              'must match a respondent whom the screening lets through',
              `quotas[${index}].when`,
            ),
      );
}

/** Returns the conditions of a screening, each with its path. */
function conditionsOf(screening: Screening | null): [string, AttributeCondition][] {
  const kind = screening?.any === undefined ? 'all' : 'any';
  return (screening?.[kind] ?? []).map((each, index) => [`screening.${kind}[${index}]`, each]);
}

function checkScreening({ screening }: Targeting, known: Attributes): Problem[] {
  return conditionsOf(screening).flatMap(([at, { attribute, op, value }]) => {
    const declared = known.get(attribute);
    if (declared === undefined) {
      return unknownAttribute(`${at}.attribute`);
    }
    const { type } = declared;
    const isRange = op === 'at_least' || op === 'at_most';
    const isList = op === 'one_of' || op === 'none_of';
    if (type === 'select' ? isRange : isList) {
      return problem('not_allowed', `is not for an attribute of type ${type}`, `${at}.op`);
    }
    if (isList !== Array.isArray(value)) {
      const kind = isList ? 'an array of values' : 'one value';
      return problem('invalid_type', `must be ${kind} with ${op}`, `${at}.value`);
    }
    return [value]
      .flat()
      .flatMap((each, index) =>
        checkValue(declared, each, isList ? `${at}.value[${index}]` : `${at}.value`),
      );
  });
}

function checkQuotas({ quotas }: Targeting, known: Attributes): Problem[] {
  return quotas.flatMap(({ when }, position) =>
    Object.entries(when).flatMap(([name, choices]) => {
      const at = `quotas[${position}].when.${name}`;
      const declared = known.get(name);
      return declared === undefined
        ? unknownAttribute(at)
        : choices.flatMap((choice, index) => checkChoice(declared, choice, `${at}[${index}]`));
    }),
  );
}

function checkChoice(attribute: Attribute, choice: Choice, at: string): Problem[] {
  if (typeof choice === 'string') {
    return checkValue(attribute, choice, at);
  }
  return attribute.type === 'number'
    ? []
    : problem('invalid_type', 'must be a string, as the attribute is a select', at);
}

function checkValue({ type, values }: Attribute, value: string | number, at: string): Problem[] {
  if (typeof value !== (type === 'select' ? 'string' : 'number')) {
    const kind = type === 'select' ? 'a string' : 'a whole number';
    return problem('invalid_type', `must be ${kind}, as the attribute is a ${type}`, at);
  }
  return values === undefined || values.includes(value as string)
    ? []
    : problem('not_allowed', `must be one of ${values.join(', ')}`, at);
}

/** A campaign whose respondents are all excluded cannot be the one that all must have taken. */
function checkAudience({ exclude, include }: Targeting): Problem[] {
  const isExcluded =
    include !== null &&
    exclude !== null &&
    exclude.within_days === undefined &&
    (exclude.campaigns === ALL || exclude.campaigns.includes(include.campaign));
  return isExcluded
    ? problem('unreachable', 'must be a campaign that exclude does not name', 'include.campaign')
    : [];
}

const unknownAttribute = (at: string) =>
  problem('not_allowed', 'must name one of the attributes of the campaign', at);

/** Whether any respondent whom a screening lets through could have one of the choices of each. */
function canMatch(when: Targeting['quotas'][number]['when'], screening: Screening | null): boolean {
  const couldMeet = (conditions: AttributeCondition[]) =>
    Object.entries(when).every(([name, choices]) => {
      const own = conditions.filter(({ attribute }) => attribute === name);
      return choices.some((choice) => isPossible(choice, own));
    });
  return screening?.any === undefined
    ? couldMeet(screening?.all ?? [])
    : screening.any.some((condition) => couldMeet([condition]));
}

/** Whether a value of a choice meets all conditions on its attribute. */
function isPossible(choice: Choice, conditions: readonly AttributeCondition[]): boolean {
  if (typeof choice === 'string') {
    return conditions.every((condition) => meets(condition, choice));
  }
  let { from = -Infinity, to = Infinity } = choice;
  const excluded = new Set<number>();
  for (const { op, value } of conditions) {
    const bound = Number(value);
    from = op === 'at_least' || op === 'is' ? Math.max(from, bound) : from;
    to = op === 'at_most' || op === 'is' ? Math.min(to, bound) : to;
    if (op === 'is_not') {
      excluded.add(bound);
    }
  }
  while (excluded.has(from)) {
    from += 1;
  }
  return from <= to;
}

/** Ranges that a company may not have meant. */
export const TARGETING_WARNING_CODES = ['ranges_overlap', 'range_gap'] as const;

export interface TargetingWarning {
  code: (typeof TARGETING_WARNING_CODES)[number];
  /** The path of the range. */
  field: string;
  message: string;
}

interface PlacedRange extends Required<NumberRange> {
  field: string;
}

/** Returns the ranges of quotas that overlap without being equal, or leave numbers between them. */
export function reviewRanges({ attributes, quotas }: Targeting): TargetingWarning[] {
  return attributes.flatMap(({ name }) => {
    const ranges = quotas.flatMap(({ when }, position) =>
      rangesOf(when[name] ?? [], name, position),
    );
    return warningsOf(ranges);
  });
}

function rangesOf(choices: readonly Choice[], name: string, position: number): PlacedRange[] {
  return choices.flatMap((choice, index) => {
    if (typeof choice === 'string') {
      return [];
    }
    const { from = -Infinity, to = Infinity } = choice;
    return [{ from, to, field: `quotas[${position}].when.${name}[${index}]` }];
  });
}

/** Goes through the ranges from the lowest. A range that is there several times counts once. */
function warningsOf(ranges: readonly PlacedRange[]): TargetingWarning[] {
  const sorted = ranges.toSorted((a, b) => a.from - b.from || a.to - b.to);
  const warnings: TargetingWarning[] = [];
  let before: PlacedRange | undefined;
  for (const range of sorted) {
    const { from, to, field } = range;
    if (before !== undefined && (from !== before.from || to !== before.to)) {
      if (from <= before.to) {
        const message = `${field} has numbers in common with ${before.field}: who has one of them counts in both.`;
        warnings.push({ code: 'ranges_overlap', field, message });
      } else if (from > before.to + 1) {
        const message = `Nobody from ${before.to + 1} to ${from - 1} is in ${field} or the range below it.`;
        warnings.push({ code: 'range_gap', field, message });
      }
    }
    before = before !== undefined && before.to > to ? before : range;
  }
  return warnings;
}
