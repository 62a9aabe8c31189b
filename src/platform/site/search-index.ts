import type MiniSearch from 'minisearch';
import type { Query } from 'minisearch';
import { ERROR_ADVICE, ERROR_STATUS, ErrorCode } from '../protocol/error-codes';
import { turns } from '../limits/turns';
import type { Topic } from '../openapi/document-content';
import type { Schema } from '../openapi/json-schema';
import { Field, fieldId, Shape } from './fields';
import { sectionsOf, slug } from './markdown';
import { dataSchema, parameterFields, PlacedOperation, requestSchema } from './operation';
import type { Resource } from './reference-pages';
import type { SiteDocument } from './site-documents';

export const KINDS = ['Operations', 'Fields', 'Error codes', 'Guides'] as const;

/** What a search finds. */
export interface Entry {
  kind: (typeof KINDS)[number];
  title: string;
  url: string;
  /** What surrounds it: an operation or a document. */
  place: string;
}

interface IndexedEntry extends Entry {
  text: string;
}

/** The most characters of a query that count. */
const MAXIMUM_QUERY = 100;

/** The most words of a query that count. */
export const MAXIMUM_WORDS = 8;

/** Words that say nothing about what someone looks for. */
const IGNORED = new Set(
  'a an and are can do does for how i in is it my of on or the to'.split(' '),
);

/** What others call it, and the words of this service. */
export const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  callback: ['webhook'],
  cancel: ['stop', 'archive', 'revoke', 'abandon'],
  clone: ['duplicate'],
  copy: ['duplicate'],
  delete: ['archive', 'revoke', 'erase'],
  download: ['export'],
  edit: ['update'],
  login: ['log'],
  participant: ['respondent'],
  pause: ['stop'],
  pay: ['reward'],
  publish: ['start'],
  refund: ['reverse'],
  remove: ['delete', 'archive', 'revoke', 'erase'],
  resume: ['start'],
  signup: ['register'],
  stats: ['results'],
  undo: ['reverse', 'unarchive'],
  user: ['respondent'],
};

function operationEntries(url: string, placed: PlacedOperation): IndexedEntry[] {
  const { fields, method, path, operation } = placed;
  const id = operation.operationId;
  const entry = (field: Field, parent: string, part: string): IndexedEntry[] => [
    {
      kind: 'Fields',
      title: field.name,
      url: `${url}#${fieldId(parent, field.name)}`,
      place: `${operation.summary}, ${part}`,
      text: field.description,
    },
    ...shapeEntries(field.within, fieldId(parent, field.name), part),
  ];
  const shapeEntries = (shape: Shape, parent: string, part: string): IndexedEntry[] => [
    ...shape.fields.flatMap((field) => entry(field, parent, part)),
    ...shape.variants.flatMap((variant) =>
      variant.fields.flatMap((field) => entry(field, fieldId(parent, variant.name), part)),
    ),
  ];
  const part = (name: string, schema: Schema = {}) =>
    shapeEntries(fields.shapeAt(`${id}.${name}`, schema), `${id}.${name}`, name);
  return [
    {
      kind: 'Operations',
      title: operation.summary,
      url: `${url}#${id}`,
      place: `${method.toUpperCase()} ${path}`,
      text: `${id} ${operation.description ?? ''}`,
    },
    ...parameterFields(placed).flatMap((field) => entry(field, `${id}.parameter`, 'parameter')),
    ...part('request', requestSchema(placed)),
    ...part('response', dataSchema(placed)),
  ];
}

/** Lists everything on the site, in parts, because all of it takes a second. */
function* entriesOf(
  resources: readonly Resource[],
  topics: readonly Topic[],
  documents: readonly SiteDocument[],
): Generator<IndexedEntry[]> {
  for (const { url, operations } of resources) {
    for (const placed of operations) {
      yield operationEntries(url, placed);
    }
  }
  const codes = Object.entries(ERROR_STATUS) as [ErrorCode, number][];
  yield codes.map(([code, status]) => ({
    kind: 'Error codes',
    title: code,
    url: `/guides/errors#${code}`,
    place: `status ${status}`,
    text: ERROR_ADVICE[code],
  }));
  yield topics.map(({ name, description }) => ({
    kind: 'Guides',
    title: name,
    url: `/reference/basics#${slug(name)}`,
    place: 'Basics',
    text: description,
  }));
  for (const document of documents) {
    yield sectionsOf(document.text).map(({ level, id, title, text }) => ({
      kind: 'Guides',
      title,
      url: level === 1 ? document.url : `${document.url}#${id}`,
      place: level === 1 ? 'Guide' : document.title,
      text,
    }));
  }
}

const wordsOf = (text: string): string[] =>
  text.split(/[^\p{Letter}\p{Number}]+/u).filter((word) => word !== '');

export type SearchIndex = MiniSearch<IndexedEntry>;

/** Indexes everything on the site, in turns. */
export async function makeIndex(...sources: Parameters<typeof entriesOf>): Promise<SearchIndex> {
  // Loaded with the first search: most processes never see one.
  const { default: MiniSearch } = await import('minisearch');
  const index = new MiniSearch<IndexedEntry>({
    idField: 'url',
    fields: ['title', 'place', 'text'],
    storeFields: ['kind', 'title', 'url', 'place'] satisfies (keyof Entry)[],
    tokenize: wordsOf,
    searchOptions: {
      boost: { title: 5 },
      prefix: (word) => word.length > 2,
      fuzzy: (word) => (word.length > 3 ? 0.2 : false),
      maxFuzzy: 2,
    },
  });
  for (const entries of entriesOf(...sources)) {
    index.addAll(entries);
    await turns.next();
  }
  return index;
}

/** The words of a query that a search looks for, and whether the query has more. */
export function searchedWords(query: string): { words: string[]; isCut: boolean } {
  const all = new Set(wordsOf(query.slice(0, MAXIMUM_QUERY).toLowerCase()));
  const words = [...all].filter((word) => !IGNORED.has(word));
  return { words: words.slice(0, MAXIMUM_WORDS), isCut: words.length > MAXIMUM_WORDS };
}

/** Finds entries that contain all of these words or the like, the best first. */
export function find(index: SearchIndex, words: readonly string[]): Entry[] {
  const queries = words.map((word): Query => ({
    combineWith: 'OR',
    queries: [word, ...(SYNONYMS[word] ?? [])],
  }));
  return index.search({ combineWith: 'AND', queries }) as unknown as Entry[];
}

/** The most results of each kind that a program gets: it reads pages, in which it finds fields. */
const BEST: Readonly<Record<Entry['kind'], number>> = {
  Guides: 6,
  Operations: 5,
  'Error codes': 2,
  Fields: 3,
};

/** Finds what matches a query best, for a program. */
export function findBest(index: SearchIndex, query: string): Entry[] {
  const { words } = searchedWords(query);
  const found = words.length === 0 ? [] : find(index, words);
  return (Object.entries(BEST) as [Entry['kind'], number][]).flatMap(([kind, most]) =>
    found
      .filter((entry) => entry.kind === kind)
      .slice(0, most)
      .map(({ title, url, place }) => ({ kind, title, url, place })),
  );
}
