import fc from 'fast-check';
import { BINS_MAXIMUM, binsOf } from './number-bins.rules';

const once = (...values: number[]) => values.map((value) => ({ value, count: 1 }));

describe('the bins of numbers', () => {
  it.each([
    ['no numbers', once(), 1, []],
    ['one number', [{ value: 7, count: 3 }], 1, [[7, 8, 3]]],
    [
      'whole numbers close together',
      once(-1, 1),
      1,
      [
        [-1, 0, 1],
        [0, 1, 0],
        [1, 2, 1],
      ],
    ],
    [
      'numbers with decimals',
      once(0.1, 0.3),
      0.1,
      [
        [0.1, 0.2, 1],
        [0.2, 0.3, 0],
        [0.3, 0.4, 1],
      ],
    ],
    [
      'numbers far apart',
      once(0, 9, 10, 29, 39),
      1,
      [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38].map((from) => [
        from,
        from + 2,
        Number([0, 8, 10, 28, 38].includes(from)),
      ]),
    ],
  ])('are those of %s', (_, values, step, expected) => {
    expect(binsOf(values, step).map(({ from, to, count }) => [from, to, count])).toEqual(expected);
  });

  it('cover every number once, and are few', () => {
    const number = fc
      .integer({ min: -1e15, max: 1e15 })
      .chain((n) => fc.nat(15).map((shift) => Math.trunc(n / 10 ** shift) / 1_000));
    fc.assert(
      fc.property(fc.uniqueArray(number, { minLength: 1, maxLength: 30 }), (numbers) => {
        const bins = binsOf(once(...numbers), 0.001);
        expect(bins.length).toBeLessThanOrEqual(BINS_MAXIMUM);
        for (const { from, to, count } of bins) {
          expect(numbers.filter((value) => value >= from && value < to)).toHaveLength(count);
        }
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(numbers.length);
      }),
    );
  });
});
