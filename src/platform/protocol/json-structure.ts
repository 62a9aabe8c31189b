import { ApiError } from './api-error';
import { isExactNumber } from './exact-number';

/** Greater than the depth of any valid request. */
const MAX_DEPTH = 16;

/*
 * Greater than the counts of any valid request. Each takes time to build and to validate, during
 * which the process serves no other request.
 */
const MAX_FIELDS = 120_000;
const MAX_ENTRIES = 50_000;
const MAX_LONG_NUMBERS = 1_000;

/** A number with fewer characters and no exponent has at most 15 digits, which fit a double. */
const LONG_NUMBER_LENGTH = 16;

/** Parses to infinity, which no exact number does. Every inexact number is at least this long. */
const INEXACT = '1e999';

const CODE = (character: string) => character.charCodeAt(0);
const QUOTE = CODE('"');
const BACKSLASH = CODE('\\');
const COMMA = CODE(',');
const COLON = CODE(':');
const OPEN_ARRAY = CODE('[');
const CLOSE_ARRAY = CODE(']');
const OPEN_OBJECT = CODE('{');
const CLOSE_OBJECT = CODE('}');
const MINUS = CODE('-');
const PLUS = CODE('+');
const POINT = CODE('.');
const ZERO = CODE('0');
const NINE = CODE('9');
const LOWER_E = CODE('e');
const UPPER_E = CODE('E');

/**
 * Counts the contents of a JSON text in one pass, before anything is built from it. The pass stops
 * at the first count above its maximum. `JSON.parse` checks the syntax.
 *
 * A number that a double cannot hold exactly is overwritten, so that it parses to infinity.
 *
 * @returns the number of members of all objects, and whether a number was overwritten
 * @throws ApiError `malformed_json`
 */
export function checkStructure(json: Buffer): { members: number; overwritten: boolean } {
  let depth = 0;
  let members = 0;
  let containers = 0;
  let entries = 0;
  /** One bit per level; set for an array. */
  let arrays = 0;
  let longNumbers = 0;
  let overwritten = false;
  for (let i = 0; i < json.length; i += 1) {
    const byte = json[i] ?? 0;
    if (byte === QUOTE) {
      i = endOfString(json, i);
    } else if (byte === COMMA) {
      entries += (arrays >> depth) & 1;
    } else if (byte === COLON) {
      members += 1;
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      depth += 1;
      containers += 1;
      if (depth > MAX_DEPTH) {
        throw malformed(`The request body is nested deeper than ${MAX_DEPTH} levels.`);
      }
      arrays &= ~(1 << depth);
      if (byte === OPEN_ARRAY) {
        arrays |= 1 << depth;
        entries += 1;
      }
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      depth = Math.max(0, depth - 1);
    } else if (byte === MINUS || (byte >= ZERO && byte <= NINE)) {
      const end = endOfNumber(json, i);
      if (isLongNumber(json, i, end)) {
        longNumbers += 1;
        overwritten = overwriteInexact(json, i, end) || overwritten;
      }
      i = end - 1;
    }
    if (
      members + containers > MAX_FIELDS ||
      entries > MAX_ENTRIES ||
      longNumbers > MAX_LONG_NUMBERS
    ) {
      throw malformed('The request body has more fields or entries than any request can have.');
    }
  }
  return { members, overwritten };
}

/** The index of the quote that ends the string at `start`; past the end if there is none. */
function endOfString(json: Buffer, start: number): number {
  let i = start + 1;
  while (i < json.length && json[i] !== QUOTE) {
    i += json[i] === BACKSLASH ? 2 : 1;
  }
  return i;
}

function endOfNumber(json: Buffer, start: number): number {
  let i = start + 1;
  while (isPartOfNumber(json[i])) {
    i += 1;
  }
  return i;
}

function isPartOfNumber(byte = 0): boolean {
  return (
    (byte >= ZERO && byte <= NINE) ||
    byte === POINT ||
    byte === LOWER_E ||
    byte === UPPER_E ||
    byte === MINUS ||
    byte === PLUS
  );
}

/** Whether a number has an exponent or more digits than a double can always hold. */
function isLongNumber(json: Buffer, start: number, end: number): boolean {
  if (end - start >= LONG_NUMBER_LENGTH) {
    return true;
  }
  for (let i = start; i < end; i += 1) {
    if (json[i] === LOWER_E || json[i] === UPPER_E) {
      return true;
    }
  }
  return false;
}

/** @returns whether the number was inexact */
function overwriteInexact(json: Buffer, start: number, end: number): boolean {
  if (isExactNumber(json.toString('latin1', start, end))) {
    return false;
  }
  json.fill(' ', start, end).write(INEXACT, start);
  return true;
}

export function malformed(message: string): ApiError {
  return new ApiError('malformed_json', message);
}
