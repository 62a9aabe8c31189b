import { ApiProperty } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { Field, problem } from '../../platform/validation/fields/field';
import { Trimmed } from '../../platform/validation/fields/text.fields';

/** A lower and an upper bound in a response. */
export function ResponseInterval({ nullable = false } = {}): PropertyDecorator {
  return ApiProperty({
    type: 'array',
    items: { type: 'number' },
    minItems: 2,
    maxItems: 2,
    ...(nullable ? { nullable } : {}),
  });
}

/** Whole numbers in a response, this many of them. */
export function ResponseIntegers({
  minimum,
  maximum,
  items,
}: {
  minimum: number;
  maximum: number;
  items: { minimum: number; maximum: number };
}): PropertyDecorator {
  return ApiProperty({
    type: 'array',
    items: { type: 'integer', format: 'int32', ...items },
    minItems: minimum,
    maxItems: maximum,
  });
}

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

/** Five weights in the query string, separated by commas. */
export function WeightsParameter() {
  return applyDecorators(
    Trimmed(),
    Field(
      checkWeights,
      {
        type: 'string',
        minLength: 1,
        maxLength: WEIGHTS_MAX_LENGTH,
        pattern: WEIGHTS_PATTERN,
        example: '0.2,0.5,1,1,1',
      },
      { optional: true },
    ),
  );
}
