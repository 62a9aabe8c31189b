import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { Field, Presence, Problem, problem } from './field';
import { hasTooManyMarks, isVisible, MARKS_MAXIMUM, normalizeText, toNfc } from './unicode';

/**
 * Matches text with at least one character that is not blank, and without characters that
 * PostgreSQL cannot store. The service trims text before it checks it, so the pattern in the
 * OpenAPI document has the same effect. What else is invisible, no portable pattern can say.
 */
export const TEXT_PATTERN = '^[^\\x00]*[^\\s\\x00][^\\x00]*$';

/** Whether text contains a character that PostgreSQL cannot store. */
function hasUnstorableCharacter(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}

const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;

/** Length as JSON Schema and PostgreSQL measure it: in code points, not UTF-16 units. */
function characters(text: string): number {
  const pairs = text.match(SURROGATE_PAIR)?.length ?? 0;
  return text.length - pairs;
}

/** Visible text in ASCII, with which nothing but its length can be wrong. */
const PLAIN = /^[\n\x20-\x7e]*[\x21-\x7e][\n\x20-\x7e]*$/;

/** Returns the problems of a text in itself. */
export function checkText(value: unknown, maximum: number): Problem[] {
  if (typeof value === 'string' && value.length <= maximum && PLAIN.test(value)) {
    return [];
  }
  const problems = checkCharacters(value, maximum);
  return problems.length > 0 || isVisible(value as string)
    ? problems
    : problem('empty', 'must have a visible character');
}

function checkCharacters(value: unknown, maximum: number, minimum = 1): Problem[] {
  if (typeof value !== 'string') {
    return problem('invalid_type', 'must be a string');
  }
  if (value === '') {
    return problem('empty', 'must not be empty');
  }
  // Without counting: more than twice as many UTF-16 units are too many characters.
  if (value.length > 2 * maximum) {
    return tooLong(maximum);
  }
  if (hasUnstorableCharacter(value)) {
    return problem('invalid_characters', 'must not contain NUL characters or unpaired surrogates');
  }
  if (hasTooManyMarks(value)) {
    return problem(
      'invalid_characters',
      `must not have more than ${MARKS_MAXIMUM} combining marks in a row`,
    );
  }
  const length = characters(value);
  if (length > maximum) {
    return tooLong(maximum);
  }
  return length < minimum ? problem('too_short', `must be at least ${minimum} characters`) : [];
}

function tooLong(maximum: number): Problem[] {
  return problem('too_long', `must be at most ${maximum} characters`);
}

/** Changes a string, or each string in an array. */
function TransformText(change: (text: string) => string): PropertyDecorator {
  const changed = (value: unknown): unknown => (typeof value === 'string' ? change(value) : value);
  return Transform(({ value }: { value: unknown }) =>
    Array.isArray(value) ? value.map(changed) : changed(value),
  );
}

/** Trims text that is not for people to read, such as a URL. */
export const Trimmed = () => TransformText((text) => text.trim());

/** Trims and normalises text, before it is checked, compared or stored. */
export const Normalized = () => TransformText((text) => normalizeText(text.trim()));

/** Longer than any identifier, so that a wrong one is "not found" rather than "too long". */
export const ID_MAX_LENGTH = 100;

interface TextLimits extends Presence {
  /** Maximum number of characters. */
  maximum: number;
  example?: string;
}

/** Text that is trimmed and normalised, and then 1 to `maximum` characters long. */
export function Text({ maximum, example, ...presence }: TextLimits): PropertyDecorator {
  return applyDecorators(
    Normalized(),
    Field(
      (value) => checkText(value, maximum),
      { type: 'string', minLength: 1, maxLength: maximum, pattern: TEXT_PATTERN, example },
      presence,
    ),
  );
}

/** Text that is not trimmed, such as a password. It is compared in NFC, as RFC 8265 says. */
export function Secret(minimum: number, maximum: number, example?: string): PropertyDecorator {
  return applyDecorators(
    TransformText(toNfc),
    Field((value) => checkCharacters(value, maximum, minimum), {
      type: 'string',
      format: 'password',
      minLength: minimum,
      maxLength: maximum,
      pattern: '^[^\\x00]*$',
      example,
    }),
  );
}

export const EMAIL_MAX_LENGTH = 254;

/** A local part and a domain with a dot, in ASCII, as mail servers accept them. */
const EMAIL =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$/;

export function isEmail(text: string): boolean {
  return text.length <= EMAIL_MAX_LENGTH && EMAIL.test(text);
}

/** An email address. */
export function Email(example: string): PropertyDecorator {
  return applyDecorators(
    Trimmed(),
    Field(
      (value) => {
        const problems = checkText(value, EMAIL_MAX_LENGTH);
        return problems.length > 0 || isEmail(value as string)
          ? problems
          : problem('invalid_email', 'must be an email address');
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
