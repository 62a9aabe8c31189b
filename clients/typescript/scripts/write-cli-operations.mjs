/*
 * Writes cli/operations.ts: what `campaign api` knows of each operation of openapi.json. The first
 * argument names another file to write instead.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

const document = JSON.parse(readFileSync(at('../../../openapi.json'), 'utf8'));
const { version } = JSON.parse(readFileSync(at('../package.json'), 'utf8'));

/** Follows a reference; what stands beside it wins. */
function resolve({ $ref, ...beside }) {
  if ($ref === undefined) {
    return beside;
  }
  const target = $ref
    .slice(2)
    .split('/')
    .reduce((part, name) => part[name], document);
  return { ...resolve(target), ...beside };
}

/** The types that a value can have, as JSON Schema names them. */
function typesOf(schema) {
  const { type, anyOf, oneOf } = resolve(schema);
  const types = type ?? (anyOf ?? oneOf ?? []).flatMap(typesOf);
  return [...new Set([types].flat())];
}

/** The first sentence of a description. */
const firstSentence = (text = '') =>
  (/^[^]*?(?:[.:;](?=\s|$)|$)/.exec(text)?.[0] ?? '').replace(/[:;]$/, '.').replace(/\s+/g, ' ');

/** The fields of a body. Of several variants, it has all fields, and requires what each requires. */
function bodyFields(schema) {
  const { properties = {}, required = [], oneOf = [], allOf = [] } = resolve(schema);
  const variants = oneOf.map(bodyFields);
  const inSome = Object.entries(Object.assign({}, ...variants)).map(
    ([name, [place, types, , meaning]]) => {
      const isRequired = variants.every((fields) => fields[name]?.[2] === true);
      return [name, [place, types, isRequired, meaning]];
    },
  );
  const own = Object.entries(properties).map(([name, field]) => {
    const meaning = firstSentence(resolve(field).description);
    return [name, ['body', typesOf(field).join('|'), required.includes(name), meaning]];
  });
  return Object.assign(
    Object.fromEntries(inSome),
    ...allOf.map(bodyFields),
    Object.fromEntries(own),
  );
}

function fieldsOf({ parameters = [], requestBody }) {
  const given = parameters
    .map(resolve)
    .filter((parameter) => parameter.in !== 'header')
    .map(({ name, in: place, required = false, description, schema }) => [
      name,
      [place, typesOf(schema).join('|'), required, firstSentence(description)],
    ]);
  const schema = requestBody?.content['application/json'].schema;
  return { ...Object.fromEntries(given), ...(schema && bodyFields(schema)) };
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { operationId }]) => operationId !== undefined)
    .map(([method, operation]) => {
      const { operationId, security = document.security ?? [], tags, summary } = operation;
      const [credential = null] = security.flatMap(Object.keys);
      const [type] = Object.keys(resolve(operation.responses[200]).content);
      const route = { method: method.toUpperCase(), path, credential, tag: tags[0], summary };
      const isFile = type !== 'application/json';
      return [operationId, { ...route, isFile, fields: fieldsOf(operation) }];
    }),
);

const lines = operations
  .toSorted(([one], [other]) => (one < other ? -1 : 1))
  .map(([name, route]) => `  ${name}: ${JSON.stringify(route)},\n`);

writeFileSync(
  process.argv[2] ?? at('../cli/operations.ts'),
  `/**
 * This file was generated from openapi.json and package.json by \`npm run client\`.
 * Do not edit it.
 */

/** The version of this package. */
export const VERSION = '${version}';

/** A field of a request: where it stands, its types, whether it is required, and its meaning. */
export type Field = readonly [
  place: 'path' | 'query' | 'body',
  types: string,
  isRequired: boolean,
  meaning: string,
];

export interface OperationRoute {
  method: string;
  path: string;
  credential: 'account_token' | 'api_key' | 'platform_key' | null;
  tag: string;
  summary: string;
  /** Whether it returns a file. */
  isFile: boolean;
  fields: Readonly<Record<string, Field>>;
}

/** The operations of the service. */
export const OPERATIONS: Readonly<Record<string, OperationRoute>> = {
${lines.join('')}};
`,
);
