import { randomFillSync } from 'node:crypto';
import { TypeID } from 'typeid-js';
import { v7 } from 'uuid';

/** The kinds of things that have a public identifier. */
export type IdPrefix = 'co' | 'grd' | 'key' | 'link' | 'part' | 'pkey' | 'post' | 'qset' | 'whk';

declare const stored: unique symbol;

/**
 * An identifier as a `uuid` column has it: 16 bytes there, and text such as
 * `01990000-0000-7000-8000-000000000000` here. For the compiler it is no string, so that neither
 * form is ever used for the other.
 */
export interface StoredId {
  readonly [stored]: true;
}

/** Before every identifier. */
export const FIRST_STORED_ID = '00000000-0000-0000-0000-000000000000' as unknown as StoredId;

/**
 * Returns a new identifier, such as `qset_01k9x2v8zdf3xbz0q4v5rk6t7m`: a UUIDv7 in base32. It sorts
 * by the millisecond of its creation and has 74 random bits, so it cannot be guessed. The library's
 * own generator increments within a millisecond, which would show a client how many identifiers
 * were created in between. A post_id names its company, so `post-id.rules.ts` makes it.
 */
export function newId(prefix: Exclude<IdPrefix, 'post'>): string {
  return TypeID.fromUUID(prefix, newUuid()).toString();
}

/** Returns a new identifier as it is stored. */
export function newStoredId(): StoredId {
  return newUuid() as unknown as StoredId;
}

/** Random bytes that one identifier takes. */
const RANDOM_LENGTH = 20;

/** Random bytes of the next identifiers: asking for those of many at once is ten times as fast. */
const random = Buffer.alloc(200 * RANDOM_LENGTH);
let used = random.length;

function newUuid(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  const own = random.subarray(used, (used += RANDOM_LENGTH));
  return v7({ random: own.subarray(0, 16), seq: own.readUInt32BE(16) });
}

/** Crockford's base 32. Its order is that of the bytes, so both forms sort alike. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

const PRINTED = /^([a-z]{1,10})_([0-7][0-9a-hjkmnp-tv-z]{25})$/;

/** Eight characters of base 32 are ten of base 16. */
const CHARACTERS = 8;
const DIGITS = 10;

/** The same number in JavaScript's base 32, and the other way round. */
const toNative = (text: string) =>
  text.replace(/[h-z]/g, (character) => ALPHABET.indexOf(character).toString(32));
const fromNative = (text: string) =>
  text.replace(/[h-v]/g, (character) => ALPHABET[parseInt(character, 32)] ?? '');

/** Returns a stored identifier as clients see it. */
export function printId(prefix: IdPrefix, id: StoredId): string {
  const digits = (id as unknown as string).replaceAll('-', '');
  const group = (from: number, to: number, length: number) =>
    parseInt(digits.slice(from, to), 16).toString(32).padStart(length, '0');
  const first = 2;
  const second = first + DIGITS;
  const third = second + DIGITS;
  const native =
    group(0, first, 2) +
    group(first, second, CHARACTERS) +
    group(second, third, CHARACTERS) +
    group(third, third + DIGITS, CHARACTERS);
  return `${prefix}_${fromNative(native)}`;
}

/**
 * Returns an identifier of some kind as it is stored.
 *
 * @returns `null`, which equals no stored identifier, if the text is none of that kind
 */
export function storedId(prefix: IdPrefix, text: string): StoredId | null {
  const parts = readId(text);
  return parts?.prefix === prefix ? parts.id : null;
}

/** Returns the kind and the stored form of an identifier; `undefined` if the text is none. */
export function readId(text: string): { prefix: string; id: StoredId } | undefined {
  const [, prefix, base32] = PRINTED.exec(text) ?? [];
  if (prefix === undefined || base32 === undefined) {
    return undefined;
  }
  const native = toNative(base32);
  const group = (from: number, to: number, length: number) =>
    parseInt(native.slice(from, to), 32).toString(16).padStart(length, '0');
  const hex = group(0, 2, 2) + group(2, 10, DIGITS) + group(10, 18, DIGITS) + group(18, 26, DIGITS);
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return { prefix, id: id as unknown as StoredId };
}
