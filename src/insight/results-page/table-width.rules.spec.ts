import fc from 'fast-check';
import { breakable, partsOf, widthOf } from './table-width.rules';

describe('the parts of a wide table', () => {
  it('have every column once, in order, and are no wider than paper unless a column is', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 80 })), (widths) => {
        const parts = partsOf(widths);
        const columns = parts.flatMap(({ start, end }) =>
          Array.from({ length: end - start }, (_, index) => start + index),
        );
        expect(columns).toEqual(widths.map((_, index) => index));
        for (const { start, end, width } of parts) {
          expect(end === start + 1 || width <= 66).toBe(true);
        }
      }),
    );
  });

  it('are at most 11 columns of counts with three digits', () => {
    expect(partsOf(Array.from({ length: 20 }, () => widthOf(['12', '105'])))).toHaveLength(2);
  });
});

describe('the width of a column', () => {
  it.each([
    [['Neither good nor bad', '50.0%'], 9],
    [['どちらとも言えない'], 6],
    [['x'.repeat(500)], 22],
    [[undefined, 7], 6],
    [['Good', { text: '50.0%', part: 0.5 }], 10],
  ])('of %j is %j characters', (texts, width) => {
    expect(widthOf(texts)).toBe(width);
  });

  it('breaks long words, and only those', () => {
    expect(breakable(`${'a'.repeat(20)} ${'b'.repeat(41)}`)).toBe(
      `${'a'.repeat(20)} ${'b'.repeat(20)}\u200b${'b'.repeat(20)}\u200bb`,
    );
  });
});
