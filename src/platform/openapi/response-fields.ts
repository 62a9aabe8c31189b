import { ApiProperty } from '@nestjs/swagger';
import { MONEY_MAXIMUM } from '../validation/fields/number.fields';
import { URL_MAX_LENGTH } from '../validation/fields/url.field';
import { CURSOR_MAX_LENGTH } from '../validation/page-query.dto';

/*
 * Decorators for the fields of response DTOs. They state a field's limits in the OpenAPI document;
 * the class supplies its description, whether it may be `null`, and whether it is always present.
 */

export function ResponseText({ maximum }: { maximum: number }): PropertyDecorator {
  return ApiProperty({ type: 'string', minLength: 1, maxLength: maximum });
}

/** Text of fixed length, such as a secret. */
export function ResponseToken(pattern: string, maximum: number): PropertyDecorator {
  return ApiProperty({ type: 'string', maxLength: maximum, pattern });
}

/** An identifier from `newId`: a prefix and 128 bits in Crockford's base 32. */
export function ResponseId(prefix: string): PropertyDecorator {
  return ResponseToken(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`, prefix.length + 27);
}

export function ResponseEmail({ maximum }: { maximum: number }): PropertyDecorator {
  return ApiProperty({ type: 'string', format: 'email', minLength: 1, maxLength: maximum });
}

/** A URL, as the client sent it. */
export function ResponseUrl(): PropertyDecorator {
  return ResponseText({ maximum: URL_MAX_LENGTH });
}

/** A time, in RFC 3339. */
export function ResponseTime(): PropertyDecorator {
  return ApiProperty({ type: 'string', format: 'date-time', maxLength: 35 });
}

/** An amount of money, in units of the reward currency. */
export function ResponseMoney({ maximum = MONEY_MAXIMUM } = {}): PropertyDecorator {
  return ApiProperty({ type: 'number', minimum: 0, maximum });
}

/** A whole number; by default one that a database column of four bytes holds. */
export function ResponseInteger({
  minimum = 0,
  maximum = 2_147_483_647,
}: { minimum?: number; maximum?: number } = {}): PropertyDecorator {
  return ApiProperty({ type: 'integer', minimum, maximum });
}

/** A number that is not whole, such as a share or a mean. */
export function ResponseNumber({
  minimum,
  maximum,
}: {
  minimum: number;
  maximum: number;
}): PropertyDecorator {
  return ApiProperty({ type: 'number', minimum, maximum });
}

/** A number from a database sequence. */
export function ResponseSequence(): PropertyDecorator {
  return ResponseInteger({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
}

export function ResponseFlag(): PropertyDecorator {
  return ApiProperty({ type: 'boolean' });
}

/** One of a closed list of words, which has a name in the document. */
export function ResponseEnum(
  values: readonly string[],
  name: string,
  { nullable = false } = {},
): PropertyDecorator {
  return ApiProperty({ enum: [...values], enumName: name, ...(nullable ? { nullable } : {}) });
}

/** Distinct words from a closed list, at least one by default. */
export function ResponseEnums(
  values: readonly string[],
  name: string,
  { minimum = 1 } = {},
): PropertyDecorator {
  return ApiProperty({
    enum: [...values],
    enumName: name,
    isArray: true,
    minItems: minimum,
    maxItems: values.length,
    uniqueItems: true,
  });
}

/** An object of another class. State `null` here, because the class does not show it. */
export function ResponseObject(
  type: () => new () => object,
  { nullable = false } = {},
): PropertyDecorator {
  // Swagger recognizes a lazily resolved class by the name of this function, `type`.
  return ApiProperty({ type: () => type(), ...(nullable ? { nullable } : {}) });
}

/** A list of objects, or of texts with at most this many characters each. */
export function ResponseList(
  of: (() => new () => object) | { maximum: number; pattern: string },
  { minimum, maximum }: { minimum?: number; maximum: number },
): PropertyDecorator {
  const limits = { minItems: minimum, maxItems: maximum };
  return typeof of === 'function'
    ? ApiProperty({ type: () => [of()], ...limits })
    : ApiProperty({
        type: 'array',
        items: { type: 'string', minLength: 1, maxLength: of.maximum, pattern: of.pattern },
        ...limits,
      });
}

/** The cursor of the next page of a list. */
export function NextCursor(): PropertyDecorator {
  return ResponseToken('^[\\w-]+$', CURSOR_MAX_LENGTH);
}

/** A lower and an upper bound in a response. */
export function ResponseInterval({ nullable = false } = {}): PropertyDecorator {
  return ApiProperty({
    type: 'array',
    items: { type: 'number' },
    minItems: 2,
    maxItems: 2,
    // Makes it a tuple in TypeScript; OpenAPI 3.1 has this keyword of JSON Schema.
    ...({ prefixItems: [{ type: 'number' }, { type: 'number' }] } as object),
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
