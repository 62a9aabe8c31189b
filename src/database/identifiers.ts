import { typeid } from 'typeid-js';

/** The kinds of things that have a public identifier. */
export type IdPrefix = 'co' | 'key' | 'post' | 'qset';

/**
 * A new identifier, such as `post_01k9x2v8zdf3xbz0q4v5rk6t7m`: a UUIDv7 in base32, so sorted by
 * time, and within a process by a counter too; with 43 random bits, so not to be guessed.
 */
export function newId(prefix: IdPrefix): string {
  return typeid(prefix).toString();
}
