import { createHash } from 'node:crypto';
import { fieldError } from './api-error';

/** Where a list continues, and which list it is. */
interface CursorContent {
  /** The last item's sort key: whole numbers as digits, or identifiers. */
  after: readonly string[];
  /** Fingerprint of the list's filters. */
  list: string;
}

/** The valid parts of a sort key. Nothing else gets from a cursor into a statement. */
const SORT_KEY_PARTS = {
  number: /^\d{1,18}$/,
  identifier: /^[a-z]{1,10}_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
} as const;

type SortKeyPart = keyof typeof SORT_KEY_PARTS;

function fingerprint(filters: unknown): string {
  return createHash('sha256').update(JSON.stringify(filters)).digest('base64url').slice(0, 16);
}

/** One page of a list. */
export interface Page<T> {
  items: T[];
  /** Cursor of the next page; `null` on the last page. */
  nextCursor: string | null;
}

/**
 * Cuts a page from its rows. A row beyond the limit shows that there is a next page.
 *
 * @param rows with at least one beyond the limit if there is one
 * @param sortKey returns the sort key of a row
 * @param filters everything that identifies the list; its cursors are valid for no other list
 * @param found the number of rows before the statement cut the page to its size in bytes
 */
export function cutPage<T>(
  rows: readonly T[],
  limit: number,
  sortKey: (row: T) => readonly string[],
  filters: unknown,
  found = rows.length,
): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const hasMore = found > items.length;
  return { items, nextCursor: last && hasMore ? writeCursor(sortKey(last), filters) : null };
}

/**
 * Cuts a page from its rows, of which those of a `scannedPage` have two columns more. If that
 * statement stopped reading before the page was full, the next page continues there.
 */
export function cutScannedPage<T extends { matches?: boolean; is_last?: boolean }>(
  rows: readonly T[],
  limit: number,
  sortKey: (row: T) => readonly string[],
  filters: unknown,
): Page<T> {
  const matching = rows.filter(({ matches = true }) => matches);
  const page = cutPage(matching, limit, sortKey, filters);
  const last = rows.at(-1);
  return page.nextCursor === null && last?.is_last === true
    ? { ...page, nextCursor: writeCursor(sortKey(last), filters) }
    : page;
}

/** Returns an opaque cursor for the position after the item with this sort key. */
export function writeCursor(after: readonly string[], filters: unknown): string {
  const content: CursorContent = { after, list: fingerprint(filters) };
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

/**
 * Returns the sort key in a cursor; without a cursor, it has no parts.
 *
 * @param parts the kinds of the parts of the list's sort key
 * @throws ApiError `validation_failed` if the cursor is damaged or belongs to another list
 */
export function readCursor(
  cursor: string | undefined,
  filters: unknown,
  parts: readonly SortKeyPart[],
): readonly string[] {
  if (cursor === undefined) {
    return [];
  }
  const content = parse(cursor, parts);
  if (content === undefined) {
    throw fieldError('cursor', 'invalid_cursor', 'cursor was not returned by this list.');
  }
  if (content.list !== fingerprint(filters)) {
    throw fieldError('cursor', 'cursor_mismatch', 'cursor belongs to a list with other filters.');
  }
  return content.after;
}

/** PostgreSQL's largest bigint, greater than every identifier. */
export const LAST_ID = '9223372036854775807';

/** Returns a time as a part of a sort key. */
export function toTimeKey(time: Date): string {
  return String(time.getTime());
}

/** Reads a time from a sort key. Thirteen digits of milliseconds last until the year 2286. */
export function fromTimeKey(key = ''): Date {
  return new Date(Number(key.slice(0, 13)));
}

/** PostgreSQL's largest integer, greater than every version. */
const VERSION_MAXIMUM = 2_147_483_647;

/**
 * Returns the version before which a list of versions, newest first, continues. Without a cursor it
 * is greater than every version.
 *
 * @throws ApiError `validation_failed` if the cursor is damaged or belongs to another list
 */
export function readVersionCursor(cursor: string | undefined, filters: unknown): number {
  const [before = VERSION_MAXIMUM] = readCursor(cursor, filters, ['number']);
  return Math.min(Number(before), VERSION_MAXIMUM);
}

function parse(cursor: string, parts: readonly SortKeyPart[]): CursorContent | undefined {
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  const { after, list } = (content ?? {}) as Partial<Record<keyof CursorContent, unknown>>;
  const isPart = (part: SortKeyPart, value: unknown) =>
    typeof value === 'string' && SORT_KEY_PARTS[part].test(value);
  return Array.isArray(after) &&
    after.length === parts.length &&
    parts.every((part, index) => isPart(part, after[index])) &&
    typeof list === 'string'
    ? { after: after as string[], list }
    : undefined;
}
