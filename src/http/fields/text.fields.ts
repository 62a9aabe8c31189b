import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { Field, Presence, Problem, problem } from './field';

/**
 * A character that is not blank, and none that PostgreSQL's text cannot hold. Text is trimmed
 * before it is checked, so the OpenAPI document says the same in a pattern.
 */
export const TEXT_PATTERN = '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$';

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

/** Trims a text, or each of an array's. */
export const Trimmed = () =>
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
