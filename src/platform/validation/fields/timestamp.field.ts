import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { Field, Presence, problem } from './field';

const TIMESTAMP =
  /^(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$/;

/** Length of the longest timestamp. */
const TIMESTAMP_MAX_LENGTH = 35;

/** A fraction of a second with more than milliseconds. */
const BEYOND_MILLISECONDS = /\.\d{3}\d*[1-9]/;

/** Between these, every moment has a four-digit year in every zone, and PostgreSQL stores it. */
const FIRST_MOMENT = Date.parse('0001-01-02T00:00:00Z');
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

interface TimestampOptions extends Presence {
  /** Whether the time must not have passed. */
  future?: boolean;
  /**
   * Whether more digits than milliseconds lead to the next millisecond instead of the one before.
   * The service stores whole milliseconds, so what is before the next one is before the timestamp
   * too.
   */
  roundUp?: boolean;
  example?: string;
}

/**
 * Returns the moment that a timestamp states, to the millisecond, or `undefined` if it is invalid.
 */
function momentOf(text: string, roundUp: boolean): Date | undefined {
  if (!TIMESTAMP.test(text)) {
    return undefined;
  }
  const moment = Date.parse(text);
  if (!(moment >= FIRST_MOMENT && moment <= LAST_MOMENT)) {
    return undefined;
  }
  // Date moves 31 February to another day.
  const local = text.slice(0, 19);
  if (!new Date(`${local}Z`).toISOString().startsWith(local)) {
    return undefined;
  }
  const more = roundUp && BEYOND_MILLISECONDS.test(text) ? 1 : 0;
  return new Date(Math.min(moment + more, LAST_MOMENT));
}

/**
 * A time, in RFC 3339 and with any offset that RFC 3339 allows. The DTO gets a `Date`, so that
 * nothing behind it depends on how a client writes a time.
 */
export function Timestamp({
  future = false,
  roundUp = false,
  example,
  ...presence
}: TimestampOptions): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (momentOf(value, roundUp) ?? value) : value,
    ),
    Field(
      (value) => {
        if (!(value instanceof Date)) {
          return typeof value === 'string'
            ? problem('invalid_timestamp', 'must be a timestamp such as 2030-01-31T12:00:00Z')
            : problem('invalid_type', 'must be a string');
        }
        return future && value.getTime() <= Date.now()
          ? problem('in_the_past', 'must be in the future')
          : [];
      },
      {
        type: 'string',
        format: 'date-time',
        maxLength: TIMESTAMP_MAX_LENGTH,
        pattern: TIMESTAMP.source,
        example,
      },
      presence,
    ),
  );
}
