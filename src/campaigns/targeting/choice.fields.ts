import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { KEY_PATTERN } from '../questions/option.dto';
import { checkKey } from '../questions/option.field';
import {
  Field,
  isPlainObject,
  placed,
  Problem,
  problem,
} from '../../platform/validation/fields/field';
import { checkWholeNumber } from '../../platform/validation/fields/number.fields';
import { checkText, Normalized, TEXT_PATTERN } from '../../platform/validation/fields/text.fields';
import { normalizeText } from '../../platform/validation/fields/unicode';
import {
  ATTRIBUTE_NUMBER,
  ATTRIBUTES_MAXIMUM,
  RESPONDENT_ATTRIBUTES_MAXIMUM,
  VALUE_LENGTH,
  VALUES_MAXIMUM,
} from './targeting.types';

const TEXT_VALUE = {
  type: 'string' as const,
  minLength: 1,
  maxLength: VALUE_LENGTH,
  pattern: TEXT_PATTERN,
};
const NUMBER_VALUE = { type: 'integer' as const, format: 'int32', ...ATTRIBUTE_NUMBER };

function checkArray(value: unknown, check: (each: unknown) => Problem[]): Problem[] {
  if (!Array.isArray(value)) {
    return problem('invalid_type', 'must be an array');
  }
  if (value.length === 0) {
    return problem('too_few', 'must have at least 1 entry');
  }
  return value.length > VALUES_MAXIMUM
    ? problem('too_many', `must have at most ${VALUES_MAXIMUM} entries`)
    : value.flatMap((each: unknown, index) => placed(`[${index}]`, check(each)));
}

/** What an attribute is compared with: a text, a whole number, or an array of texts. */
export function ConditionValue(): PropertyDecorator {
  return applyDecorators(
    Normalized(),
    Field(
      (value) => {
        if (typeof value === 'number') {
          return checkWholeNumber(value, ATTRIBUTE_NUMBER);
        }
        return Array.isArray(value)
          ? checkArray(value, (each) => checkText(each, VALUE_LENGTH))
          : checkText(value, VALUE_LENGTH);
      },
      {
        oneOf: [
          TEXT_VALUE,
          NUMBER_VALUE,
          { type: 'array', items: TEXT_VALUE, minItems: 1, maxItems: VALUES_MAXIMUM },
        ],
        example: 18,
      },
    ),
  );
}

function checkRange(range: Record<string, unknown>): Problem[] {
  const unknown = Object.keys(range).find((name) => name !== 'from' && name !== 'to');
  if (unknown !== undefined) {
    return problem('unknown_field', 'is not a field of this request', `.${unknown}`);
  }
  const { from, to } = range;
  if (from === undefined && to === undefined) {
    return problem('required', 'must have from or to');
  }
  const problems = [
    ...(from === undefined ? [] : placed('.from', checkWholeNumber(from, ATTRIBUTE_NUMBER))),
    ...(to === undefined ? [] : placed('.to', checkWholeNumber(to, ATTRIBUTE_NUMBER))),
  ];
  return problems.length === 0 && Number(from) > Number(to)
    ? problem('too_small', 'must be at least from', '.to')
    : problems;
}

function checkChoice(choice: unknown): Problem[] {
  if (typeof choice === 'number') {
    return checkWholeNumber(choice, ATTRIBUTE_NUMBER);
  }
  return isPlainObject(choice) ? checkRange(choice) : checkText(choice, VALUE_LENGTH);
}

/** Returns a choice as it is stored: a number is a range. JSON can have -0. */
function normalChoice(choice: unknown): unknown {
  if (typeof choice === 'string') {
    return normalizeText(choice.trim());
  }
  if (typeof choice === 'number') {
    return Number.isNaN(choice) ? choice : { from: choice + 0, to: choice + 0 };
  }
  return isPlainObject(choice)
    ? Object.fromEntries(
        Object.entries(choice).map(([name, end]) => [
          name,
          typeof end === 'number' ? end + 0 : end,
        ]),
      )
    : choice;
}

/** Checks a member of an object by attribute, its name included. */
function checkByAttribute(
  value: unknown,
  [minimum, maximum]: readonly [number, number],
  check: (member: unknown) => Problem[],
): Problem[] {
  if (!isPlainObject(value)) {
    return problem('invalid_type', 'must be an object');
  }
  const members = Object.entries(value);
  if (members.length < minimum) {
    return problem('too_few', 'must name at least 1 attribute');
  }
  return members.length > maximum
    ? problem('too_many', `must name at most ${maximum} attributes`)
    : members.flatMap(([name, member]) => {
        const wrong = checkKey(name);
        return placed(`.${name.slice(0, 100)}`, wrong.length > 0 ? wrong : check(member));
      });
}

/** By attribute: the choices of which a respondent must have one. */
export function WhenField(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      isPlainObject(value)
        ? Object.fromEntries(
            Object.entries(value).map(([name, choices]) => [
              name,
              Array.isArray(choices) ? choices.map(normalChoice) : choices,
            ]),
          )
        : value,
    ),
    Field(
      (value) =>
        checkByAttribute(value, [1, ATTRIBUTES_MAXIMUM], (choices) =>
          checkArray(choices, checkChoice),
        ),
      {
        type: 'object',
        minProperties: 1,
        maxProperties: ATTRIBUTES_MAXIMUM,
        propertyNames: { pattern: KEY_PATTERN },
        additionalProperties: {
          type: 'array',
          minItems: 1,
          maxItems: VALUES_MAXIMUM,
          items: {
            oneOf: [
              TEXT_VALUE,
              NUMBER_VALUE,
              {
                type: 'object',
                minProperties: 1,
                additionalProperties: false,
                properties: { from: NUMBER_VALUE, to: NUMBER_VALUE },
              },
            ],
          },
        },
        example: { gender: ['female'], age: [{ from: 18, to: 34 }] },
      } as never,
    ),
  );
}

/** What a platform says about a respondent, by attribute. */
export function RespondentAttributes(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      isPlainObject(value)
        ? Object.fromEntries(
            Object.entries(value).map(([name, each]) => [
              name,
              typeof each === 'string' ? normalizeText(each.trim()) : each,
            ]),
          )
        : value,
    ),
    Field(
      (value) =>
        checkByAttribute(value, [0, RESPONDENT_ATTRIBUTES_MAXIMUM], (each) =>
          typeof each === 'number'
            ? checkWholeNumber(each, ATTRIBUTE_NUMBER)
            : checkText(each, VALUE_LENGTH),
        ),
      {
        type: 'object',
        maxProperties: RESPONDENT_ATTRIBUTES_MAXIMUM,
        propertyNames: { pattern: KEY_PATTERN },
        additionalProperties: { oneOf: [TEXT_VALUE, NUMBER_VALUE] },
        example: { gender: 'female', age: 29 },
      } as never,
      { optional: true },
    ),
  );
}
