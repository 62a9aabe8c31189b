/**
 * What a session needs so that a text means the same on every server, whatever the settings of the
 * role and of the database: how values are written and read, and which rows a statement sees.
 *
 * A server reports these to its clients, so that every version of PgBouncer sets them on each
 * connection that it lends, in every mode.
 */
const REPORTED = {
  client_encoding: 'UTF8',
  DateStyle: 'ISO, MDY',
  TimeZone: 'UTC',
  standard_conforming_strings: 'on',
} as const;

/**
 * The others: a pooler that shares connections may ignore them, so a start checks them (see
 * `requirements.ts`).
 */
const UNREPORTED = {
  IntervalStyle: 'postgres',
  array_nulls: 'on',
  bytea_output: 'hex',
  default_transaction_isolation: 'read committed',
  extra_float_digits: '1',
  transform_null_equals: 'off',
} as const;

/** Every setting that a session must have, and its value. */
export const SESSION_SETTINGS: Readonly<Record<string, string>> = { ...REPORTED, ...UNREPORTED };

const OPTIONS = Object.entries(UNREPORTED)
  .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
  .join(' ');

/**
 * Adds the settings of a session to what a client sends to begin it. They win over `options` of the
 * URL.
 */
export function withSessionSettings(
  startup: Readonly<Record<string, string>>,
): Record<string, string> {
  const { options } = startup;
  return {
    ...startup,
    ...REPORTED,
    options: options === undefined ? OPTIONS : `${options} ${OPTIONS}`,
  };
}
