import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import {
  generateKey,
  hashKey,
  isPlatformKey,
  isWellFormedKey,
  keyPrefix,
} from './key-format.rules';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A different key on each run. */
const key = fc.constant('live' as const).map(generateKey);

describe('an API key', () => {
  it('consists of csk_, 30 random base62 characters and 6 base62 characters of checksum', () => {
    expect(generateKey('live')).toMatch(/^csk_[0-9A-Za-z]{36}$/);
  });

  it('begins with csk_test_ for test data, and is otherwise alike', () => {
    const text = generateKey('test');
    expect(text).toMatch(/^csk_test_[0-9A-Za-z]{36}$/);
    expect(isWellFormedKey(text)).toBe(true);
    expect(isWellFormedKey(text.replace('test_', ''))).toBe(true);
    expect(isWellFormedKey(text.replace('test_', 'best_'))).toBe(false);
    expect(keyPrefix(text)).toBe(text.slice(0, 15));
  });

  it('begins with cpk_ for a platform, and is otherwise alike', () => {
    const text = generateKey('platform');
    expect(text).toMatch(/^cpk_[0-9A-Za-z]{36}$/);
    expect(isWellFormedKey(text)).toBe(true);
    expect(isWellFormedKey(text.replace('cpk_', 'cpk_test_'))).toBe(false);
    expect(keyPrefix(text)).toBe(text.slice(0, 10));
    expect([text, generateKey('live'), generateKey('test')].map(isPlatformKey)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('ends in the CRC-32 of its random part, in base62, padded with zeros', () => {
    fc.assert(
      fc.property(key, (text) => {
        const value = [...text.slice(34)].reduce((sum, d) => sum * 62 + BASE62.indexOf(d), 0);
        expect(value).toBe(crc32(text.slice(4, 34)));
      }),
    );
  });

  it('is well-formed when generated and never the same twice', () => {
    const keys = Array.from({ length: 1000 }, () => generateKey('live'));
    expect(keys.every(isWellFormedKey)).toBe(true);
    expect(new Set(keys).size).toBe(1000);
  });

  it('is refused with any one character changed', () => {
    fc.assert(
      fc.property(key, fc.nat(39), fc.constantFrom(...BASE62, '-', ' ', 'é'), (text, at, other) => {
        fc.pre(text[at] !== other);
        // The mark of a platform key: the checksum does not cover it.
        fc.pre(at !== 1 || other !== 'p');
        expect(isWellFormedKey(text.slice(0, at) + other + text.slice(at + 1))).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  it('is refused with any two adjacent characters swapped', () => {
    fc.assert(
      fc.property(key, fc.nat(38), (text, at) => {
        fc.pre(text[at] !== text[at + 1]);
        const swapped = `${text.slice(0, at)}${text[at + 1]}${text[at]}${text.slice(at + 2)}`;
        expect(isWellFormedKey(swapped)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it('is refused when truncated, extended or in another case', () => {
    const text = generateKey('live');
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

  it('is hashed with SHA-256 and identified by its first ten characters', () => {
    expect(hashKey('abc').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
    const text = generateKey('live');
    expect(keyPrefix(text)).toBe(text.slice(0, 10));
  });
});
