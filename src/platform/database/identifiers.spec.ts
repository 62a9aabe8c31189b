import * as fc from 'fast-check';
import { TypeID } from 'typeid-js';
import {
  FIRST_STORED_ID,
  newId,
  newStoredId,
  printId,
  readId,
  storedId,
  StoredId,
} from './identifiers';

describe('an identifier', () => {
  afterEach(() => jest.useRealTimers());

  it.each(['co', 'key', 'link', 'qset'] as const)('begins with %s_ for its kind', (prefix) => {
    expect(newId(prefix)).toMatch(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`));
  });

  it('sorts by creation time', () => {
    // Later than the real time, because a clock that is set back has no effect.
    jest.useFakeTimers({ now: Date.parse('2090-01-01T00:00:00Z') });
    const ids = [1, 1, 999, 60_000, 86_400_000, 31_536_000_000].map((milliseconds) => {
      jest.advanceTimersByTime(milliseconds);
      return newId('qset');
    });
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids.map((id) => id.slice(0, 15))).size).toBe(ids.length);
  });

  it('is not sequential: two of the same millisecond differ in their first random characters', () => {
    jest.useFakeTimers({ now: Date.parse('2095-01-01T00:00:00Z') });
    const ids = Array.from({ length: 100 }, () => newId('qset'));
    expect(ids.toSorted()).not.toEqual(ids);
    // The first ten characters are the time; the next four alone distinguish nearly all of them.
    expect(new Set(ids.map((id) => id.slice(15, 19))).size).toBeGreaterThan(90);
  });

  it('ends in random characters', () => {
    const ends = Array.from({ length: 1000 }, () => newId('qset').slice(-8));
    expect(new Set(ends).size).toBe(1000);
  });
});

describe('a stored identifier', () => {
  const uuid = fc.uuid({ version: [1, 2, 3, 4, 5, 6, 7, 8] });

  it('is the UUID of the printed one, and the other way round', () => {
    fc.assert(
      fc.property(uuid, (text) => {
        const printed = TypeID.fromUUID('part', text).toString();
        expect(storedId('part', printed)).toBe(text);
        expect(printId('part', text as unknown as StoredId)).toBe(printed);
      }),
    );
    expect(printId('part', FIRST_STORED_ID)).toBe(`part_${'0'.repeat(26)}`);
    expect(readId(`part_7${'z'.repeat(25)}`)?.id).toBe('ffffffff-ffff-ffff-ffff-ffffffffffff');
  });

  it('is read from what is printed, also if it is no UUID of a known version', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const hex = Buffer.from(bytes).toString('hex');
        const text = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
        const id = text as unknown as StoredId;
        expect(storedId('post', printId('post', id))).toBe(id);
      }),
    );
  });

  it('sorts as the printed one does', () => {
    fc.assert(
      fc.property(uuid, uuid, (one, other) => {
        const [first, second] = [one, other].map((each) =>
          printId('part', each as unknown as StoredId),
        );
        expect(first! < second!).toBe(one < other);
      }),
    );
  });

  it('has one printed form: no other text is read as it', () => {
    const id = printId('part', newStoredId());
    for (const wrong of [
      id.toUpperCase(),
      id.replace('part', 'post'),
      `${id}0`,
      id.slice(0, -1),
      ` ${id}`,
      `${id}\n`,
      `part_8${id.slice(6)}`,
      `${id.slice(0, -1)}l`,
      id.slice(5),
      '',
    ]) {
      expect(storedId('part', wrong)).toBeNull();
    }
  });
});
