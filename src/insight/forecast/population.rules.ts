import {
  Attribute,
  ATTRIBUTE_NUMBER,
  Attributes,
  Targeting,
} from '../../campaigns/targeting/targeting.types';
import { ApiError, ErrorDetail, fieldDetail, summarize } from '../../platform/protocol/api-error';
import { drawBelow, Draws } from '../../platform/statistics/random.rules';

/** How many respondents have a value, or a number in a range. */
interface Share {
  value?: string;
  from?: number;
  to?: number;
  share: number;
}

/** The shares of an attribute that a request states. */
export interface StatedAttribute {
  name: string;
  shares: readonly Share[];
}

/** Draws the value of an attribute; `undefined` for a respondent without it. */
type DrawValue = (draws: Draws) => string | number | undefined;

/** Shares have four decimal places. */
const PARTS = 10_000;

/** How far below and above the numbers that rules name respondents are, if nothing is stated. */
const AROUND = 10;

/** The numbers of an attribute that no rule names. */
const ANY_NUMBERS = [0, 100] as const;

/** A value that no rule of a `select` without a list names. */
const NO_NAMED_VALUE = 'something else';

/**
 * Refuses shares that are not about the attributes of the campaign.
 *
 * @throws ApiError `validation_failed`
 */
export function checkPopulation(
  { attributes }: Targeting,
  stated: readonly StatedAttribute[],
): void {
  const details = stated.flatMap(({ name, shares }, index): ErrorDetail[] => {
    const at = `attributes[${index}]`;
    const known = attributes.find((each) => each.name === name);
    return known === undefined
      ? [wrong(`${at}.name`, 'must name one of the attributes of the campaign')]
      : shares.flatMap((share, place) => checkShare(known, share, `${at}.shares[${place}]`));
  });
  if (details.length > 0) {
    throw new ApiError('validation_failed', summarize(details), details);
  }
}

function checkShare({ type, values }: Attribute, { value }: Share, at: string): ErrorDetail[] {
  if ((value === undefined) !== (type === 'number')) {
    const fields = type === 'number' ? 'from and to' : 'a value';
    return [wrong(at, `must have ${fields}, as the attribute is a ${type}`)];
  }
  return value === undefined || values === undefined || values.includes(value)
    ? []
    : [wrong(`${at}.value`, `must be one of ${values.join(', ')}`)];
}

const wrong = (field: string, must: string) => fieldDetail(field, 'not_allowed', must);

/** Returns what draws the attributes of a respondent, each independently of the others. */
export function populationOf(
  targeting: Targeting,
  stated: readonly StatedAttribute[] = [],
): (draws: Draws) => Attributes {
  const drawn = targeting.attributes.map((attribute): [string, DrawValue] => {
    const own = stated.find(({ name }) => name === attribute.name);
    return [attribute.name, own === undefined ? plausible(attribute, targeting) : fromShares(own)];
  });
  return (draws) =>
    Object.fromEntries(
      drawn
        .map(([name, draw]) => [name, draw(draws)] as const)
        .filter((each): each is [string, string | number] => each[1] !== undefined),
    );
}

function fromShares({ shares }: StatedAttribute): DrawValue {
  return (draws) => {
    let left = drawBelow(draws, PARTS);
    const position = drawBelow(draws, PARTS) / PARTS;
    for (const { value, from = 0, to = 0, share } of shares) {
      left -= Math.round(share * PARTS);
      if (left < 0) {
        return value ?? from + Math.floor(position * (to - from + 1));
      }
    }
    return undefined;
  };
}

/** Values that are equally likely, of an attribute about which nothing is stated. */
function plausible({ name, type, values }: Attribute, targeting: Targeting): DrawValue {
  if (type === 'number') {
    const [low, high] = numbersAround(name, targeting);
    return (draws) => low + drawBelow(draws, high - low + 1);
  }
  const possible = values ?? [...new Set([...namedValues(name, targeting), NO_NAMED_VALUE])];
  return (draws) => possible[drawBelow(draws, possible.length)];
}

function numbersAround(name: string, targeting: Targeting): readonly [number, number] {
  const named = [
    ...conditionsOn(name, targeting).map(Number),
    ...choicesOf(name, targeting).flatMap((choice) =>
      typeof choice === 'string' ? [] : [choice.from, choice.to],
    ),
  ].filter((each) => each !== undefined);
  const { minimum, maximum } = ATTRIBUTE_NUMBER;
  return named.length === 0
    ? ANY_NUMBERS
    : [
        Math.max(minimum, Math.min(...named) - AROUND),
        Math.min(maximum, Math.max(...named) + AROUND),
      ];
}

function namedValues(name: string, targeting: Targeting): string[] {
  return [...conditionsOn(name, targeting), ...choicesOf(name, targeting)].filter(
    (each) => typeof each === 'string',
  );
}

const conditionsOn = (name: string, { screening }: Targeting) =>
  (screening?.all ?? screening?.any ?? [])
    .filter(({ attribute }) => attribute === name)
    .flatMap(({ value }) => value);

const choicesOf = (name: string, { quotas }: Targeting) =>
  quotas.flatMap(({ when }) => (Object.hasOwn(when, name) ? (when[name] ?? []) : []));
