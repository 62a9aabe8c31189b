import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { findWrongFields } from '../dto-rules';
import { Field, Presence, Problem, problem, isPlainObject } from './field';
import { checkWholeNumber } from './number.fields';
import { Normalized, TEXT_PATTERN, checkText } from './text.fields';
import { visibleForm } from './unicode';

function checkArray(value: unknown, minimum: number, maximum: number): Problem[] {
  if (!Array.isArray(value)) {
    return problem('invalid_type', 'must be an array');
  }
  if (value.length < minimum) {
    return problem(
      'too_few',
      `must have at least ${minimum} ${minimum === 1 ? 'entry' : 'entries'}`,
    );
  }
  return value.length > maximum ? problem('too_many', `must have at most ${maximum} entries`) : [];
}

/**
 * An object that is checked by its own class.
 *
 * @param rule checks the fields against each other, if each is valid in itself
 */
export function NestedObject<T extends object>(
  type: () => new () => T,
  { rule = () => [], ...presence }: Presence & { rule?: (value: T) => Problem[] } = {},
): PropertyDecorator {
  return applyDecorators(
    Type(type),
    ValidateNested(),
    Field(
      (value) => {
        if (!isPlainObject(value)) {
          return problem('invalid_type', 'must be an object');
        }
        return findWrongFields(value).length === 0 ? rule(value as unknown as T) : [];
      },
      { type: () => type() },
      presence,
    ),
  );
}

interface ObjectArrayOptions extends Presence {
  /** Requires objects that are all different. */
  distinctBy?: string;
  example?: object[];
}

/** An array of objects, each checked by its own class. */
export function ObjectArray(
  type: () => new () => object,
  minimum: number,
  maximum: number,
  { distinctBy, example, ...presence }: ObjectArrayOptions = {},
): PropertyDecorator {
  return applyDecorators(
    Type(type),
    // class-validator also checks arrays of arrays, which no request has.
    ValidateNested({ each: true }),
    Field(
      (value) => {
        const problems = checkArray(value, minimum, maximum);
        if (problems.length > 0) {
          return problems;
        }
        const seen = new Set<unknown>();
        return (value as unknown[]).flatMap((item, index) => {
          if (!isPlainObject(item)) {
            return problem('invalid_type', 'must be an object', `[${index}]`);
          }
          const key = distinctBy === undefined ? item : item[distinctBy];
          if (key !== undefined && seen.has(key)) {
            return problem(
              'duplicate',
              'must differ from the entries before it',
              `[${index}].${distinctBy}`,
            );
          }
          seen.add(key);
          return [];
        });
      },
      // Swagger recognizes a lazily resolved class by the name of this function.
      { type: () => type(), isArray: true, minItems: minimum, maxItems: maximum, example },
      presence,
    ),
  );
}

interface WholeNumberArrayLimits extends Presence {
  minimum: number;
  maximum: number;
  /** The smallest and the largest allowed entry. */
  items: { minimum: number; maximum: number };
  example?: number[];
}

/** Returns the problems of a value that must be an array of distinct whole numbers. */
export function checkWholeNumbers(
  value: unknown,
  { minimum, maximum, items }: Pick<WholeNumberArrayLimits, 'minimum' | 'maximum' | 'items'>,
): Problem[] {
  const problems = checkArray(value, minimum, maximum);
  if (problems.length > 0) {
    return problems;
  }
  return (value as unknown[]).flatMap((item, index, all) => {
    const at = `[${index}]`;
    const wrong = checkWholeNumber(item, items);
    if (wrong.length > 0) {
      return wrong.map((each) => ({ ...each, at }));
    }
    return all.indexOf(item) < index
      ? problem('duplicate', 'must differ from the entries before it', at)
      : [];
  });
}

/** An array of distinct whole numbers. */
export function WholeNumberArray({
  example,
  optional,
  nullable,
  ...limits
}: WholeNumberArrayLimits): PropertyDecorator {
  const { minimum, maximum, items } = limits;
  return Field(
    (value) => checkWholeNumbers(value, limits),
    {
      type: 'array',
      items: { type: 'integer', format: 'int32', ...items },
      minItems: minimum,
      maxItems: maximum,
      uniqueItems: true,
      example,
    },
    { optional, nullable },
  );
}

interface TextArrayLimits extends Presence {
  minimum: number;
  maximum: number;
  /** Maximum number of characters of an entry. */
  length: number;
  /** The closed list of the entries, and its name in the document. */
  values?: readonly string[];
  name?: string;
  example?: string[];
  /** A further rule, which receives the whole DTO and is checked first. */
  rule?: (value: readonly unknown[], dto: object) => Problem[] | undefined;
}

/** Returns the problems of a value that must be an array of texts, no two of which look alike. */
export function checkTexts(
  value: unknown,
  {
    minimum,
    maximum,
    length,
    values,
  }: Pick<TextArrayLimits, 'minimum' | 'maximum' | 'length' | 'values'>,
): Problem[] {
  const problems = checkArray(value, minimum, maximum);
  if (problems.length > 0) {
    return problems;
  }
  const seen = new Set<unknown>();
  return (value as unknown[]).flatMap((item, index) => {
    const at = `[${index}]`;
    const wrong = checkText(item, length);
    if (wrong.length > 0) {
      return wrong.map((each) => ({ ...each, at }));
    }
    if (values !== undefined && !values.includes(item as string)) {
      return problem('not_allowed', `must be one of ${values.join(', ')}`, at);
    }
    const form = visibleForm(item as string);
    if (seen.has(form)) {
      return problem('duplicate', 'must differ from the entries before it', at);
    }
    seen.add(form);
    return [];
  });
}

/** An array of strings, each trimmed and normalised, no two of which look alike. */
export function TextArray({
  minimum,
  maximum,
  length,
  values,
  name,
  example,
  rule,
  ...presence
}: TextArrayLimits): PropertyDecorator {
  return applyDecorators(
    Normalized(),
    Field(
      (value, dto) => {
        const ruled = Array.isArray(value) ? rule?.(value, dto) : undefined;
        if (ruled !== undefined) {
          return ruled;
        }
        return checkTexts(value, { minimum, maximum, length, values });
      },
      {
        ...(values === undefined
          ? {
              type: 'array',
              items: { type: 'string', minLength: 1, maxLength: length, pattern: TEXT_PATTERN },
            }
          : { enum: [...values], enumName: name, isArray: true }),
        minItems: minimum,
        maxItems: maximum,
        uniqueItems: true,
        example,
      },
      presence,
    ),
  );
}
