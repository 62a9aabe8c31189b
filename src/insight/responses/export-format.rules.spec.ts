import { stringify } from 'csv-stringify/sync';
import * as fc from 'fast-check';
import type { Cell } from './question-columns.rules';
import type { ExportedResponseDto } from './export.dto';
import { toCsv } from './export-format.rules';

/** A table whose responses have these answers. */
function table(names: string[], rows: Cell[][], byteOrderMark = false): AsyncIterable<string> {
  const responses = rows.map((_, index) => ({ version: index, answers: [] }));
  async function* pages() {
    await Promise.resolve();
    yield responses as unknown as ExportedResponseDto[];
  }
  const cellsOf = (_: unknown, version: number | null) => rows[version!]!;
  return toCsv(pages(), { takeNames: () => names, cellsOf }, { byteOrderMark, hasQuotas: false });
}

async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const part of parts) {
    text += part;
  }
  return text;
}

/** Escapes one start of a cell after the other: slow, and simple. */
function escaped(text: string): string {
  let result = '';
  let isStart = true;
  for (const character of text) {
    if (isStart && '=+-@＝＋－＠'.includes(character)) {
      result += "'";
    }
    result += character;
    isStart =
      ';|\t\r\n'.includes(character) ||
      (isStart && /["\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(character));
  }
  return result;
}

describe('what a spreadsheet program would run as a formula', () => {
  const cellOf = async (text: string) => {
    const lines = await textOf(table(['a'], [[text]]));
    return lines.slice(lines.indexOf('\r\n') + 2).split(/^(?:[^,]*,){19}/)[1];
  };

  it.each([
    ['=1+1', "'=1+1"],
    ['  =1+1', "  '=1+1"],
    [';=1+1', ";'=1+1"],
    [';  =1+1', ";  '=1+1"],
    ['a; \u00a0\u3000@SUM(1)', "a; \u00a0\u3000'@SUM(1)"],
    ['|=1', "|'=1"],
    ['a| |+1', "a| |'+1"],
    ['\u200b=1', "\u200b'=1"],
    ['\u202e=1', "\u202e'=1"],
    ['a;\u200d\u2060\u00ad\u3164-1', "a;\u200d\u2060\u00ad\u3164'-1"],
    ['\u202e \u2066＝1', "\u202e \u2066'＝1"],
    ['a = b - c', 'a = b - c'],
    ['2020-01-01 | a', '2020-01-01 | a'],
  ])('is text: %j', async (text, expected) => {
    expect((await cellOf(text))?.replace(/^"|"?\r\n$/g, '')).toBe(expected);
  });

  it('is found in one pass over a text, whatever it consists of', async () => {
    const started = performance.now();
    await cellOf('\n; |'.repeat(250_000));
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('a table that is written in parts', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 5 }),
    fc.string({ unit: fc.constantFrom(...',;"\t\r\n\'=+-@＝ \uFEFFa0'), maxLength: 5 }),
  );
  const cell = fc.oneof(text, fc.double(), fc.integer(), fc.constant(null));
  const size = fc.oneof(
    fc.record({ width: fc.nat({ max: 3 }), height: fc.nat({ max: 60 }) }),
    fc.record({ width: fc.integer({ min: 979, max: 983 }), height: fc.nat({ max: 3 }) }),
    fc.record({ width: fc.nat({ max: 2_500 }), height: fc.nat({ max: 3 }) }),
  );

  it('has the bytes of one that is written at once', async () => {
    const fixed = (await textOf(table([], []))).trimEnd().split(',');
    const some = <T>(each: fc.Arbitrary<T>) => fc.array(each, { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(some(text), some(cell), size, async (names, cells, { width, height }) => {
        const repeat = <T>(items: T[], first = 0): T[] =>
          Array.from({ length: width }, (_, index) => items[(first + index) % items.length]!);
        const head = repeat(names);
        const rows = Array.from({ length: height }, (_, index) => repeat(cells, index));
        const whole = stringify(
          [
            [...fixed, ...head],
            ...rows.map((row, index) => [
              ...fixed.map((name) => (name === 'version' ? index : null)),
              ...row,
            ]),
          ],
          {
            escape_formulas: true,
            cast: { string: escaped },
            record_delimiter: 'windows',
            quote_record_delimiter: true,
          },
        );
        expect(await textOf(table(head, rows))).toBe(whole);
        expect(await textOf(table(head, rows, true))).toBe(`\uFEFF${whole}`);
      }),
    );
  });

  it('lets others work after each thousand cells', async () => {
    let sinceOthers = 0;
    const serveOthers = () => {
      sinceOthers = 0;
      timer = setImmediate(serveOthers);
    };
    let timer = setImmediate(serveOthers);
    let longest = 0;
    const names = Array.from({ length: 25_000 }, (_, index) => `Column ${index}`);
    for await (const part of table(names, [Array<Cell>(25_000).fill(1)])) {
      sinceOthers += part.split(',').length;
      longest = Math.max(longest, sinceOthers);
    }
    clearImmediate(timer);
    expect(longest).toBeLessThan(2_000);
  });
});
