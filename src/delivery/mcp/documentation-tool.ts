import type { Json } from '../../platform/openapi/json-schema';
import { slug } from '../../platform/site/markdown';
import { ToolError } from './tool-error';
import { argumentsOf, CURSOR, defineTool, READS, ToolCall } from './tool.types';

interface Arguments {
  query?: string;
  page?: string;
  cursor?: string;
}

/** Characters of a page in one result. */
const PART = 5_000;

/** The address of a page of the site, perhaps with a fragment. */
const PAGE = /^(\/(?:guides|reference)(?:\/[\w-]+)*)(?:\.md)?(?:#([\w.-]+))?$/;

async function search({ requests }: ToolCall, query: string): Promise<object> {
  const found = (await requests.page('/reference/search', { q: query })) ?? '[]';
  const results = JSON.parse(found) as Json[];
  return {
    results,
    ...(results.length === 0 ? { hint: 'Nothing has all of these words: use fewer.' } : {}),
  };
}

/** Returns a part of a page as Markdown: from the fragment or the cursor on. */
async function read({ requests }: ToolCall, address: string, cursor?: string): Promise<object> {
  const [, url, fragment] = PAGE.exec(address) ?? [];
  const text = url === undefined ? undefined : await requests.page(`${url}.md`);
  if (text === undefined) {
    const message = 'There is no such page. Take a url that a search returned.';
    throw new ToolError({ code: 'route_not_found', message });
  }
  const start = cursor === undefined ? startOf(text, fragment) : Number(cursor) || 0;
  const end = start + PART;
  const part = { page: url, text: text.slice(start, end) };
  return end < text.length ? { ...part, next_cursor: String(end) } : part;
}

/**
 * Returns where the part of a page begins that a fragment names: at the heading, or at the
 * operation or the row of a table with that name; 0 if the page has none.
 */
function startOf(text: string, fragment = ''): number {
  const [name = ''] = fragment.split('.');
  const lines = text.split('\n');
  const heading = lines.findIndex((line) => {
    const [, title] = /^#+ (.*)$/.exec(line) ?? [];
    return title !== undefined && slug(title) === fragment;
  });
  const row = lines.findIndex((line) => /^[|`]/.test(line) && line.includes(`\`${name}\``));
  const index = heading === -1 ? row : heading;
  return index <= 0 ? 0 : lines.slice(0, index).join('\n').length + 1;
}

/** Searches the documentation site, and reads its pages. */
export const documentationTool = defineTool<Arguments>({
  name: 'search_documentation',
  title: 'Search the documentation',
  description:
    'With query: finds operations, fields, error codes and guides. With page: returns the page ' +
    'at a url that a search returned, as Markdown, from its fragment on; the rest by cursor.',
  annotations: READS,
  scopes: [],
  input: argumentsOf({
    query: { type: 'string', maxLength: 100, description: 'One to four words.' },
    page: { type: 'string', maxLength: 200, description: 'Such as /guides/money#approvals.' },
    ...CURSOR,
  }),
  run: ({ query = '', page, cursor }, call) =>
    page === undefined ? search(call, query) : read(call, page, cursor),
});
