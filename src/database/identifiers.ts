import { randomBytes } from 'node:crypto';
import { TypeID } from 'typeid-js';
import { v7 } from 'uuid';

/** The kinds of things that have a public identifier. */
type IdPrefix = 'co' | 'key' | 'link' | 'part' | 'pkey' | 'post' | 'qset' | 'whk';

/**
 * Returns a new identifier, such as `post_01k9x2v8zdf3xbz0q4v5rk6t7m`: a UUIDv7 in base32. It sorts
 * by the millisecond of its creation and has 74 random bits, so it cannot be guessed. The library's
 * own generator increments within a millisecond, which would show a client how many identifiers
 * were created in between.
 */
export function newId(prefix: IdPrefix): string {
  const random = randomBytes(20);
  const uuid = v7({ random: random.subarray(0, 16), seq: random.readUInt32BE(16) });
  return TypeID.fromUUID(prefix, uuid).toString();
}
