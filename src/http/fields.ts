import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptions } from '@nestjs/swagger';
import { Big } from 'big.js';
import { Transform, Type } from 'class-transformer';
import { ValidateBy, ValidateIf, ValidateNested, validateSync } from 'class-validator';

/*
 * The field types of request DTOs. Each decorator holds a field's check, its normalisation and its
 * place in the OpenAPI document together, so that they cannot disagree.
 */

/** What is wrong with a value: a stable code for programs and words for people. */
export interface Problem {
  /** Where inside the field, such as `[1]`; absent for the field itself. */
  at?: string;
  code: string;
  message: string;
}

type Check = (value: unknown, dto: object) => Problem[];

interface Presence {
  /** Whether the field may be absent, or on what the rest of the DTO must be for that. */
  optional?: boolean | ((dto: object) => boolean);
  nullable?: boolean;
}

/** Marks the messages that {@link readProblems} can read back. */
const PROBLEMS = 'problems';

function problem(code: string, message: string, at?: string): Problem[] {
  return [{ at, code, message }];
}

/**
 * A field with a check of its own. The check is given the value and the whole DTO and answers
 * every problem at once; absence and `null` never reach it.
 */
export function Field(
  check: Check,
  documentation: ApiPropertyOptions,
  { optional = false, nullable = false }: Presence = {},
): PropertyDecorator {
  const find: Check = (value, dto) => {
    if (value === undefined) {
      return problem('required', 'is required');
    }
    if (value === null) {
      return nullable ? [] : problem('null_not_allowed', 'must not be null');
    }
    return check(value, dto);
  };
  return applyDecorators(
    ...(optional === false
      ? []
      : [
          ValidateIf(
            (dto: object, value) =>
              value !== undefined || (typeof optional === 'function' && !optional(dto)),
          ),
        ]),
    ValidateBy({
      name: PROBLEMS,
      validator: {
        validate: (value, args) => find(value, args?.object ?? {}).length === 0,
        defaultMessage: (args) => JSON.stringify(find(args?.value, args?.object ?? {})),
      },
    }),
    ApiProperty({
      ...documentation,
      ...(optional === false ? {} : { required: false }),
      ...(nullable ? { nullable: true } : {}),
    } as ApiPropertyOptions),
  );
}

/** The problems a {@link Field} found, out of class-validator's map of messages. */
export function readProblems(constraints: Readonly<Record<string, string>>): Problem[] {
  return Object.entries(constraints).flatMap(([name, message]) =>
    name === PROBLEMS ? (JSON.parse(message) as Problem[]) : problem(name, message),
  );
}

/**
 * A character that is not blank, and none that PostgreSQL's text cannot hold. Text is trimmed
 * before it is checked, so the OpenAPI document says the same in a pattern.
 */
const TEXT_PATTERN = '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$';

/** What PostgreSQL's text cannot hold. */
function hasUnstorableCharacter(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}

const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;

/** Length as JSON Schema and PostgreSQL count it: in code points, not UTF-16 units. */
function characters(text: string): number {
  const pairs = text.match(SURROGATE_PAIR)?.length ?? 0;
  return text.length - pairs;
}

/** What is wrong with a text as such. */
export function checkText(value: unknown, maximum: number, minimum = 1): Problem[] {
  if (typeof value !== 'string') {
    return problem('invalid_type', 'must be a string');
  }
  if (value === '') {
    return problem('empty', 'must not be empty');
  }
  if (hasUnstorableCharacter(value)) {
    return problem('invalid_characters', 'must not contain NUL characters or unpaired surrogates');
  }
  const length = characters(value);
  if (length > maximum) {
    return problem('too_long', `must be at most ${maximum} characters`);
  }
  return length < minimum ? problem('too_short', `must be at least ${minimum} characters`) : [];
}

const trim = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

const Trimmed = () =>
  Transform(({ value }: { value: unknown }) =>
    Array.isArray(value) ? value.map(trim) : trim(value),
  );

interface TextLimits extends Presence {
  /** Characters it may have. */
  maximum: number;
  example?: string;
}

/** Text that is trimmed and then 1 to `maximum` characters long. */
export function Text({ maximum, example, ...presence }: TextLimits): PropertyDecorator {
  return applyDecorators(
    Trimmed(),
    Field(
      (value) => checkText(value, maximum),
      { type: 'string', minLength: 1, maxLength: maximum, pattern: TEXT_PATTERN, example },
      presence,
    ),
  );
}

/** Text that is taken as it is, such as a password. */
export function Secret(minimum: number, maximum: number, example?: string): PropertyDecorator {
  return Field((value) => checkText(value, maximum, minimum), {
    type: 'string',
    format: 'password',
    minLength: minimum,
    maxLength: maximum,
    pattern: '^[^\\u0000]*$',
    example,
  });
}

const EMAIL_MAX_LENGTH = 254;

/** A local part and a domain with a dot, in ASCII, as mail servers take them. */
const EMAIL =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$/;

/** An e-mail address. */
export function Email(example: string): PropertyDecorator {
  return applyDecorators(
    Trimmed(),
    Field(
      (value) => {
        const problems = checkText(value, EMAIL_MAX_LENGTH);
        return problems.length > 0 || EMAIL.test(value as string)
          ? problems
          : problem('invalid_email', 'must be an e-mail address');
      },
      {
        type: 'string',
        format: 'email',
        maxLength: EMAIL_MAX_LENGTH,
        pattern: EMAIL.source,
        example,
      },
    ),
  );
}

const URL_MAX_LENGTH = 2048;

const OCTET = '(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])';
const PORT = '6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[0-5]?[0-9]{1,4}';

/** Groups of an IPv6 address before and after the two colons that stand for zeros. */
const IPV6 = [
  `(G:){7}G|(G:){1,7}:|(G:){1,6}:G|(G:){1,5}(:G){1,2}|(G:){1,4}(:G){1,3}`,
  `(G:){1,3}(:G){1,4}|(G:){1,2}(:G){1,5}|G:(:G){1,6}|:(:G){1,7}|::`,
]
  .join('|')
  .replaceAll('G', '[0-9A-Fa-f]{1,4}');

/** A name whose last part begins with a letter, as one that begins with a digit is an address. */
const HOST_NAME = '([A-Za-z0-9][A-Za-z0-9._-]*\\.)?[A-Za-z]([A-Za-z0-9_-]*[A-Za-z0-9])?';

/**
 * Scheme, host and port; whatever follows is without blanks and control characters. Without flags,
 * so that it is the OpenAPI document's pattern too.
 */
const HTTP_URL = new RegExp(
  `^[Hh][Tt][Tt][Pp][Ss]?://(${HOST_NAME}|${OCTET}(\\.${OCTET}){3}|\\[(${IPV6})\\])` +
    `(:(${PORT}))?([/?#][^\\s\\u0000-\\u001f\\u007f-\\u009f]*)?$`,
);

/** An absolute http or https URL. It is stored, never fetched. */
export function HttpUrl({
  example = 'https://example.com/campaign',
  ...presence
}: Presence & { example?: string } = {}): PropertyDecorator {
  return applyDecorators(
    Trimmed(),
    Field(
      (value) => {
        const problems = checkText(value, URL_MAX_LENGTH);
        if (problems.length > 0) {
          return problems;
        }
        return HTTP_URL.test(value as string) && URL.canParse(value as string)
          ? []
          : problem('invalid_url', 'must be an absolute http or https URL');
      },
      {
        // No format: "uri" would refuse letters outside ASCII, which browsers take.
        type: 'string',
        minLength: 1,
        maxLength: URL_MAX_LENGTH,
        pattern: HTTP_URL.source,
        example,
      },
      presence,
    ),
  );
}

interface DecimalLimits extends Presence {
  minimum: number;
  maximum: number;
  /** How many decimal places are allowed. */
  places: number;
  example?: number;
}

/** A decimal number. The check is on its decimal digits, not on binary arithmetic. */
export function Decimal({
  minimum,
  maximum,
  places,
  example,
  ...presence
}: DecimalLimits): PropertyDecorator {
  const shape = new RegExp(`^-?\\d+(\\.\\d{1,${places}})?$`);
  return Field(
    (value) => {
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
      return shape.test(new Big(value).toFixed())
        ? []
        : problem('too_precise', `must have at most ${places} decimal places`);
    },
    // Not multipleOf: validators reckon that in binary and refuse 1.1 as no multiple of 0.01.
    { type: 'number', minimum, maximum, 'x-decimal-places': places, example } as ApiPropertyOptions,
    presence,
  );
}

/** For what the parser found to be another number once it is a double (see `json-body.ts`). */
function inexact(): Problem[] {
  return problem('too_precise', 'has more digits than can be kept exactly');
}

/** The largest amount of money, in units of the reward currency. */
export const MONEY_MAXIMUM = 1_000_000_000;

/**
 * An amount of money: a number with at most two decimal places.
 *
 * @param minimum the least amount; 0 means "not negative"
 */
export function Money({
  minimum,
  whole = false,
  example,
  ...presence
}: Presence & { minimum: number; whole?: boolean; example: number }): PropertyDecorator {
  return whole
    ? WholeNumber({ minimum, maximum: MONEY_MAXIMUM, example, ...presence })
    : Decimal({ minimum, maximum: MONEY_MAXIMUM, places: 2, example, ...presence });
}

interface WholeNumberLimits extends Presence {
  minimum: number;
  maximum: number;
  example?: number;
}

/** A whole number between two bounds. */
export function WholeNumber({
  minimum,
  maximum,
  example,
  ...presence
}: WholeNumberLimits): PropertyDecorator {
  return Field(
    (value) => {
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
    },
    { type: 'integer', minimum, maximum, example },
    presence,
  );
}

/** `true` or `false`. */
export function Flag({
  example,
  ...presence
}: Presence & { example?: boolean } = {}): PropertyDecorator {
  return Field(
    (value) => (typeof value === 'boolean' ? [] : problem('invalid_type', 'must be a boolean')),
    { type: 'boolean', example },
    presence,
  );
}

/** One of a closed list of words. */
export function OneOf(
  values: readonly string[],
  name: string,
  { example, ...presence }: Presence & { example?: string } = {},
): PropertyDecorator {
  return Field(
    (value) =>
      values.includes(value as string)
        ? []
        : problem('not_allowed', `must be one of ${values.join(', ')}`),
    { enum: [...values], enumName: name, example },
    presence,
  );
}

const TIMESTAMP =
  /^(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$/;

/** That of the longest timestamp. */
const TIMESTAMP_MAX_LENGTH = 35;

/** Between these, every timestamp with a year of four digits is one to PostgreSQL too. */
const FIRST_MOMENT = Date.parse('0001-01-02T00:00:00Z');
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

/** The moment a timestamp says, in milliseconds, or `undefined` where there is none. */
function momentOf(text: string): number | undefined {
  const moment = Date.parse(text);
  const asUtc = Date.parse(`${text.slice(0, 19)}Z`);
  if (!TIMESTAMP.test(text) || Number.isNaN(moment)) {
    return undefined;
  }
  if (moment < FIRST_MOMENT || moment > LAST_MOMENT) {
    return undefined;
  }
  // Date takes 31 February and 24:00 for a moment of another day.
  return new Date(asUtc).toISOString().startsWith(text.slice(0, 19)) ? moment : undefined;
}

/** A moment, in RFC 3339. */
export function Timestamp({
  future = false,
  example,
  ...presence
}: Presence & { future?: boolean; example: string }): PropertyDecorator {
  return Field(
    (value) => {
      if (typeof value !== 'string') {
        return problem('invalid_type', 'must be a string');
      }
      const moment = momentOf(value);
      if (moment === undefined) {
        return problem('invalid_timestamp', 'must be a timestamp such as 2030-01-31T12:00:00Z');
      }
      return future && moment <= Date.now() ? problem('in_the_past', 'must be in the future') : [];
    },
    {
      type: 'string',
      format: 'date-time',
      maxLength: TIMESTAMP_MAX_LENGTH,
      pattern: TIMESTAMP.source,
      example,
    },
    presence,
  );
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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
 * @param rule what must hold between its fields; asked only where each is right in itself
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
        return validateSync(value).length === 0 ? rule(value as unknown as T) : [];
      },
      { type: () => type() },
      presence,
    ),
  );
}

interface ObjectArrayOptions extends Presence {
  /** A field in which no two of the objects may be the same. */
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
    // class-validator looks inside arrays of arrays, which no request has.
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
      // Swagger knows a class that is looked up later by the name of the function.
      { type: () => type(), isArray: true, minItems: minimum, maxItems: maximum, example },
      presence,
    ),
  );
}

/*
 * Query parameters arrive as text. These turn the texts that stand for a value into it; any other
 * stays text and is refused.
 */

const FromQuery = (read: (text: string) => unknown) =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? read(value) : value));

/** A whole number in the query string. */
export function WholeNumberParameter(limits: Omit<WholeNumberLimits, 'optional'>) {
  return applyDecorators(
    FromQuery((text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text)),
    WholeNumber({ ...limits, optional: true }),
  );
}

/** `true` or `false` in the query string. */
export function FlagParameter() {
  return applyDecorators(
    FromQuery((text) => (text === 'true' ? true : text === 'false' ? false : text)),
    Flag({ optional: true }),
  );
}

interface TextArrayLimits extends Presence {
  minimum: number;
  maximum: number;
  /** Characters an entry may have. */
  length: number;
  values?: readonly string[];
  example?: string[];
  /** A further rule, given the whole DTO; it decides first. */
  rule?: (value: readonly unknown[], dto: object) => Problem[] | undefined;
}

/** An array of distinct texts, each trimmed. */
export function TextArray({
  minimum,
  maximum,
  length,
  values,
  example,
  rule,
  ...presence
}: TextArrayLimits): PropertyDecorator {
  return applyDecorators(
    Trimmed(),
    Field(
      (value, dto) => {
        const ruled = Array.isArray(value) ? rule?.(value, dto) : undefined;
        if (ruled !== undefined) {
          return ruled;
        }
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
          if (seen.has(item)) {
            return problem('duplicate', 'must differ from the entries before it', at);
          }
          seen.add(item);
          return [];
        });
      },
      {
        type: 'array',
        items:
          values === undefined
            ? { type: 'string', minLength: 1, maxLength: length, pattern: TEXT_PATTERN }
            : { type: 'string', enum: [...values] },
        minItems: minimum,
        maxItems: maximum,
        uniqueItems: true,
        example,
      },
      presence,
    ),
  );
}
