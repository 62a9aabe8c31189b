import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** What a file contains. */
export interface Content {
  rows: number;
  /** SHA-256 of its lines before compression, in hexadecimal. */
  sha256: string;
}

/** Makes what was written to a file, or which files a folder has, outlast a power failure. */
export async function flush(path: string): Promise<void> {
  const file = await open(path, 'r');
  await file.sync();
  await file.close();
}

/** Writes rows as NDJSON, compressed, to a new file that nobody else can read. */
export async function writeRows(
  path: string,
  pages: AsyncIterable<readonly object[]>,
): Promise<Content> {
  const hash = createHash('sha256');
  let rows = 0;
  async function* lines(): AsyncGenerator<string> {
    for await (const page of pages) {
      const text = page.map((row) => `${JSON.stringify(row)}\n`).join('');
      hash.update(text);
      rows += page.length;
      yield text;
    }
  }
  const file = createWriteStream(path, { mode: 0o600 });
  await pipeline(Readable.from(lines()), createGzip(), file);
  await flush(path);
  return { rows, sha256: hash.digest('hex') };
}

/**
 * Reads the rows of a file, so many at a time. Only a line feed ends a line: Node 24's `readline`
 * also ends it at U+2028 and U+2029, which `JSON.stringify` writes as they are.
 *
 * @throws Error if the file is missing, damaged or cut
 */
export async function* readRows<Row>(path: string, batch: number): AsyncGenerator<Row[]> {
  const file = createReadStream(path);
  const gunzip = createGunzip();
  file.on('error', (error) => gunzip.destroy(error));
  let rows: Row[] = [];
  let unended = '';
  for await (const text of file.pipe(gunzip).setEncoding('utf8') as AsyncIterable<string>) {
    const lines = `${unended}${text}`.split('\n');
    unended = lines.pop() ?? '';
    for (const line of lines) {
      rows.push(JSON.parse(line) as Row);
      if (rows.length === batch) {
        yield rows;
        rows = [];
      }
    }
  }
  if (rows.length > 0) {
    yield rows;
  }
}

/** @throws Error if the file is missing, damaged or cut */
export async function contentOf(path: string): Promise<Content> {
  const hash = createHash('sha256');
  let rows = 0;
  await pipeline(createReadStream(path), createGunzip(), async (chunks) => {
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      hash.update(chunk);
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) {
        rows += 1;
      }
    }
  });
  return { rows, sha256: hash.digest('hex') };
}
