/*
 * Writes src/operations.ts: how to call each operation of openapi.json. The first argument names
 * another file to write instead.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

const {
  paths,
  components,
  security: everywhere = [],
} = JSON.parse(readFileSync(at('../../../openapi.json'), 'utf8'));

const { version } = JSON.parse(readFileSync(at('../package.json'), 'utf8'));

const entries = Object.entries(paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => operationId !== undefined)
      .map(([method, { operationId, security = everywhere }]) => {
        const [credential = null] = security.flatMap(Object.keys);
        const route = [method.toUpperCase(), path, credential].map((each) => JSON.stringify(each));
        return `  ${operationId}: [${route.join(', ')}],\n`;
      }),
  )
  .sort();

const credentials = Object.keys(components.securitySchemes).map((name) => `'${name}'`);

writeFileSync(
  process.argv[2] ?? at('../src/operations.ts'),
  `/**
 * This file was generated from openapi.json and package.json by \`npm run client\`.
 * Do not edit it.
 */
import type { operations } from './schema.js';

/** The version of this package. */
export const VERSION = '${version}';

/** The kind of credential that a request is sent with. */
export type Scheme = ${credentials.join(' | ')};

export type Route = readonly [method: string, path: string, credential: Scheme | null];

/** The operations of the service; those of webhooks are the client's own. */
export const OPERATIONS = {
${entries.join('')}} satisfies Partial<Record<keyof operations, Route>>;
`,
);
