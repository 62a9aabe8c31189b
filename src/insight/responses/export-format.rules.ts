import { createHash } from 'node:crypto';
import { stringify } from 'csv-stringify/sync';
import { turns } from '../../platform/limits/turns';
import type { QualityDto } from '../../fielding/quality/quality.dto';
import type { AnswerColumns } from './export-columns.rules';
import type { Cell } from './question-columns.rules';
import type { ExportedResponseDto } from './export.dto';

/** The numbers of the events that an export accounts for. */
export interface Covered {
  from: number;
  to: number;
}

/** Pages whose responses are made when they are asked for. */
type Pages = AsyncIterable<Iterable<ExportedResponseDto>>;

/** The bytes that tell a spreadsheet program that a text is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** About how many characters of JSON are written in one turn of the event loop. */
const LENGTH_AT_ONCE = 65_536;

/** One JSON object a line. The last line tells what all lines before it are. */
export async function* toNdjson(pages: Pages, covers: Covered): AsyncGenerator<string> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const rows of pages) {
    let lines = '';
    for (const row of rows) {
      lines += `${JSON.stringify(row)}\n`;
      count += 1;
      if (lines.length >= LENGTH_AT_ONCE) {
        hash.update(lines);
        yield lines;
        lines = '';
        await turns.next();
      }
    }
    hash.update(lines);
    yield lines;
  }
  yield `${JSON.stringify({ covers, count, sha256: hash.digest('hex') })}\n`;
}

/** About how many cells are written in one turn of the event loop: a few milliseconds of work. */
const CELLS_AT_ONCE = 1_000;

/** Everything about a response besides its answers, in the order of the columns. */
export const COLUMNS = [
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
export const QUALITY_COLUMNS = [
  'answer_percentile',
  'longest_run',
  'compared_answers',
  'consistency',
  'text_repeats',
  'flags',
] as const satisfies (keyof QualityDto)[];

/** The column after those, of a campaign that has or had targeting. */
const QUOTA_COLUMNS = ['quotas'] as const satisfies (keyof ExportedResponseDto)[];

/**
 * Where a spreadsheet program may begin a cell: at the start, and with another delimiter than the
 * comma, after a semicolon, a pipe, a tab or a line end. It may skip quotes, spaces and what is
 * invisible, such as zero-width characters and marks of direction. A match takes all of them, so
 * that a long row of delimiters is read once, and ends with the first character of a formula.
 */
const CELL_START =
  /(?:^|[;|\t\r\n])[;|"\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠]?/gu;

const FORMULA = /[=+\-@＝＋－＠]$/;

/** Puts an apostrophe before each character with which a formula could begin. */
const escapeFormulas = (text: string): string =>
  text.replace(CELL_START, (start) => start.replace(FORMULA, "'$&"));

/**
 * A CSV (RFC 4180) with a head line and one line for each response. An apostrophe precedes what a
 * spreadsheet program would run as a formula. A part of the table is written in each turn of the
 * event loop.
 */
export async function* toCsv(
  pages: Pages,
  columns: AnswerColumns,
  { byteOrderMark, hasQuotas }: { byteOrderMark: boolean; hasQuotas: boolean },
): AsyncGenerator<string> {
  const quotas = hasQuotas ? QUOTA_COLUMNS : [];
  if (byteOrderMark) {
    yield BYTE_ORDER_MARK;
  }
  yield* afterTurns(toText([[...COLUMNS, ...QUALITY_COLUMNS, ...quotas, ...columns.takeNames()]]));
  for await (const responses of pages) {
    yield* afterTurns(toText(toRows(responses, columns, quotas)));
  }
}

/** Lets others work between two texts, even if the reader takes all of them at once. */
export async function* afterTurns(texts: Iterable<string>): AsyncGenerator<string> {
  for (const text of texts) {
    yield text;
    await turns.next();
  }
}

function* toRows(
  responses: Iterable<ExportedResponseDto>,
  columns: AnswerColumns,
  quotas: readonly 'quotas'[],
): Generator<Cell[]> {
  for (const response of responses) {
    yield [
      ...COLUMNS.map((name) => plain(response[name])),
      ...QUALITY_COLUMNS.map((name) => plain(response.quality?.[name] ?? null)),
      ...quotas.map((name) => plain(response[name] ?? null)),
      ...columns.cellsOf(
        response.answers,
        response.version,
        response.not_shown ?? [],
        response.not_shown_options,
      ),
    ];
  }
}

/** A value as a cell has it. */
export function plain(value: Cell | Date | readonly string[]): Cell {
  if (value instanceof Date) {
    return value.toISOString();
  }
  return typeof value === 'object' && value !== null ? value.join(', ') : value;
}

/** The lines of rows, in texts of about as many cells as are written at once. */
export function* toText(rows: Iterable<Cell[]>): Generator<string> {
  let text = '';
  let count = 0;
  for (const row of rows) {
    for (let first = 0; first < row.length; first += CELLS_AT_ONCE) {
      const cells = row.slice(first, first + CELLS_AT_ONCE);
      text += toCells(cells) + (first + cells.length < row.length ? ',' : '\r\n');
      count += cells.length;
      if (count >= CELLS_AT_ONCE) {
        yield text;
        text = '';
        count = 0;
      }
    }
  }
  if (count > 0) {
    yield text;
  }
}

/** A line without its end, or a part of one. */
function toCells(cells: Cell[]): string {
  return stringify([cells], {
    eof: false,
    escape_formulas: true,
    cast: { string: escapeFormulas },
    record_delimiter: 'windows',
    // Also a text with only one half of the delimiter, which programs read as a line end.
    quote_record_delimiter: true,
  });
}
