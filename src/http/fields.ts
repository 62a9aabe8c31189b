import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { ValidateBy, ValidateIf, ValidateNested } from 'class-validator';

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

/** Text that is trimmed and then 1 to `maximum` characters long. */
export function Text(
  maximum: number,
  { example, ...presence }: Presence & { example?: string } = {},
): PropertyDecorator {
  return applyDecorators(
    Trimmed(),
    Field(
      (value) => checkText(value, maximum),
      { type: 'string', minLength: 1, maxLength: maximum, example },
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

/** Scheme and host; whatever follows is without spaces and control characters. */
const HTTP_URL =
  /^[Hh][Tt]{2}[Pp][Ss]?:\/\/[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?([/?#][^\s\p{Cc}]*)?$/u;

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
      { type: 'string', format: 'uri', maxLength: URL_MAX_LENGTH, example },
      presence,
    ),
  );
}

/** The largest amount of money, in units of the reward currency. */
export const MONEY_MAXIMUM = 1_000_000_000;

const TWO_DECIMALS = /^-?\d+(\.\d{1,2})?$/;

/**
 * An amount of money: a number with at most two decimal places. The check is on the number's
 * decimal digits, not on binary arithmetic.
 *
 * @param minimum the least amount; 0 means "not negative"
 */
export function Money({
  minimum,
  whole = false,
  example,
  ...presence
}: Presence & { minimum: number; whole?: boolean; example: number }): PropertyDecorator {
  return Field(
    (value) => {
      if (typeof value !== 'number') {
        return problem('invalid_type', 'must be a number');
      }
      if (Math.abs(value) > MONEY_MAXIMUM) {
        return value > 0
          ? problem('too_large', `must be at most ${MONEY_MAXIMUM}`)
          : problem('too_small', `must be at least ${minimum}`);
      }
      if (value < minimum) {
        return problem('too_small', `must be at least ${minimum}`);
      }
      if (whole && !Number.isInteger(value)) {
        return problem('not_an_integer', 'must be a whole number');
      }
      return TWO_DECIMALS.test(String(value))
        ? []
        : problem('too_precise', 'must have at most two decimal places');
    },
    {
      type: whole ? 'integer' : 'number',
      minimum,
      maximum: MONEY_MAXIMUM,
      ...(whole ? {} : { multipleOf: 0.01 }),
      example,
    },
    presence,
  );
}

/** A whole number between two bounds. */
export function WholeNumber(
  minimum: number,
  maximum: number,
  { example, ...presence }: Presence & { example?: number } = {},
): PropertyDecorator {
  return Field(
    (value) => {
      if (typeof value !== 'number') {
        return problem('invalid_type', 'must be a whole number');
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
  presence: Presence = {},
): PropertyDecorator {
  return Field(
    (value) =>
      values.includes(value as string)
        ? []
        : problem('not_allowed', `must be one of ${values.join(', ')}`),
    { enum: [...values], enumName: name },
    presence,
  );
}

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?(Z|[+-]\d{2}:\d{2})$/;

/** Whether a day is in the calendar; the parser takes the 30th of February for the 2nd of March. */
function isCalendarDay(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

/** A moment after now, in RFC 3339. */
export function FutureTimestamp(example: string, presence: Presence = {}): PropertyDecorator {
  return Field(
    (value) => {
      if (typeof value !== 'string') {
        return problem('invalid_type', 'must be a string');
      }
      const moment = Date.parse(value);
      if (
        !TIMESTAMP.test(value) ||
        Number.isNaN(moment) ||
        !isCalendarDay(value.slice(0, 'YYYY-MM-DD'.length))
      ) {
        return problem('invalid_timestamp', 'must be a timestamp such as 2030-01-31T12:00:00Z');
      }
      return moment > Date.now() ? [] : problem('in_the_past', 'must be in the future');
    },
    { type: 'string', format: 'date-time', example },
    presence,
  );
}

function isPlainObject(value: unknown): value is object {
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

/** An array of objects, each checked by its own class. */
export function ObjectArray(
  type: () => new () => object,
  minimum: number,
  maximum: number,
): PropertyDecorator {
  return applyDecorators(
    Type(type),
    // class-validator looks inside arrays of arrays, which no request has.
    ValidateNested({ each: true }),
    Field(
      (value) => {
        const problems = checkArray(value, minimum, maximum);
        return problems.length > 0
          ? problems
          : (value as unknown[]).flatMap((item, index) =>
              isPlainObject(item) ? [] : problem('invalid_type', 'must be an object', `[${index}]`),
            );
      },
      { type, isArray: true, minItems: minimum, maxItems: maximum },
    ),
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
            ? { type: 'string', minLength: 1, maxLength: length }
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
