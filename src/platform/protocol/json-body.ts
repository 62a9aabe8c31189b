import { isUtf8 } from 'node:buffer';
import { checkStructure, malformed } from './json-structure';

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/**
 * Parses a request body, without the byte-order mark that may begin it. An empty body is
 * `undefined`. A number that a double cannot hold exactly becomes NaN, which every number field
 * refuses, so money is never rounded silently. An object with two members of one name is refused,
 * because `JSON.parse` keeps the last one silently.
 *
 * @param bytes overwritten at inexact numbers
 * @throws ApiError `malformed_json`
 */
export function parseJsonBody(bytes: Buffer): unknown {
  const hasMark = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  const body = hasMark ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
  if (body.length === 0) {
    return undefined;
  }
  if (!isUtf8(body)) {
    throw malformed('The request body is not valid UTF-8.');
  }
  const { members, overwritten } = checkStructure(body);
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw malformed('The request body is not valid JSON.');
  }
  if (countMembers(value) < members) {
    throw malformed('An object in the request body has two members of the same name.');
  }
  return overwritten ? withoutInfinity(value) : value;
}

/** The number of members of all objects in a value. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) {
    return 0;
  }
  const contents: unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : contents.length;
  return contents.reduce<number>((sum, each) => sum + countMembers(each), own);
}

/** Replaces infinity, which stands for an inexact number, with NaN. */
function withoutInfinity(value: unknown): unknown {
  if (typeof value === 'number') {
    return Number.isFinite(value) ? value : NaN;
  }
  if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      (value as Record<string, unknown>)[name] = withoutInfinity(member);
    }
  }
  return value;
}
