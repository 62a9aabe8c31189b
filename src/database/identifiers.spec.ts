import { newId } from './identifiers';

describe('an identifier', () => {
  afterEach(() => jest.useRealTimers());

  it.each(['co', 'key', 'post', 'qset'] as const)('of its kind begins with %s_', (prefix) => {
    expect(newId(prefix)).toMatch(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`));
  });

  it('sorts by the time it was made', () => {
    // Ahead of the real time, since a clock that is set back does not count.
    jest.useFakeTimers({ now: Date.parse('2090-01-01T00:00:00Z') });
    const ids = [1, 1, 999, 60_000, 86_400_000, 31_536_000_000].map((milliseconds) => {
      jest.advanceTimersByTime(milliseconds);
      return newId('post');
    });
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids.map((id) => id.slice(0, 15))).size).toBe(ids.length);
  });

  it('does not count on: two made in the same millisecond are far apart either way', () => {
    jest.useFakeTimers({ now: Date.parse('2095-01-01T00:00:00Z') });
    const ids = Array.from({ length: 100 }, () => newId('post'));
    expect(ids.toSorted()).not.toEqual(ids);
    // The first ten characters are the time; the next four alone tell nearly all of them apart.
    expect(new Set(ids.map((id) => id.slice(15, 19))).size).toBeGreaterThan(90);
  });

  it('ends in a part that is new each time', () => {
    const ends = Array.from({ length: 1000 }, () => newId('post').slice(-8));
    expect(new Set(ends).size).toBe(1000);
  });
});
