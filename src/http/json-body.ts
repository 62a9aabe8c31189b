import { isUtf8 } from 'node:buffer';
import { Big } from 'big.js';
import type { FastifyInstance } from 'fastify';
import { parse as parseLossless } from 'lossless-json';
import { ApiError } from './api-error';

/** The largest request body that is read, in bytes. */
export const BODY_LIMIT = 2 * 1024 * 1024;

/** Far deeper than any request of this service; shallow enough for every parser below. */
const MAX_DEPTH = 16;

/*
 * Far more than any request of this service. Validation takes time for each of them, and no other
 * request is served meanwhile.
 */
const MAX_FIELDS = 2_000;
const MAX_ENTRIES = 30_000;

/** Whether a text may hold a number that a double cannot hold exactly. Cheap, and never misses. */
const MAY_LOSE_DIGITS = /[\d.]{16}|\d[eE]/;

/** A number literal as a double, or NaN where the double would not be the number that was sent. */
function exactNumber(literal: string): number {
  const value = Number(literal);
  return Number.isFinite(value) && new Big(literal).eq(value) ? value : NaN;
}

function malformed(message: string): ApiError {
  return new ApiError('malformed_json', message);
}

/**
 * How deep a JSON text nests, read off the text: a field that is sent twice is dropped once, and
 * what was in it would be overlooked in the parsed value.
 */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < json.length; i += 1) {
    const character = json[i];
    if (character === '"') {
      inString = !inString;
    } else if (inString) {
      i += character === '\\' ? 1 : 0;
    } else if (character === '[' || character === '{') {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (character === ']' || character === '}') {
      depth -= 1;
    }
  }
  return deepest;
}

/**
 * Refuses what no client of ours sends in good faith and what code further on could stumble over:
 * fields and entries beyond every use, and fields with the names of an object's built-in members.
 */
function refuseHostileShape(body: unknown): void {
  let fields = 0;
  let entries = 0;
  const lookInto = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) {
      return;
    }
    const members = Object.entries(value);
    // The object or array itself counts as well: an empty one takes time too.
    fields += Array.isArray(value) ? 1 : 1 + members.length;
    entries += Array.isArray(value) ? members.length : 0;
    if (fields > MAX_FIELDS || entries > MAX_ENTRIES) {
      throw malformed('The request body has more fields or entries than any request can have.');
    }
    for (const [name, member] of members) {
      if (name in Object.prototype) {
        throw malformed(`The request body must not have a field named "${name}".`);
      }
      lookInto(member);
    }
  };
  lookInto(body);
}

/**
 * Parses a request body. An empty one is `undefined`. A number that would not survive the turn
 * into a double unchanged becomes NaN, which every number field refuses: money is never rounded
 * in silence.
 *
 * @throws ApiError `malformed_json`
 */
export function parseJsonBody(body: Buffer): unknown {
  if (body.length === 0) {
    return undefined;
  }
  if (!isUtf8(body)) {
    throw malformed('The request body is not valid UTF-8.');
  }
  const text = body.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed('The request body is not valid JSON.');
  }
  if (depthOf(text) > MAX_DEPTH) {
    throw malformed(`The request body is nested deeper than ${MAX_DEPTH} levels.`);
  }
  refuseHostileShape(value);
  return MAY_LOSE_DIGITS.test(text)
    ? parseLossless(text, undefined, {
        parseNumber: exactNumber,
        onDuplicateKey: ({ newValue }) => newValue,
      })
    : value;
}

/** Makes JSON the only kind of request body there is. */
export function acceptJsonOnly(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
    (_request, body, done) => {
      try {
        done(null, parseJsonBody(body as Buffer));
      } catch (error) {
        done(error as Error);
      }
    },
  );
}
