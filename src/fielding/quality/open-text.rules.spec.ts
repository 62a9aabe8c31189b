import * as fc from 'fast-check';
import { comparableText, normalizedText, TEXT_MINIMUM } from './open-text.rules';

const LONG = 'Good water, and a fine grind.';

describe('open texts', () => {
  it('are equal whatever their case, punctuation, white space and form of characters', () => {
    for (const same of [
      'good water and a fine grind',
      ' GOOD WATER —\tAND A FINE\n\nGRIND!!! ',
      'Good “water” (and a fine grind)…',
      'Ｇｏｏｄ water, and a ﬁne grind.',
    ]) {
      expect(comparableText([same])).toBe(comparableText([LONG]));
    }
    expect(comparableText(['Good water, and a coarse grind.'])).not.toBe(comparableText([LONG]));
    expect(comparableText(['Cafe\u0301 au lait, every morning'])).toBe(
      comparableText(['Café au lait, every morning']),
    );
  });

  it('are not compared below 20 letters and digits', () => {
    expect(comparableText([])).toBeNull();
    expect(comparableText(["I don't know", 'no', '!!!!!!!!!!!!!!!!!!!!!!!!!!!!'])).toBeNull();
    expect(comparableText(['1234567890 123456789'])).toBeNull();
    // Letters of two code units, and marks beside letters.
    expect(comparableText(['𞤢'.repeat(19)])).toBeNull();
    expect(comparableText(['कि'.repeat(19)])).toBeNull();
    expect(comparableText(['𞤢'.repeat(20)])).not.toBeNull();
    expect(comparableText(['1234567890 1234567890'])).toBe('1234567890 1234567890');
  });

  it('are represented by the longest, whatever the order', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 40 })), (texts) => {
        const found = comparableText([...texts, LONG]);
        expect(found).not.toBeNull();
        const lengthOf = (text: string) =>
          normalizedText(text).match(/[\p{L}\p{N}]/gu)?.length ?? 0;
        expect(lengthOf(found!)).toBe(Math.max(lengthOf(LONG), ...texts.map(lengthOf)));
        expect(lengthOf(comparableText([LONG, ...texts])!)).toBe(lengthOf(found!));
        expect(lengthOf(found!)).toBeGreaterThanOrEqual(TEXT_MINIMUM);
      }),
    );
  });

  it('are compared by their beginning, so that no text takes long', () => {
    const begin = 'A very long story. '.repeat(100);
    expect(comparableText([`${begin} one`])).toBe(comparableText([`${begin} two`]));
  });
});
