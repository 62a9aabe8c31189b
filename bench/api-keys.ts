import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/*
 * The format of the service's API keys, implemented separately, so that a change of the service
 * does not change what it is compared with.
 */

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHAPE = /^c[sp]k_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

function checksum(random: string): string {
  let rest = crc32(random);
  let digits = '';
  for (let i = 0; i < 6; i += 1) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Generates the key of a company, or of a platform. */
export function generateKey(mark: 'csk' | 'cpk' = 'csk'): string {
  const random = Array.from({ length: 30 }, () => BASE62.charAt(randomInt(62))).join('');
  return `${mark}_${random}${checksum(random)}`;
}

/** Whether a string has the format and the checksum of a key. */
export function isWellFormedKey(text: string): boolean {
  const [, random, given] = SHAPE.exec(text) ?? [];
  return random !== undefined && checksum(random) === given;
}

/** SHA-256 of a key: the only form in which it is stored. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
