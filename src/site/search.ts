import { ERROR_ADVICE, ERROR_STATUS, ErrorCode } from '../http/error-codes';
import type { Topic } from '../openapi/document-content';
import { fieldId } from './field-list';
import type { Field, Shape } from './fields';
import { html, Html } from './html';
import { sectionsOf, slug } from './markdown';
import { dataSchema, parameterFields, PlacedOperation, requestSchema } from './operation';
import type { Resource } from './reference-pages';
import type { SiteDocument } from './site-documents';

const KINDS = ['Operations', 'Fields', 'Error codes', 'Guides'] as const;

interface Entry {
  kind: (typeof KINDS)[number];
  title: string;
  url: string;
  /** What surrounds it: an operation or a document. */
  place: string;
  text: string;
}

/** The results that are shown of each kind. */
const SHOWN = 12;

/** The most characters of a query that count. */
const MAXIMUM_QUERY = 100;

/** The most words of a query that count. */
const MAXIMUM_WORDS = 8;

function operationEntries(url: string, placed: PlacedOperation): Entry[] {
  const { fields, method, path, operation } = placed;
  const id = operation.operationId;
  const entry = (field: Field, parent: string, part: string): Entry[] => [
    {
      kind: 'Fields',
      title: field.name,
      url: `${url}#${fieldId(parent, field.name)}`,
      place: `${operation.summary}, ${part}`,
      text: field.description,
    },
    ...shapeEntries(field.within, fieldId(parent, field.name), part),
  ];
  const shapeEntries = (shape: Shape, parent: string, part: string): Entry[] => [
    ...shape.fields.flatMap((field) => entry(field, parent, part)),
    ...shape.variants.flatMap((variant) =>
      variant.fields.flatMap((field) =>
        entry(field, `${parent}.${variant.name.replaceAll(' ', '-')}`, part),
      ),
    ),
  ];
  return [
    {
      kind: 'Operations',
      title: operation.summary,
      url: `${url}#${id}`,
      place: `${method.toUpperCase()} ${path}`,
      text: `${id} ${operation.description ?? ''}`,
    },
    ...parameterFields(placed).flatMap((field) => entry(field, `${id}.parameter`, 'parameter')),
    ...shapeEntries(fields.shapeOf(requestSchema(placed) ?? {}), `${id}.request`, 'request'),
    ...shapeEntries(fields.shapeOf(dataSchema(placed) ?? {}), `${id}.response`, 'response'),
  ];
}

/** An entry with its texts in lower case. */
export interface Indexed {
  entry: Entry;
  name: string;
  rest: string;
}

const indexed = (entry: Entry): Indexed => ({
  entry,
  name: entry.title.toLowerCase(),
  rest: `${entry.place} ${entry.text}`.toLowerCase(),
});

/** Lists everything on the site, in parts, because all of it takes a second. */
export function* searchIndex(
  resources: readonly Resource[],
  topics: readonly Topic[],
  documents: readonly SiteDocument[],
): Generator<Indexed[]> {
  for (const { url, operations } of resources) {
    for (const placed of operations) {
      yield operationEntries(url, placed).map(indexed);
    }
  }
  const codes = Object.entries(ERROR_STATUS) as [ErrorCode, number][];
  yield [
    ...codes.map(([code, status]) => ({
      kind: 'Error codes' as const,
      title: code,
      url: `/guides/errors#${code}`,
      place: `status ${status}`,
      text: ERROR_ADVICE[code],
    })),
    ...topics.map(({ name, description }) => ({
      kind: 'Guides' as const,
      title: name,
      url: `/reference/basics#${slug(name)}`,
      place: 'Basics',
      text: description,
    })),
  ].map(indexed);
  for (const document of documents) {
    yield sectionsOf(document.text)
      .map(({ level, id, title, text }) => ({
        kind: 'Guides' as const,
        title,
        url: level === 1 ? document.url : `${document.url}#${id}`,
        place: level === 1 ? 'Guide' : document.title,
        text,
      }))
      .map(indexed);
  }
}

/** Finds entries that contain every one of these words, the best first. */
function find(index: readonly Indexed[], wanted: string, words: readonly string[]): Entry[] {
  if (words.length === 0) {
    return [];
  }
  return index
    .map((each) => ({ entry: each.entry, score: scoreOf(each, wanted, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
}

function scoreOf({ name, rest }: Indexed, wanted: string, words: readonly string[]): number {
  if (!words.every((word) => name.includes(word) || rest.includes(word))) {
    return 0;
  }
  const inTitle = words.filter((word) => name.includes(word)).length;
  return 1 + inTitle * 10 + (name === wanted ? 100 : name.startsWith(wanted) ? 50 : 0);
}

/** Shows what a query finds. */
export function searchResults(index: readonly Indexed[], query: string): Html {
  const wanted = query.slice(0, MAXIMUM_QUERY).toLowerCase().trim();
  const words = [...new Set(wanted.split(/\s+/))].filter((word) => word !== '');
  const found = find(index, wanted, words.slice(0, MAXIMUM_WORDS));
  const groups = KINDS.map((kind) => [kind, found.filter((entry) => entry.kind === kind)] as const);
  const item = ({ title, url, place }: Entry) =>
    html`<li><a href="${url}">${title}</a> <span class="type">${place}</span></li> `;
  return html`<h1>Search</h1>
    <p>
      ${
        query.trim() === ''
          ? 'Search for operations, fields, error codes and guides.'
          : found.length === 0
            ? html`Nothing contains all of <b>${query}</b>.`
            : html`Results for <b>${query}</b>.`
      }
      ${words.length > MAXIMUM_WORDS && `Only the first ${MAXIMUM_WORDS} different words count.`}
    </p>
    ${groups
      .filter(([, entries]) => entries.length > 0)
      .map(
        ([kind, entries]) =>
          html`<h2>${kind}</h2>
            <ul class="results">
              ${entries.slice(0, SHOWN).map(item)}
            </ul>
            ${entries.length > SHOWN && html`<p>And ${entries.length - SHOWN} more: add a word.</p>`}`,
      )}`;
}
