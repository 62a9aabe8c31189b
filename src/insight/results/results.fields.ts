import { applyDecorators } from '@nestjs/common';
import { Field, problem } from '../../platform/validation/fields/field';
import { Trimmed } from '../../platform/validation/fields/text.fields';

const WEIGHTS = 5;
const WEIGHT = '(?:0(?:\\.\\d{1,6})?|1(?:\\.0{1,6})?)';
const WEIGHTS_PATTERN = `^${WEIGHT}(?:,${WEIGHT}){${WEIGHTS - 1}}$`;
const WEIGHTS_MAX_LENGTH = 50;

function checkWeights(value: unknown) {
  if (typeof value !== 'string' || !new RegExp(WEIGHTS_PATTERN).test(value)) {
    return problem('not_allowed', 'must be five numbers from 0 to 1, separated by commas');
  }
  return /[1-9]/.test(value) ? [] : problem('not_allowed', 'must not all be 0');
}

/** Instead of five weights: those that give the margins of the campaign. */
export const MARGINS = 'margins';

/**
 * Five weights in the query string, separated by commas.
 *
 * @param word that can take their place
 */
export function WeightsParameter({ word }: { word?: typeof MARGINS } = {}) {
  return applyDecorators(
    Trimmed(),
    Field(
      (value) => (value === word ? [] : checkWeights(value)),
      {
        type: 'string',
        minLength: 1,
        maxLength: WEIGHTS_MAX_LENGTH,
        pattern: word === undefined ? WEIGHTS_PATTERN : `^${word}$|${WEIGHTS_PATTERN}`,
        example: '0.2,0.5,1,1,1',
      },
      { optional: true },
    ),
  );
}
