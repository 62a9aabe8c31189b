import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { QUESTION_TYPES } from '../../src/campaigns/questions/question.types';
import { service } from '../support/service';

const root = join(__dirname, '../..');
const openapi = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));
const operations = Object.values<any>(openapi.paths).flatMap((item) => Object.values<any>(item));

/** The name of a file or folder of the project, as code in a document. */
const FILE_NAME = /`((?:src|test|bench|scripts|docs|clients|deploy|monitoring)\/[\w./-]+)`/g;

describe('the documentation site', () => {
  /** The HTML of every page that a link leads to, by its path. */
  const pages = new Map<string, string>();
  /** Every link, and the page it is on. */
  const links: { from: string; url: string }[] = [];

  /** The links on a page, relative to the root, except those within the page and to elsewhere. */
  const linksIn = (html: string, from: string) =>
    [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, link]) => {
      const url = link!.replaceAll('&amp;', '&');
      expect([from, url]).toEqual([from, expect.not.stringMatching(/^\//)]);
      const { pathname, search, hash } = new URL(url, service.client.url + from);
      return /^(?:#|https?:)/.test(url) ? url : pathname + search + hash;
    });

  beforeAll(async () => {
    const queue = ['/reference'];
    for (const path of queue) {
      if (pages.has(path)) {
        continue;
      }
      const response = await fetch(service.client.url + path);
      const html = await response.text();
      expect([path, response.status]).toEqual([path, 200]);
      pages.set(path, html);
      for (const url of linksIn(html, path)) {
        links.push({ from: path, url });
        const [target = ''] = url.split('#');
        if (/^\/(reference|guides)/.test(target)) {
          queue.push(target);
        }
      }
    }
  });

  it.each(['/reference', '/reference/surveys', '/guides/first-campaign'])(
    'leads from %s/ to the page, at the same depth of a path',
    async (path) => {
      const { status, headers } = await fetch(`${service.client.url}${path}/`, {
        redirect: 'manual',
      });
      const target = new URL(headers.get('location')!, `https://host.example/below${path}/`);
      expect([status, target.pathname]).toEqual([301, `/below${path}`]);
    },
  );

  it('has samples with the address that serves them', async () => {
    const { url } = service.client;
    expect(pages.get('/reference')).toContain(`export CAMPAIGN_URL=${url}\n`);
    expect(pages.get('/guides/first-campaign')).toContain(`base=${url}\n`);
    const { port } = new URL(url);
    const read = async (host: string) => {
      const sent = request({ port, path: '/reference', headers: { host } }).end();
      const [response] = await once(sent, 'response');
      return text(response);
    };
    expect(await read('campaigns.example')).toContain('CAMPAIGN_URL=http://campaigns.example\n');
    expect(await read('"><script>')).toContain('CAMPAIGN_URL=http://127.0.0.1:3000\n');
  });

  it('has a target for each link, of documents too', () => {
    expect(pages.size).toBeGreaterThan(50);
    const idsOf = (path: string) =>
      new Set([...pages.get(path)!.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const ids = new Map([...pages.keys()].map((path) => [path, idsOf(path)]));
    for (const { from, url } of links) {
      if (url.startsWith('https:')) {
        continue;
      }
      const [path = '', fragment] = url.split('#');
      const target = path === '' ? from : path;
      if (['/docs', '/openapi.json'].includes(target)) {
        continue;
      }
      expect([from, url, ids.has(target)]).toEqual([from, url, true]);
      if (fragment !== undefined) {
        expect([from, url, ids.get(target)!.has(fragment)]).toEqual([from, url, true]);
      }
    }
  });

  it('names only files of the project that exist, in every document', () => {
    const documents = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join('docs', name));
    const named = [...documents, 'README.md', 'CONTRIBUTING.md', 'bench/README.md'].flatMap(
      (name) =>
        [...readFileSync(join(root, name), 'utf8').matchAll(FILE_NAME)].map(([, file]) => [
          name,
          file!,
        ]),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(([, file]) => !existsSync(join(root, file!)))).toEqual([]);
  });

  it('has each picture of a document, with a description', async () => {
    const pictures = new Map<string, string>();
    for (const [path, html] of pages) {
      for (const [image] of html.matchAll(/<img [^>]*>/g)) {
        const [, source = '/', alt = ''] = /src="([^"]*)" alt="([^"]*)"/.exec(image) ?? [];
        expect([path, source]).toEqual([path, expect.not.stringMatching(/^\//)]);
        expect([source, alt.length > 10]).toEqual([source, true]);
        pictures.set(new URL(source, service.client.url + path).pathname, alt);
      }
    }
    for (const path of pictures.keys()) {
      const { status, headers } = await fetch(service.client.url + path);
      expect([path, status]).toEqual([path, 200]);
      expect(headers.get('content-type')).toBe('image/png');
      expect(headers.get('content-encoding')).toBeNull();
    }
    expect([...pictures.keys()]).toEqual(
      expect.arrayContaining([
        '/guides/results-page.png',
        ...QUESTION_TYPES.map((type) => `/guides/questionnaires/${type}.png`),
      ]),
    );
  });

  it('gives no two elements of a page the same fragment', () => {
    for (const [path, html] of pages) {
      const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect([path, ids.filter((id, index) => ids.indexOf(id) !== index)]).toEqual([path, []]);
    }
  });

  it('describes every operation and every request that the service sends', () => {
    const all = [...pages.values()].join('\n');
    const sent = Object.values<any>(openapi.webhooks).map(({ post }) => post);
    for (const { operationId, summary } of [...operations, ...sent]) {
      expect(all).toContain(`<section class="operation" id="${operationId}">`);
      expect(all).toContain(`>${summary}</a></h2>`);
    }
  });

  it('links the README and each guide from every page', () => {
    for (const [path, html] of pages) {
      const found = linksIn(html, path);
      expect([path, found]).toEqual([
        path,
        expect.arrayContaining(['/guides/overview', '/guides/client-guide', '/guides/webhooks']),
      ]);
    }
  });

  it('shows an Idempotency-Key in every sample of a write that accepts one', () => {
    const html = [...pages.values()].join('\n');
    const writes = operations.filter(({ parameters = [] }) =>
      parameters.some(({ $ref = '' }: any) => $ref.endsWith('/IdempotencyKey')),
    );
    expect(writes.length).toBeGreaterThan(20);
    for (const { operationId } of writes) {
      const samples = [
        ...html.matchAll(new RegExp(`<pre\\s[^>]*data-operation="${operationId}"[^]*?</pre>`, 'g')),
      ];
      expect([operationId, samples.length]).toEqual([operationId, 3]);
      for (const [sample] of samples) {
        expect(sample).toMatch(/Idempotency-Key|idempotencyKey/);
      }
    }
  });

  it('sends pages that can neither run scripts nor load anything from elsewhere', async () => {
    for (const path of pages.keys()) {
      const { headers } = await fetch(service.client.url + path);
      const policy = headers.get('content-security-policy');
      expect([path, policy]).toEqual([
        path,
        expect.stringMatching(/^default-src 'none'; style-src 'self';/),
      ]);
      expect(policy).not.toMatch(/script-src|unsafe/);
      expect(pages.get(path)).not.toMatch(/<script|style="|https?:\/\/[^"]*\.(?:css|js)"/);
    }
  });

  describe('for programs that read', () => {
    const read = async (path: string) => {
      const response = await fetch(service.client.url + path);
      expect([path, response.status]).toEqual([path, 200]);
      return { type: response.headers.get('content-type'), text: await response.text() };
    };
    /** Where the links of a text lead, without code. */
    const targetsIn = (text: string, path: string) =>
      [...text.replaceAll(/```[^]*?```|`[^`]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, href]) => new URL(href!, `https://host.example${path}`))
        .filter(({ host }) => host === 'host.example');

    it('is Markdown at the address of each page, with links that work', async () => {
      const texts = [...pages.keys()]
        .map((path) => path.split('?')[0]!)
        .filter((path) => path !== '/reference/search')
        .map((path) => `${path}.md`);
      expect(texts.length).toBeGreaterThan(50);
      for (const path of texts) {
        const { type, text } = await read(path);
        expect([path, type]).toEqual([path, 'text/markdown; charset=utf-8']);
        expect([path, text]).toEqual([path, expect.stringMatching(/^# \S/)]);
        for (const { pathname } of targetsIn(text, path)) {
          const isServed =
            texts.includes(pathname) || /^\/(openapi\.json|docs)$|\.png$/.test(pathname);
          expect([path, pathname, isServed]).toEqual([path, pathname, true]);
        }
      }
    });

    it('describes every operation in Markdown, with a sample', async () => {
      const names = [
        ...new Set([...pages.keys()].filter((path) => path.startsWith('/reference/'))),
      ];
      const texts = await Promise.all(names.map(async (path) => (await read(`${path}.md`)).text));
      const all = texts.join('\n');
      for (const { operationId, summary } of operations) {
        expect(all).toContain(`## ${summary}\n\n\`${operationId}\``);
      }
      expect(all).toContain('curl -X POST "$CAMPAIGN_URL/svc/survey/create"');
    });

    it('is listed in llms.txt', async () => {
      const { text } = await read('/llms.txt');
      expect(text).toMatch(/^# Campaign Service\n\n> /);
      const listed = targetsIn(text, '/llms.txt').map(({ pathname }) => pathname);
      expect(listed).toEqual(
        expect.arrayContaining(['/guides/agents.md', '/reference/surveys.md', '/openapi.json']),
      );
      for (const path of listed) {
        await read(path);
      }
    });

    it('is found by a search that returns JSON', async () => {
      const search = (accept: string) =>
        fetch(`${service.client.url}/reference/search?q=rotate+key`, { headers: { accept } });
      const found = await search('application/json');
      expect(found.headers.get('vary')).toMatch(/accept\b/);
      expect(await found.json()).toContainEqual({
        kind: 'Operations',
        title: 'Rotate an API key',
        url: '/reference/api-keys#rotateApiKey',
        place: 'POST /svc/api-key/rotate',
      });
      const page = await search('text/html');
      expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    });
  });

  it('compresses a page, and returns 304 to a client that has it', async () => {
    const first = await fetch(`${service.client.url}/reference/surveys`);
    expect(first.headers.get('content-encoding')).toMatch(/^(br|gzip)$/);
    const again = await fetch(`${service.client.url}/reference/surveys`, {
      headers: { 'if-none-match': first.headers.get('etag')! },
    });
    expect(again.status).toBe(304);
  });
});
