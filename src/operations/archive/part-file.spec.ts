import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { readRows, writeRows } from './part-file';

describe('the file of a part', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'part-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('has the rows that were written, whatever their texts contain', async () => {
    const texts = ['a\u2028b', 'a\u2029b', 'a\u0085b', 'a\rb', 'a\r\nb', '€'.repeat(30_000), ''];
    const rows = texts.map((text, id) => ({ id, text }));
    const file = join(folder, 'part');
    const pages = Readable.from([rows.slice(0, 3), rows.slice(3)]);
    expect(await writeRows(file, pages)).toMatchObject({ rows: rows.length });
    const batches: object[][] = [];
    for await (const batch of readRows<object>(file, 3)) {
      batches.push(batch);
    }
    expect(batches).toEqual([rows.slice(0, 3), rows.slice(3, 6), rows.slice(6)]);
  });
});
