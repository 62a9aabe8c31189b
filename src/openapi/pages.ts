import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Asset, serveAsset } from './asset';
import type { DocumentContent } from './document-content';
import { createOpenApiDocument } from './openapi';
import { referenceDocument } from './reference-document';

/** Where the pages and the document are served. */
export const DOCS_PATH = 'docs';
const REFERENCE_PATH = 'reference';
const OPENAPI_PATH = 'openapi.json';

/** Values in the examples that the documentation page replaces, so that every example works. */
export interface PageExamples {
  /** Fields whose example stands for the value in the last response on the page. */
  latest: Readonly<Record<string, string>>;
  /** A field whose example stands for a new value each time the operation is sent. */
  fresh: { operation: string; field: string; value: string };
}

/** The pages load resources from the service only, and send requests to it only. */
const PAGE_HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    // Both viewers write style attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
} as const;

const DOCUMENT_HEADERS = { 'cache-control': 'no-cache' } as const;

const JSON_TYPE = 'application/json; charset=utf-8';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

const OWN = join(__dirname, 'pages');
const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));

/** The files of each page, beside its HTML. */
const FILES = {
  [DOCS_PATH]: [
    join(SWAGGER_UI, 'swagger-ui.css'),
    join(SWAGGER_UI, 'swagger-ui-bundle.js'),
    join(OWN, 'docs.css'),
    join(OWN, 'docs.js'),
    join(OWN, 'favicon.svg'),
  ],
  [REFERENCE_PATH]: [
    join(OWN, 'redoc.js'),
    join(OWN, 'redoc-search.js'),
    join(OWN, 'reference.css'),
    join(OWN, 'reference.js'),
  ],
} as const;

/** Serves the documentation page, the reference and the OpenAPI document. */
export async function serveDocumentation(
  app: NestFastifyApplication,
  content: DocumentContent,
  examples: PageExamples,
): Promise<void> {
  const fastify = app.getHttpAdapter().getInstance();
  const document = await createOpenApiDocument(app, content);
  const text = JSON.stringify(document);
  serveAsset(fastify, `/${OPENAPI_PATH}`, new Asset(JSON_TYPE, text), DOCUMENT_HEADERS);
  const reference = JSON.stringify(referenceDocument(document, content.topics));
  const referencePath = `/${REFERENCE_PATH}/${OPENAPI_PATH}`;
  serveAsset(fastify, referencePath, new Asset(JSON_TYPE, reference), DOCUMENT_HEADERS);
  for (const [path, files] of Object.entries(FILES)) {
    const page = fill(readFileSync(join(OWN, `${path}.html`), 'utf8'), {
      title: content.title,
      examples: JSON.stringify(examples),
    });
    for (const url of [`/${path}`, `/${path}/`]) {
      serveAsset(fastify, url, new Asset(TYPES.html ?? '', page), PAGE_HEADERS);
    }
    for (const file of files) {
      const [name = '', extension = ''] = /[^/\\]+\.(\w+)$/.exec(file) ?? [];
      const asset = new Asset(TYPES[extension] ?? '', readFileSync(file));
      serveAsset(fastify, `/${path}/${name}`, asset, PAGE_HEADERS);
    }
  }
}

/** Replaces each `{{name}}` in a page with its value, escaped for HTML. */
function fill(html: string, values: Readonly<Record<string, string>>): string {
  return html.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) =>
    (values[name] ?? '').replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
  );
}
