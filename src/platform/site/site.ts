import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { Asset, serveAsset } from '../openapi/asset';
import { AddressedPage } from './addressed-page';
import { turns } from '../limits/turns';
import { addVary } from '../protocol/vary';
import type { DocumentContent } from '../openapi/document-content';
import { firstGuides, guideChapters, guidePages } from './guide-pages';
import { Page, layOut, SEARCH_URL } from './layout';
import { guideTexts, homeTexts, llmsText, resourceTexts } from './markdown-pages';
import { basicsPage, homePage, resourcePages, resourcesOf } from './reference-pages';
import { SearchResults } from './search';
import { findBest, makeIndex, SearchIndex } from './search-index';
import { findPictures, readDocuments, readPicture } from './site-documents';

/** Nothing runs, and nothing is loaded but styles and the icon, both from the service. */
const HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
} as const;

/** The parts of the style sheet. */
const STYLES = ['frame.css', 'content.css'];

const readPart = (name: string) => readFileSync(join(__dirname, 'pages', name), 'utf8');

const HTML_TYPE = 'text/html; charset=utf-8';
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';
const PNG_TYPE = 'image/png';
const CSS_TYPE = 'text/css; charset=utf-8';

/**
 * Serves the documentation: a page for each resource of the OpenAPI document, the guides, and a
 * search. A page is rendered once for an address, at its first request. Programs read each page as
 * Markdown, and find them all in `/llms.txt`.
 *
 * @param publicUrl the address of the service, if it is not that of each request
 */
export function serveSite(
  fastify: FastifyInstance,
  document: OpenAPIObject,
  { title, topics }: Pick<DocumentContent, 'title' | 'topics'>,
  publicUrl?: string,
): void {
  const documents = readDocuments();
  const resources = resourcesOf(document);
  const basics = basicsPage(topics);
  const pictures = findPictures();
  const guides = guidePages(documents, pictures);
  const home = homePage(title, resources, firstGuides(documents));
  const chapters = guideChapters(documents);
  chapters.splice(1, 0, {
    title: 'Reference',
    links: [
      { url: home.url, title: 'All operations' },
      basics,
      ...resources.map(({ url, name }) => ({ url, title: name })),
    ],
  });
  const site = { title, chapters };
  for (const page of [home, basics, ...resourcePages(resources), ...guides]) {
    const content = () => layOut(page, page.content(), site);
    const addressed = new AddressedPage(HTML_TYPE, content, publicUrl);
    serveAsset(fastify, page.url, (request) => addressed.of(request), HEADERS);
    redirectToPage(fastify, page);
  }
  for (const { url, text } of [
    ...homeTexts(title, resources, topics),
    ...resourceTexts(resources),
    ...guideTexts(documents, pictures),
    { url: '/llms.txt', text: () => llmsText(title, chapters) },
  ]) {
    const addressed = new AddressedPage(MARKDOWN_TYPE, text, publicUrl);
    serveAsset(fastify, url, (request) => addressed.of(request), HEADERS);
  }
  for (const picture of pictures) {
    const asset = new Asset(PNG_TYPE, () => readPicture(picture), []);
    serveAsset(fastify, picture.url, asset, HEADERS);
  }
  const styles = new Asset(CSS_TYPE, STYLES.map((name) => readPart(name)).join('\n'));
  serveAsset(fastify, '/reference/site.css', styles, HEADERS);
  serveSearch(fastify, site, () => makeIndex(resources, topics, documents));
}

/** Leads from the address with a slash at its end to that of the page, also below a path. */
function redirectToPage(fastify: FastifyInstance, { url }: Pick<Page, 'url'>): void {
  const name = url.slice(url.lastIndexOf('/') + 1);
  fastify.get(`${url}/`, (_, reply) => reply.redirect(`../${name}`, 301));
}

/**
 * Serves the results of a search, as a page or as JSON; the index is made at the first one, in
 * turns.
 */
function serveSearch(
  fastify: FastifyInstance,
  site: Parameters<typeof layOut>[2],
  make: () => Promise<SearchIndex>,
): void {
  const page: Omit<Page, 'content'> = { url: SEARCH_URL, title: 'Search' };
  let index: Promise<SearchIndex> | undefined;
  fastify.get(SEARCH_URL, { config: { heavy: true } }, async (request, reply) => {
    const made = await (index ??= make());
    await turns.next();
    const { q } = request.query as { q?: unknown };
    const query = typeof q === 'string' ? q : '';
    addVary(reply, 'accept');
    if (request.headers.accept?.includes('application/json') === true) {
      return reply.header('cache-control', 'no-store').send(findBest(made, query));
    }
    const headers = { ...HEADERS, 'cache-control': 'no-store' };
    const text = layOut(page, SearchResults({ index: made, query }), site, query);
    return reply.headers(headers).type(HTML_TYPE).send(text);
  });
}
