import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Mode } from '../../platform/caller/environment.rules';

/*
 * A key begins with a mark: `csk_` for an API key, `csk_test_` for a test key, `cpk_` for a
 * platform key, `crl_` for a link to results, `cpl_` for a link to a preview. Then come 30 random
 * base62 characters (178 bits) and their CRC-32 as 6 base62 characters. The checksum lets a secret
 * scanner recognise a real key and keeps mistyped keys away from the database.
 */

/** What a key is for. */
export type KeyKind = Mode | 'platform' | 'results' | 'preview';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const MARKS: Readonly<Record<KeyKind, string>> = {
  live: 'csk_',
  test: 'csk_test_',
  platform: 'cpk_',
  results: 'crl_',
  preview: 'cpl_',
};
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(
  `^(?:${Object.values(MARKS).join('|')})([${BASE62}]{${RANDOM_LENGTH}})([${BASE62}]{${CHECKSUM_LENGTH}})$`,
);

/**
 * Length of the random part of a key that is stored in the clear, for people to tell keys apart.
 */
const PREFIX_LENGTH = 6;

function checksum(random: string): string {
  let rest = crc32(random);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}

/** Generates a key from a cryptographically secure random source. */
export function generateKey(kind: KeyKind): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () =>
    BASE62.charAt(randomInt(BASE62.length)),
  ).join('');
  return MARKS[kind] + random + checksum(random);
}

/** Whether a string has the format and the checksum of a key. */
export function isWellFormedKey(text: string): boolean {
  const [, random, given] = SHAPE.exec(text) ?? [];
  return random !== undefined && checksum(random) === given;
}

/** Whether a well-formed key is a platform's. */
export function isPlatformKey(key: string): boolean {
  return key.startsWith(MARKS.platform);
}

/** SHA-256 of a key, 32 bytes: the only form in which its secret part is stored. */
export function hashKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** The first characters of a key, such as `csk_4fGh2K`. */
export function keyPrefix(key: string): string {
  return key.slice(0, PREFIX_LENGTH - RANDOM_LENGTH - CHECKSUM_LENGTH);
}
