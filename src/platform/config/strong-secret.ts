import { ValidateBy } from 'class-validator';

const MIN_LENGTH = 32;

/**
 * Minimum number of different characters. Random text of the minimum length has more; a repeated or
 * patterned word has fewer.
 */
const MIN_DISTINCT_CHARACTERS = 10;

/** Whether a value is a string that is long and varied enough to be random. */
export function isStrongSecret(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length >= MIN_LENGTH &&
    new Set(value).size >= MIN_DISTINCT_CHARACTERS
  );
}

/** Requires a value that passes {@link isStrongSecret}. */
export const IsStrongSecret = (): PropertyDecorator =>
  ValidateBy(
    { name: 'isStrongSecret', validator: { validate: isStrongSecret } },
    {
      message: `must be set to at least ${MIN_LENGTH} random characters (make one with: openssl rand -base64 48)`,
    },
  );
