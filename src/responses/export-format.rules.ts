import { createHash } from 'node:crypto';
import { stringify } from 'csv-stringify/sync';
import type { AnswerColumns, Cell } from './export-columns.rules';
import type { ExportedResponseDto } from './export.dto';

/** The numbers of the events that an export accounts for. */
export interface Covered {
  from: number;
  to: number;
}

type Pages = AsyncIterable<readonly ExportedResponseDto[]>;

/** The bytes that tell a spreadsheet program that a text is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** One JSON object a line. The last line tells what all lines before it are. */
export async function* toNdjson(pages: Pages, covers: Covered): AsyncGenerator<string> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const rows of pages) {
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    hash.update(lines);
    count += rows.length;
    yield lines;
  }
  yield `${JSON.stringify({ covers, count, sha256: hash.digest('hex') })}\n`;
}

/** How many cells are written at once, so that other requests are served in between. */
const CELLS_MAXIMUM = 50_000;

/** Everything about a response besides its answers, in the order of the columns. */
const COLUMNS = [
  'seq',
  'participation_id',
  'respondent',
  'question_id',
  'version',
  'attention_score',
  'cohort',
  'reward',
  'begun_at',
  'submitted_at',
  'reversed_at',
  'reversal_reason',
] as const satisfies (keyof ExportedResponseDto)[];

/**
 * A CSV (RFC 4180) with a head line and one line for each response. A text that a spreadsheet
 * program would run as a formula begins with an apostrophe.
 */
export async function* toCsv(
  pages: Pages,
  { names, cellsOf }: AnswerColumns,
  byteOrderMark: boolean,
): AsyncGenerator<string> {
  yield (byteOrderMark ? BYTE_ORDER_MARK : '') + toLines([[...COLUMNS, ...names]]);
  const atOnce = Math.max(1, Math.floor(CELLS_MAXIMUM / (COLUMNS.length + names.length)));
  for await (const rows of pages) {
    for (let first = 0; first < rows.length; first += atOnce) {
      yield toLines(
        rows
          .slice(first, first + atOnce)
          .map((row) => [
            ...COLUMNS.map((name) => plain(row[name])),
            ...cellsOf(row.answers, row.version),
          ]),
      );
    }
  }
}

const plain = (value: Cell | Date): Cell => (value instanceof Date ? value.toISOString() : value);

function toLines(rows: Cell[][]): string {
  return stringify(rows, {
    escape_formulas: true,
    record_delimiter: 'windows',
    // Also a text with only one half of the delimiter, which programs read as a line end.
    quote_record_delimiter: true,
  });
}
