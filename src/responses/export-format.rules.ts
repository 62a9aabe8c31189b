import { createHash } from 'node:crypto';
import { stringify } from 'csv-stringify/sync';
import type { QualityDto } from '../quality/quality.dto';
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
  'currency',
  'reward',
  'begun_at',
  'submitted_at',
  'reversed_at',
  'reversal_reason',
] as const satisfies (keyof ExportedResponseDto)[];

/** The columns of the quality signals, after those. */
const QUALITY_COLUMNS = [
  'answer_percentile',
  'longest_run',
  'compared_answers',
  'consistency',
  'text_repeats',
  'flags',
] as const satisfies (keyof QualityDto)[];

/**
 * What begins a formula where a spreadsheet program that does not know the delimiter may begin a
 * cell: after a semicolon, a tab or a line end, and quotes.
 */
const INNER_FORMULA = /([;\t\r\n]"*)([=+\-@＝＋－＠])/g;

/**
 * A CSV (RFC 4180) with a head line and one line for each response. An apostrophe precedes what a
 * spreadsheet program would run as a formula.
 */
export async function* toCsv(
  pages: Pages,
  { names, cellsOf }: AnswerColumns,
  byteOrderMark: boolean,
): AsyncGenerator<string> {
  const head = [...COLUMNS, ...QUALITY_COLUMNS, ...names];
  yield (byteOrderMark ? BYTE_ORDER_MARK : '') + toLines([head]);
  const atOnce = Math.max(1, Math.floor(CELLS_MAXIMUM / head.length));
  for await (const rows of pages) {
    for (let first = 0; first < rows.length; first += atOnce) {
      yield toLines(
        rows
          .slice(first, first + atOnce)
          .map((row) => [
            ...COLUMNS.map((name) => plain(row[name])),
            ...QUALITY_COLUMNS.map((name) => plain(row.quality?.[name] ?? null)),
            ...cellsOf(row.answers, row.version),
          ]),
      );
    }
  }
}

function plain(value: Cell | Date | readonly string[]): Cell {
  if (value instanceof Date) {
    return value.toISOString();
  }
  return typeof value === 'object' && value !== null ? value.join(', ') : value;
}

function toLines(rows: Cell[][]): string {
  return stringify(rows, {
    escape_formulas: true,
    cast: { string: (text) => text.replace(INNER_FORMULA, "$1'$2") },
    record_delimiter: 'windows',
    // Also a text with only one half of the delimiter, which programs read as a line end.
    quote_record_delimiter: true,
  });
}
