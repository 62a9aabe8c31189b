import { Big } from 'big.js';
import type { Scale } from '../../campaigns/campaign/image-survey.rules';
import { DATE_EXAMPLES } from '../../campaigns/questions/date.rules';
import { optionOf } from '../../campaigns/questions/option.rules';
import type { Option, Question } from '../../campaigns/questions/question.types';
import { NPS_GROUPS } from '../results/answer-results.rules';
import { periodsOf } from '../results/date-periods.rules';
import { binsOf } from '../results/number-bins.rules';
import { answeredAs, named } from '../results/option-shares.rules';
import { ratingSteps } from '../results/rating-steps.rules';
import type { Place } from '../results/tally.rules';
import { amountIn, Group, Part } from './groups.rules';

/** What a row of a table counts: an answer, or several that are read as one. */
export interface Category {
  value: string;
  text?: string;
  /** Where a tally has the responses with this answer. */
  given: (part: Part) => readonly Place[];
  /** Where it has those that its share is a part of. */
  base: (part: Part) => readonly Place[];
}

const answered = ({ item }: Part): Place[] => [['answered', item]];

/**
 * The rows of the table of a question; `null` if its answers cannot be rows.
 *
 * @param total all responses, which decide the ranges of numbers and the periods of dates
 */
export function categoriesOf(question: Question, total: Group): Category[] | null {
  switch (question.type) {
    case 'single_choice':
    case 'multiple_choice':
      return optionCategories(question.options);
    case 'matrix':
      return question.scale === undefined
        ? optionCategories(question.options ?? [])
        : stepCategories(question.scale);
    case 'rating':
      return stepCategories(question.scale);
    case 'nps':
      return Object.entries(NPS_GROUPS).map(([value, answers]) => ({
        value,
        given: ({ item }) => answers.map((each): Place => ['option', item, each]),
        base: answered,
      }));
    case 'checkbox':
      return ['true', 'false'].map((value) => ({
        value,
        given: ({ item }) => [['option', item, value]],
        base: answered,
      }));
    case 'number':
      return rangeCategories(total, question.decimals ?? 0);
    case 'date': {
      const dates = new Set(total.flatMap(({ tallied, item }) => [...tallied.keys('date', item)]));
      const { precision, periods } = periodsOf([...dates], question.precision ?? 'day');
      const { length } = DATE_EXAMPLES[precision];
      return keyCategories('date', [...periods.keys()], (key) => key.slice(0, length));
    }
    default:
      return null;
  }
}

function optionCategories(options: readonly Option[]): Category[] {
  return options.map((option) => {
    const key = answeredAs(option);
    const isOffered = optionOf(option).show_if !== undefined;
    return {
      ...named(option),
      given: ({ item }) => [['option', item, key]],
      base: isOffered ? ({ item }) => [['offered', item, key]] : answered,
    };
  });
}

function stepCategories(scale: Scale): Category[] {
  return ratingSteps(scale).map((step) => ({
    value: String(step),
    given: ({ item }) => [['rated', item, step]],
    base: answered,
  }));
}

/** The tally counts many numbers with three digits; all groups are read as the total is. */
function rangeCategories(total: Group, decimals: number): Category[] {
  const level = Math.max(
    0,
    ...total.map(({ tallied, item }) => tallied.of('coarse', item)[0] ?? 0),
  );
  const numberOf = (key: string) =>
    level === 0 ? Number(key) : new Big(key).prec(COARSE_DIGITS, Big.roundHalfUp).toNumber();
  const keys = new Set(total.flatMap(({ tallied, item }) => [...tallied.keys('value', item)]));
  const values = [...keys].filter(
    (key) => amountIn(total, ({ item }) => [['value', item, key]]).count > 0,
  );
  const step = Number(`1e-${decimals}`);
  const bins = binsOf(
    values.map((key) => ({ value: numberOf(key), count: 1 })),
    step,
  );
  const textOf = ({ from, to }: { from: number; to: number }) =>
    new Big(to).minus(from).eq(step) ? String(from) : `${from} to below ${to}`;
  return keyCategories('value', bins.map(textOf), (key) => {
    const value = numberOf(key);
    const bin = bins.find(({ from, to }) => from <= value && value < to);
    return bin === undefined ? '' : textOf(bin);
  });
}

/** Significant digits of `coarse_key`. */
const COARSE_DIGITS = 3;

/** Categories that each have several keys of a tally. */
function keyCategories(
  kind: string,
  values: readonly string[],
  valueOf: (key: string) => string,
): Category[] {
  const known = new WeakMap<Part, Map<string, Place[]>>();
  const placesIn = (part: Part) => {
    let places = known.get(part);
    if (places === undefined) {
      places = new Map<string, Place[]>();
      for (const key of part.tallied.keys(kind, part.item)) {
        const value = valueOf(key);
        places.set(value, [...(places.get(value) ?? []), [kind, part.item, key]]);
      }
      known.set(part, places);
    }
    return places;
  };
  return values.map((value) => ({
    value,
    given: (part) => placesIn(part).get(value) ?? [],
    base: answered,
  }));
}
