import type { Json } from '../../platform/openapi/json-schema';

/** The most bytes of a result as JSON: what a model reads at once without losing the thread. */
export const RESULT_MAXIMUM = 8_000;

/** What the items of a page may take, so that there is room for what is beside them. */
const PAGE_MAXIMUM = 6_500;

/** How many items the first request of a page asks for. */
const PAGE_LIMIT = 20;

/** What is left of texts and lists that are cut, the mildest cut first. */
const CUTS = [
  { characters: 2_000, items: 100 },
  { characters: 500, items: 100 },
  { characters: 200, items: 50 },
  { characters: 80, items: 30 },
  { characters: 80, items: 12 },
  { characters: 40, items: 5 },
  { characters: 30, items: 2 },
] as const;

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** A page of a tool. */
export interface ToolPage {
  items: unknown[];
  /** Absent on the last page. */
  next_cursor?: string;
}

/** Returns a value of at most so many bytes: as it is, or with its texts and lists cut. */
export function fit(value: object, maximum = RESULT_MAXIMUM): object {
  for (const cut of [undefined, ...CUTS]) {
    const left = cut === undefined ? value : (shorten(value, cut) as object);
    if (sizeOf(left) <= maximum) {
      return left;
    }
  }
  return { left_out: 'This is too large for a tool. Read it with the REST API or the SDK.' };
}

function shorten(value: unknown, cut: (typeof CUTS)[number]): unknown {
  if (typeof value === 'string') {
    const characters = [...value];
    const left = characters.length - cut.characters;
    return left <= 0
      ? value
      : `${characters.slice(0, cut.characters).join('')}… (${left} characters left out)`;
  }
  if (Array.isArray(value)) {
    const kept: unknown[] = value.slice(0, cut.items).map((item) => shorten(item, cut));
    const left = value.length - kept.length;
    return left === 0 ? kept : [...kept, { left_out: left }];
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, each]) => [name, shorten(each, cut)]);
    return Object.fromEntries(entries) as Json;
  }
  return value;
}

/** Returns how many of these items a page has room for. */
function countFitting(items: readonly unknown[], maximum: number): number {
  let size = 2;
  const index = items.findIndex((item) => {
    size += sizeOf(item) + 1;
    return size > maximum;
  });
  return index === -1 ? items.length : index;
}

/** Returns the part of a list that begins at a cursor and fits into a result. */
export function partOf(list: readonly unknown[], cursor = '0', maximum = PAGE_MAXIMUM): ToolPage {
  const start = /^\d{1,9}$/.test(cursor) ? Number(cursor) : 0;
  const rest = list.slice(start);
  const count = Math.max(1, countFitting(rest, maximum));
  const items = rest.slice(0, count).map((item) => cutItem(item, maximum));
  return start + count < list.length ? { items, next_cursor: String(start + count) } : { items };
}

/**
 * Returns a page of a list of the service that fits into a result: it asks again for fewer items
 * until they do.
 *
 * @param read reads a page of at most so many items
 * @param show returns what the result has of an item
 */
export async function fittingPage(
  read: (limit: number) => Promise<{ items: Json[]; next: string | undefined }>,
  show: (item: Json) => unknown = (item) => item,
  maximum = PAGE_MAXIMUM,
): Promise<ToolPage> {
  for (let limit = PAGE_LIMIT; ;) {
    const { items, next } = await read(limit);
    const shown = items.map(show);
    const count = Math.max(1, countFitting(shown, maximum));
    if (count >= shown.length) {
      const fitting = shown.map((item) => cutItem(item, maximum));
      return next === undefined ? { items: fitting } : { items: fitting, next_cursor: next };
    }
    limit = Math.min(count, limit - 1);
  }
}

const cutItem = (item: unknown, maximum: number): unknown =>
  typeof item === 'object' && item !== null ? fit(item, maximum) : item;

/** Returns the items of a page of the service, and the cursor of the next one. */
export function pageOf({ items, next_cursor: next }: Json): {
  items: Json[];
  next: string | undefined;
} {
  return { items: items as Json[], next: typeof next === 'string' ? next : undefined };
}
