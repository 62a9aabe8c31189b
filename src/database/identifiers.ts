import { randomBytes } from 'node:crypto';
import { TypeID } from 'typeid-js';
import { v7 } from 'uuid';

/** The kinds of things that have a public identifier. */
export type IdPrefix = 'co' | 'key' | 'post' | 'qset';

/**
 * A new identifier, such as `post_01k9x2v8zdf3xbz0q4v5rk6t7m`: a UUIDv7 in base32, so sorted by the
 * millisecond, with 74 random bits, so not to be guessed. The library's own way would count on from
 * one identifier to the next, and so tell a client how many others were made in between.
 */
export function newId(prefix: IdPrefix): string {
  const random = randomBytes(20);
  const uuid = v7({ random: random.subarray(0, 16), seq: random.readUInt32BE(16) });
  return TypeID.fromUUID(prefix, uuid).toString();
}
