import { ApiPropertyOptions } from '@nestjs/swagger';
import { Big } from 'big.js';
import { Field, Presence, Problem, problem } from './field';

export interface DecimalLimits extends Presence {
  minimum: number;
  maximum: number;
  /** How many decimal places are allowed. */
  places: number;
  example?: number;
}

/**
 * Returns the problems of a value that must be a decimal number. It looks at the decimal digits and
 * does not use binary arithmetic.
 */
export function checkDecimal(
  value: unknown,
  { minimum, maximum, places }: Pick<DecimalLimits, 'minimum' | 'maximum' | 'places'>,
): Problem[] {
  if (typeof value !== 'number') {
    return problem('invalid_type', 'must be a number');
  }
  if (value < minimum) {
    return problem('too_small', `must be at least ${minimum}`);
  }
  if (value > maximum) {
    return problem('too_large', `must be at most ${maximum}`);
  }
  if (Number.isNaN(value)) {
    return inexact();
  }
  const [, decimals = ''] = new Big(value).toFixed().split('.');
  return decimals.length <= places
    ? []
    : problem('too_precise', `must have at most ${places} decimal places`);
}

/** A decimal number. */
export function Decimal({
  minimum,
  maximum,
  places,
  example,
  ...presence
}: DecimalLimits): PropertyDecorator {
  return Field(
    (value) => checkDecimal(value, { minimum, maximum, places }),
    // Without multipleOf: validators compute it in binary and find that 1.1 is no multiple of 0.01.
    { type: 'number', minimum, maximum, 'x-decimal-places': places, example } as ApiPropertyOptions,
    presence,
  );
}

/** The problem of a number that a double cannot hold exactly (see `json-body.ts`). */
function inexact(): Problem[] {
  return problem('too_precise', 'has more digits than can be kept exactly');
}

/** The largest amount of money, in units of the reward currency. */
export const MONEY_MAXIMUM = 1_000_000_000;

/**
 * An amount of money: a number with at most two decimal places.
 *
 * @param minimum the smallest amount; 0 means "not negative"
 */
export function Money({
  minimum,
  whole = false,
  example,
  ...presence
}: Presence & { minimum: number; whole?: boolean; example?: number }): PropertyDecorator {
  return whole
    ? WholeNumber({ minimum, maximum: MONEY_MAXIMUM, example, ...presence })
    : Decimal({ minimum, maximum: MONEY_MAXIMUM, places: 2, example, ...presence });
}

export interface WholeNumberLimits extends Presence {
  minimum: number;
  maximum: number;
  example?: number;
}

/** Returns the problems of a value that must be a whole number between two bounds. */
export function checkWholeNumber(
  value: unknown,
  { minimum, maximum }: Pick<WholeNumberLimits, 'minimum' | 'maximum'>,
): Problem[] {
  if (typeof value !== 'number') {
    return problem('invalid_type', 'must be a whole number');
  }
  if (Number.isNaN(value)) {
    return inexact();
  }
  if (!Number.isInteger(value)) {
    return problem('not_an_integer', 'must be a whole number');
  }
  if (value < minimum) {
    return problem('too_small', `must be at least ${minimum}`);
  }
  return value > maximum ? problem('too_large', `must be at most ${maximum}`) : [];
}

/** A whole number between two bounds. */
export function WholeNumber({
  minimum,
  maximum,
  example,
  ...presence
}: WholeNumberLimits): PropertyDecorator {
  return Field(
    (value) => checkWholeNumber(value, { minimum, maximum }),
    { type: 'integer', minimum, maximum, example },
    presence,
  );
}
