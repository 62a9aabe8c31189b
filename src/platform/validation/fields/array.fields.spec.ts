import { accept, refuse } from '../../../../test/support/validate';
import { ObjectArray, TextArray } from './array.fields';
import { Text } from './text.fields';

class Item {
  @Text({ maximum: 5 })
  name!: string;
}

class Arrays {
  @TextArray({ minimum: 2, maximum: 3, length: 5, optional: true })
  texts?: string[];

  @TextArray({ minimum: 1, maximum: 2, length: 5, values: ['read', 'write'], optional: true })
  words?: string[];

  @ObjectArray(() => Item, 1, 2)
  items: Item[] = [{ name: 'a' }];
}

const items = [{ name: 'a' }];

describe('an array of strings', () => {
  it('trims its entries and keeps their order', async () => {
    const body = { items, texts: [' b ', 'a\n', 'c'] };
    expect(await accept(Arrays, body)).toMatchObject({ texts: ['b', 'a', 'c'] });
  });

  it('accepts entries from its minimum to its maximum count', async () => {
    expect(await refuse(Arrays, { items, texts: [] })).toEqual(['texts too_few']);
    expect(await refuse(Arrays, { items, texts: ['a'] })).toEqual(['texts too_few']);
    expect(await refuse(Arrays, { items, texts: ['a', 'b', 'c', 'd'] })).toEqual([
      'texts too_many',
    ]);
  });

  it('requires distinct entries, compared as they are stored', async () => {
    expect(await refuse(Arrays, { items, texts: ['a', ' a', 'a '] })).toEqual([
      'texts[1] duplicate',
      'texts[2] duplicate',
    ]);
    expect(await accept(Arrays, { items, texts: ['a', 'A', 'á'] })).toBeDefined();
  });

  it('reports every wrong entry', async () => {
    expect(await refuse(Arrays, { items, texts: ['  ', null, '123456'] })).toEqual([
      'texts[0] empty',
      'texts[1] invalid_type',
      'texts[2] too_long',
    ]);
    expect(await refuse(Arrays, { items, texts: [1, ['a'], 'a\0'] })).toEqual([
      'texts[0] invalid_type',
      'texts[1] invalid_type',
      'texts[2] invalid_characters',
    ]);
  });

  it.each(['a,b', { 0: 'a', 1: 'b', length: 2 }, 5, true])('refuses %j', async (texts) => {
    expect(await refuse(Arrays, { items, texts })).toEqual(['texts invalid_type']);
  });

  it.each([
    ['a\nb', 'a\r\nb'],
    ['a\nb', 'a\u2028b'],
    ['A', 'A\u200b'],
    ['A', '\u00adA'],
    ['A', 'A \u200b'],
    ['A b', 'A\u00a0b'],
    ['A b', 'A  b'],
    ['AB', 'A\u200dB'],
    ['\u00e9', 'e\u200b\u0301'],
    ['\u2764', '\u2764\ufe0f'],
  ])('refuses entries that look alike: %j and %j', async (first, second) => {
    expect(await refuse(Arrays, { items, texts: [first, second] })).toEqual(['texts[1] duplicate']);
  });

  it.each([
    ['a', 'A'],
    ['a\nb', 'a b'],
    // A couple and two people, the flags of England and Scotland, and two Persian words.
    ['\u{1f468}\u200d\u{1f469}', '\u{1f468}\u{1f469}'],
    ['\u{1f3f4}\u{e0067}\u{e007f}', '\u{1f3f4}\u{e0073}\u{e007f}'],
    ['\u0645\u06cc\u200c\u062e\u0648', '\u0645\u06cc\u062e\u0648'],
  ])('accepts entries that look different: %j and %j', async (first, second) => {
    expect(await accept(Arrays, { items, texts: [first, second] })).toBeDefined();
  });

  it('refuses words outside its closed list', async () => {
    expect(await accept(Arrays, { items, words: ['write'] })).toMatchObject({ words: ['write'] });
    expect(await refuse(Arrays, { items, words: ['read', 'READ'] })).toEqual([
      'words[1] not_allowed',
    ]);
    expect(await refuse(Arrays, { items, words: ['read', 'read'] })).toEqual([
      'words[1] duplicate',
    ]);
    expect(await refuse(Arrays, { items, words: [] })).toEqual(['words too_few']);
  });
});

describe('an array of objects', () => {
  it('validates and normalizes each object by its class', async () => {
    const { items: made } = await accept(Arrays, { items: [{ name: ' a ' }] });
    expect(made).toEqual([{ name: 'a' }]);
    expect(made[0]).toBeInstanceOf(Item);
  });

  it('reports every wrong field of every object with its path', async () => {
    const body = { items: [{ name: '' }, { name: 5, other: 1 }] };
    expect(await refuse(Arrays, body)).toEqual([
      'items[0].name empty',
      'items[1].other unknown_field',
      'items[1].name invalid_type',
    ]);
  });

  it('reports too many or too few entries', async () => {
    expect(await refuse(Arrays, { items: [] })).toEqual(['items too_few']);
    expect(await refuse(Arrays, { items: [...items, ...items, ...items] })).toEqual([
      'items too_many',
    ]);
  });

  it.each([null, 'a', 5, true, [], [{ name: 'a' }], [{}], [[{}]]])(
    'refuses an entry such as %j without reporting its fields',
    async (item) => {
      expect(await refuse(Arrays, { items: [item] })).toEqual(['items[0] invalid_type']);
    },
  );

  it('checks the other entries when one is not an object', async () => {
    expect(await refuse(Arrays, { items: ['a', { name: '' }] })).toEqual([
      'items[0] invalid_type',
      'items[1].name empty',
    ]);
  });

  it.each(['a', 5, {}, { name: 'a' }, { 0: { name: 'a' } }])('refuses %j', async (wrong) => {
    expect(await refuse(Arrays, { items: wrong })).toEqual(['items invalid_type']);
  });

  it('distinguishes an unknown field named like a number from an index', async () => {
    expect(await refuse(Arrays, { items: [{ name: 'a', 5: 1 }] })).toEqual([
      'items[0].5 unknown_field',
    ]);
  });
});
