import { randomFillSync } from 'node:crypto';
import { TypeID } from 'typeid-js';
import { v7 } from 'uuid';

/** The kinds of things that have a public identifier. */
export type IdPrefix =
  | 'apr'
  | 'co'
  | 'grd'
  | 'key'
  | 'link'
  | 'part'
  | 'pkey'
  | 'post'
  | 'qset'
  | 'quota'
  | 'stl'
  | 'whk';

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

/** Random bytes of the next identifiers: to ask for those of many at once is ten times as fast. */
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

const HEXADECIMAL = '0123456789abcdef';

/** The two characters of each ten bits. */
const PAIRS = [...ALPHABET].flatMap((first) => [...ALPHABET].map((second) => first + second));
const PAIR_BITS = 10;

/** A UUID has 128 bits, which two zeros before them make 13 pairs. */
const ZERO_BITS = 2;

/** Returns a stored identifier as clients see it. */
export function printId(prefix: IdPrefix, id: StoredId): string {
  const text = id as unknown as string;
  let base32 = '';
  let bits = 0;
  let left = ZERO_BITS;
  for (let at = 0; at < text.length; at += 1) {
    const digit = HEXADECIMAL.indexOf(text.charAt(at));
    if (digit >= 0) {
      bits = (bits << 4) | digit;
      left += 4;
    }
    if (left >= PAIR_BITS) {
      left -= PAIR_BITS;
      base32 += PAIRS[(bits >> left) & (PAIRS.length - 1)] ?? '';
    }
  }
  return `${prefix}_${base32}`;
}

/** Four characters of base 32 are five digits of base 16, once zeros precede the first ones. */
const CHARACTERS = 4;
const DIGITS = 5;
const ZERO_CHARACTERS = '00';
const ZERO_DIGITS = '000';

/**
 * Returns an identifier of some kind as it is stored.
 *
 * @returns `null`, which equals no stored identifier, if the text is none of that kind
 */
export function storedId(prefix: IdPrefix, text: string): StoredId | null {
  const parts = readId(text);
  return parts?.prefix === prefix ? parts.id : null;
}

/**
 * Returns the kind and the stored form of an identifier; `undefined` if the text is none. A library
 * would refuse what is no UUID of a known version, which a masked post_id rarely is.
 */
export function readId(text: string): { prefix: string; id: StoredId } | undefined {
  const [, prefix, base32] = PRINTED.exec(text) ?? [];
  if (prefix === undefined || base32 === undefined) {
    return undefined;
  }
  const characters = ZERO_CHARACTERS + base32;
  let digits = '';
  for (let at = 0; at < characters.length; at += CHARACTERS) {
    let bits = 0;
    for (const character of characters.slice(at, at + CHARACTERS)) {
      bits = bits * 32 + ALPHABET.indexOf(character);
    }
    digits += bits.toString(16).padStart(DIGITS, '0');
  }
  const hex = digits.slice(ZERO_DIGITS.length);
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return { prefix, id: id as unknown as StoredId };
}
