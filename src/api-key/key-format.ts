import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/*
 * An API key is `csk_`, 30 random base62 characters (178 bits) and 6 base62 characters of their
 * CRC-32. A scanner can tell a real key, and a mistyped one never reaches the database.
 */

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const MARK = 'csk_';
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(
  `^${MARK}([${BASE62}]{${RANDOM_LENGTH}})([${BASE62}]{${CHECKSUM_LENGTH}})$`,
);

/** How much of a key is stored in the clear, for people to tell keys apart. */
const PREFIX_LENGTH = MARK.length + 6;

function checksum(random: string): string {
  let rest = crc32(random);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}

/** A new key, from the system's secure random source. */
export function generateKey(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () =>
    BASE62.charAt(randomInt(BASE62.length)),
  ).join('');
  return MARK + random + checksum(random);
}

/** Whether a text is a key that this service could have generated. */
export function isWellFormedKey(text: string): boolean {
  const [, random, given] = SHAPE.exec(text) ?? [];
  return random !== undefined && checksum(random) === given;
}

/** SHA-256 of a key, 32 bytes: all that is stored of its secret part. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** The first characters of a key, such as `csk_4fGh2K`. */
export function keyPrefix(key: string): string {
  return key.slice(0, PREFIX_LENGTH);
}
