import { readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { success } from '../protocol/envelope';
import { rootOf } from '../protocol/root-of';
import { addVary } from '../protocol/vary';
import { Asset, serveAsset } from './asset';
import type { DocumentContent } from './document-content';

/** Where the pages and the document are served. */
export const DOCS_PATH = 'docs';
const OPENAPI_PATH = 'openapi.json';
const ROOT = join(__dirname, '../../..');
const DOCUMENT_FILE = join(ROOT, OPENAPI_PATH);

/** The first hours with the service as workflows that a program can run (Arazzo). */
const WORKFLOWS_PATH = 'arazzo.json';

/** Values in the examples that the documentation page replaces, so that every example works. */
export interface PageExamples {
  /** Fields whose example stands for the value in the last response on the page. */
  latest: Readonly<Record<string, string>>;
  /** A field whose example stands for a new value each time the operation is sent. */
  fresh: { operation: string; field: string; value: string };
  /** Fields of bodies whose examples on the page have another value than in the document. */
  fixed: readonly { operation: string; field: string; value: string }[];
}

/** The page loads resources from the service only, and sends requests to it only. */
const PAGE_HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    // The viewer writes style attributes.
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
const HTML_TYPE = 'text/html; charset=utf-8';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const OWN = join(__dirname, 'pages');
const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));

/** The files beside the page. */
const FILES = [
  join(SWAGGER_UI, 'swagger-ui.css'),
  join(SWAGGER_UI, 'swagger-ui-bundle.js'),
  join(OWN, 'docs.css'),
  join(OWN, 'docs-access.js'),
  join(OWN, 'docs.js'),
  join(OWN, 'favicon.svg'),
];

/** Where a program that knows only the address of the service finds the rest (RFC 8631). */
const LINKS = `<${OPENAPI_PATH}>; rel="service-desc", <${DOCS_PATH}>; rel="service-doc"`;

/** Leads a browser to the documentation page, and tells a program where the document is. */
function serveRoot(fastify: FastifyInstance): void {
  fastify.get('/', (request, reply) => {
    void reply.header('link', LINKS);
    addVary(reply, 'accept');
    if (request.headers.accept?.includes('text/html') === true) {
      return reply.redirect(DOCS_PATH, 302);
    }
    const data = { openapi: `/${OPENAPI_PATH}`, docs: `/${DOCS_PATH}` };
    return reply.send(success('The OpenAPI document describes every operation.', data));
  });
}

/**
 * Serves the page that sends requests, the workflows of the first hours, and the OpenAPI document,
 * which it returns.
 */
export function serveDocumentation(
  fastify: FastifyInstance,
  { title }: Pick<DocumentContent, 'title'>,
  examples: PageExamples,
): OpenAPIObject {
  const document = JSON.parse(readFileSync(DOCUMENT_FILE, 'utf8')) as OpenAPIObject;
  serveRoot(fastify);
  const text = JSON.stringify(document);
  serveAsset(fastify, `/${OPENAPI_PATH}`, new Asset(JSON_TYPE, text), DOCUMENT_HEADERS);
  const workflows = new Asset(JSON_TYPE, () => readFileSync(join(ROOT, WORKFLOWS_PATH)));
  serveAsset(fastify, `/${WORKFLOWS_PATH}`, workflows, DOCUMENT_HEADERS);
  const template = readFileSync(join(OWN, 'docs.html'), 'utf8');
  for (const url of [`/${DOCS_PATH}`, `/${DOCS_PATH}/`]) {
    const page = fill(template, { title, examples: JSON.stringify(examples), root: rootOf(url) });
    serveAsset(fastify, url, new Asset(HTML_TYPE, page), PAGE_HEADERS);
  }
  for (const file of FILES) {
    const asset = new Asset(TYPES[extname(file)] ?? '', readFileSync(file));
    serveAsset(fastify, `/${DOCS_PATH}/${basename(file)}`, asset, PAGE_HEADERS);
  }
  return document;
}

/** Replaces each `{{name}}` in a page with its value, escaped for HTML. */
function fill(html: string, values: Readonly<Record<string, string>>): string {
  return html.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) =>
    (values[name] ?? '').replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
  );
}
