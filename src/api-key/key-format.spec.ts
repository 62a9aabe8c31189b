import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { generateKey, hashKey, isWellFormedKey, keyPrefix } from './key-format';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A new key for each run. */
const key = fc.constant(null).map(generateKey);

describe('the format of an API key', () => {
  it('is csk_, 30 random base62 characters and 6 base62 characters of checksum', () => {
    expect(generateKey()).toMatch(/^csk_[0-9A-Za-z]{36}$/);
  });

  it('ends in the CRC-32 of its random part, in base62, padded with zeros', () => {
    fc.assert(
      fc.property(key, (text) => {
        const value = [...text.slice(34)].reduce((sum, d) => sum * 62 + BASE62.indexOf(d), 0);
        expect(value).toBe(crc32(text.slice(4, 34)));
      }),
    );
  });

  it('is well-formed as it was generated, and never the same twice', () => {
    const keys = Array.from({ length: 1000 }, generateKey);
    expect(keys.every(isWellFormedKey)).toBe(true);
    expect(new Set(keys).size).toBe(1000);
  });

  it('is refused with any one character changed', () => {
    fc.assert(
      fc.property(key, fc.nat(39), fc.constantFrom(...BASE62, '-', ' ', 'é'), (text, at, other) => {
        fc.pre(text[at] !== other);
        expect(isWellFormedKey(text.slice(0, at) + other + text.slice(at + 1))).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  it('is refused with any two neighbours swapped', () => {
    fc.assert(
      fc.property(key, fc.nat(38), (text, at) => {
        fc.pre(text[at] !== text[at + 1]);
        const swapped = `${text.slice(0, at)}${text[at + 1]}${text[at]}${text.slice(at + 2)}`;
        expect(isWellFormedKey(swapped)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it('is refused cut short, with more at either end, or in another case', () => {
    const text = generateKey();
    for (const wrong of [
      '',
      'csk_',
      text.slice(0, -1),
      text.slice(1),
      `${text}0`,
      ` ${text}`,
      `${text}\n`,
      text.replace('csk_', 'CSK_'),
    ]) {
      expect(isWellFormedKey(wrong)).toBe(false);
    }
  });

  it('is stored as SHA-256 and recognised by its first ten characters', () => {
    expect(hashKey('abc').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
    const text = generateKey();
    expect(keyPrefix(text)).toBe(text.slice(0, 10));
  });
});
