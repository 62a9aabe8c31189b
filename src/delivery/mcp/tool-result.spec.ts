import { array, assert, dictionary, integer, jsonValue, property, string } from 'fast-check';
import { fit, fittingPage, partOf } from './tool-result';

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe('a result', () => {
  it('fits, whatever it is, and stays as it is if it fits', () => {
    const values = dictionary(string(), jsonValue({ maxDepth: 5 }));
    assert(
      property(values, integer({ min: 200, max: 2_000 }), (value, maximum) => {
        const fitting = fit(value, maximum);
        expect(sizeOf(fitting)).toBeLessThanOrEqual(maximum);
        if (sizeOf(value) <= maximum) {
          expect(fitting).toBe(value);
        }
      }),
    );
  });

  it('cuts texts before lists, and says what is left out', () => {
    const list = Array.from({ length: 20 }, (_, index) => `${index} ${'😀'.repeat(200)}`);
    const { texts } = fit({ texts: list }) as { texts: unknown[] };
    expect(texts).toHaveLength(20);
    expect(texts[3]).toMatch(/^3 (😀){78}… \(122 characters left out\)$/u);
    const numbers = { numbers: Array.from({ length: 10_000 }, (_, index) => index) };
    expect(fit(numbers)).toEqual({
      numbers: [...Array.from({ length: 100 }, (_, index) => index), { left_out: 9_900 }],
    });
  });
});

describe('the parts of a list', () => {
  it('have every item once, in order', () => {
    assert(
      property(array(string({ maxLength: 300 })), (items) => {
        const found: unknown[] = [];
        let cursor: string | undefined;
        do {
          const part = partOf(items, cursor, 500);
          expect(sizeOf(part.items)).toBeLessThanOrEqual(900);
          found.push(...part.items);
          cursor = part.next_cursor;
        } while (cursor !== undefined);
        expect(found).toEqual(items);
      }),
    );
  });
});

describe('a page', () => {
  it('is asked for again with as many items as fit', async () => {
    const all = Array.from({ length: 50 }, (_, index) => ({ index, text: 'x'.repeat(990) }));
    const limits: number[] = [];
    const read = (limit: number) => {
      limits.push(limit);
      return Promise.resolve({ items: all.slice(0, limit), next: `after ${limit}` });
    };
    const page = await fittingPage(read);
    expect([limits, page.items.length, page.next_cursor]).toEqual([[20, 6], 6, 'after 6']);
  });

  it('has one item at least, cut if it is large', async () => {
    const items = [{ text: 'x'.repeat(50_000) }, { text: 'y' }];
    const read = (limit: number) =>
      Promise.resolve({ items: items.slice(0, limit), next: limit < 2 ? 'next' : undefined });
    const { items: found, next_cursor } = await fittingPage(read);
    expect(next_cursor).toBe('next');
    expect(found).toEqual([{ text: expect.stringMatching(/characters left out\)$/) as string }]);
  });
});
