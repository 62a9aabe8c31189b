import { Field, Presence, problem } from './field';

const TIMESTAMP =
  /^(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$/;

/** Length of the longest timestamp. */
const TIMESTAMP_MAX_LENGTH = 35;

/** Between these, every timestamp with a four-digit year is also valid in PostgreSQL. */
const FIRST_MOMENT = Date.parse('0001-01-02T00:00:00Z');
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

/** Returns the time that a timestamp states, in milliseconds, or `undefined` if it is invalid. */
function momentOf(text: string): number | undefined {
  const moment = Date.parse(text);
  const asUtc = Date.parse(`${text.slice(0, 19)}Z`);
  if (!TIMESTAMP.test(text) || Number.isNaN(moment)) {
    return undefined;
  }
  if (moment < FIRST_MOMENT || moment > LAST_MOMENT) {
    return undefined;
  }
  // Date moves 31 February and 24:00 to another day.
  return new Date(asUtc).toISOString().startsWith(text.slice(0, 19)) ? moment : undefined;
}

/** A time, in RFC 3339. */
export function Timestamp({
  future = false,
  example,
  ...presence
}: Presence & { future?: boolean; example?: string }): PropertyDecorator {
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
