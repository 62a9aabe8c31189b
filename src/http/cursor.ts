import { createHash } from 'node:crypto';
import { ApiError } from './api-error';

/** Where a list is to go on, and which list that was. */
interface CursorContent {
  /** The last item's sort key: whole numbers in digits, or identifiers. */
  after: readonly string[];
  /** Fingerprint of the list's filters. */
  list: string;
}

/** What a part of a sort key can be. Nothing else gets from a cursor into a statement. */
const SORT_KEY_PARTS = {
  number: /^\d{1,18}$/,
  identifier: /^[a-z]{1,10}_[0-9a-z]{26}$/,
} as const;

type SortKeyPart = keyof typeof SORT_KEY_PARTS;

function fingerprint(filters: unknown): string {
  return createHash('sha256').update(JSON.stringify(filters)).digest('base64url').slice(0, 16);
}

/** One page of a list. */
export interface Page<T> {
  items: T[];
  /** Where the next page begins; `null` behind the last. */
  nextCursor: string | null;
}

/**
 * Cuts a page from one row more than it may have, which tells whether there is a next one.
 *
 * @param rows at most `limit + 1`
 * @param sortKey the sort key of a row
 * @param filters whatever makes the list the one it is; its cursors work for no other
 */
export function cutPage<T>(
  rows: readonly T[],
  limit: number,
  sortKey: (row: T) => readonly string[],
  filters: unknown,
): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { items, nextCursor: hasMore ? writeCursor(sortKey(last), filters) : null };
}

/**
 * An opaque cursor behind the item with this sort key.
 *
 * @param filters whatever makes the list the one it is; the cursor works for no other
 */
function writeCursor(after: readonly string[], filters: unknown): string {
  const content: CursorContent = { after, list: fingerprint(filters) };
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

/**
 * The sort key in a cursor.
 *
 * @param parts what the list's sort key is made of
 * @throws ApiError `validation_failed` if it is damaged or was made for another list
 */
export function readCursor(
  cursor: string,
  filters: unknown,
  parts: readonly SortKeyPart[],
): readonly string[] {
  const content = parse(cursor, parts);
  if (content === undefined) {
    throw badCursor('invalid_cursor', 'cursor is not one that a list answered.');
  }
  if (content.list !== fingerprint(filters)) {
    throw badCursor('cursor_mismatch', 'cursor was answered by a list with other filters.');
  }
  return content.after;
}

function parse(cursor: string, parts: readonly SortKeyPart[]): CursorContent | undefined {
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  const { after, list } = (content ?? {}) as Partial<Record<keyof CursorContent, unknown>>;
  return Array.isArray(after) &&
    after.length === parts.length &&
    parts.every((part, index) => isPart(part, after[index])) &&
    typeof list === 'string'
    ? { after: after as string[], list }
    : undefined;
}

function isPart(part: SortKeyPart, value: unknown): boolean {
  return typeof value === 'string' && SORT_KEY_PARTS[part].test(value);
}

function badCursor(code: string, message: string): ApiError {
  return new ApiError('validation_failed', message, [{ field: 'cursor', code, message }]);
}
