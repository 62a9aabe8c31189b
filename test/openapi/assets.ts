import { request } from 'node:http';
import { text, buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { acceptedEncoding } from '../../src/platform/protocol/accept-encoding';
import { service } from '../support/service';

interface Received {
  status: number;
  headers: Record<string, string | undefined>;
  body: Buffer;
}

describe('the documentation', () => {
  /** Sends a request without the headers that fetch adds, such as Accept-Encoding. */
  function get(path: string, headers: Record<string, string> = {}): Promise<Received> {
    return new Promise((resolve, reject) => {
      request(new URL(path, service.client.url), { headers }, (response) => {
        buffer(response).then(
          (body) =>
            resolve({
              status: response.statusCode!,
              headers: response.headers as Received['headers'],
              body,
            }),
          reject,
        );
      })
        .on('error', reject)
        .end();
    });
  }

  it('leads a browser from / to /docs, and tells a program where the document is', async () => {
    const browser = await get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect([browser.status, browser.headers.location]).toEqual([302, 'docs']);
    for (const headers of [{ accept: '*/*' }, { accept: 'application/json' }]) {
      const program = await get('/', headers);
      expect(program.status).toBe(200);
      expect(program.headers).toMatchObject({
        link: '<openapi.json>; rel="service-desc", <docs>; rel="service-doc"',
        vary: expect.stringContaining('accept'),
      });
      const { success, data } = JSON.parse(program.body.toString());
      expect([success, data]).toEqual([true, { openapi: '/openapi.json', docs: '/docs' }]);
      expect((await get(data.openapi)).status).toBe(200);
    }
    expect((await service.client.post('/', {})).status).toBe(405);
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('compresses the document with %s when asked', async (encoding, decompress) => {
    const plain = await get('/openapi.json');
    const compressed = await get('/openapi.json', { 'accept-encoding': encoding });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(compressed.headers).toMatchObject({
      'content-encoding': encoding,
      'content-type': 'application/json; charset=utf-8',
      vary: 'accept-encoding',
    });
    expect(compressed.body.length).toBeLessThan(plain.body.length / 5);
    expect(decompress(compressed.body).equals(plain.body)).toBe(true);
    expect(compressed.headers.etag).not.toBe(plain.headers.etag);
  });

  it('returns 304 to a client that has the document, and only to one that has it', async () => {
    for (const encoding of ['identity', 'gzip', 'br']) {
      const first = await get('/openapi.json', { 'accept-encoding': encoding });
      const { etag } = first.headers;
      expect(etag).toMatch(/^"[\w-]+"$/);
      for (const known of [etag!, `W/${etag}`, `"another", ${etag}`, '*']) {
        const again = await get('/openapi.json', {
          'accept-encoding': encoding,
          'if-none-match': known,
        });
        expect([known, again.status, again.body.length]).toEqual([known, 304, 0]);
        expect(again.headers.etag).toBe(etag);
      }
      const other = await get('/openapi.json', {
        'accept-encoding': encoding,
        'if-none-match': '"another"',
      });
      expect(other.status).toBe(200);
      expect(other.body.equals(first.body)).toBe(true);
    }
  });

  it('lets clients keep the document if they revalidate it each time', async () => {
    const { headers } = await get('/openapi.json');
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['*;q=0.1, br;q=0', 'gzip'],
    ['br; q=nonsense', undefined],
    ['gzip ; q=0', undefined],
  ])('reads %j as a preference for %s', (header, encoding) => {
    expect(acceptedEncoding(header, ['br', 'gzip'])).toBe(encoding);
  });

  it('reads the longest header in no time', () => {
    const began = performance.now();
    for (let request = 0; request < 50; request += 1) {
      acceptedEncoding(`br${' '.repeat(16_000)}x`, ['br']);
    }
    // With each space as the possible beginning of a parameter it took 11 seconds.
    expect(performance.now() - began).toBeLessThan(500);
  });

  it('loads resources from the service only: /docs', async () => {
    const page = await get('/docs');
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.headers['content-security-policy']).toContain("script-src 'self';");
    const html = page.body.toString();
    expect(html).toContain('name="viewport"');
    const urls = [...html.matchAll(/ (?:src|href)="([^"#]+)"/g)].map(([, url]) => url!);
    expect(urls.length).toBeGreaterThan(3);
    for (const url of urls) {
      // Relative, so that the page also works below a path.
      expect(url).toMatch(/^\.\/docs\//);
      const asset = await get(url.slice(1), { 'accept-encoding': 'br' });
      expect([url, asset.status, asset.headers['content-encoding']]).toEqual([url, 200, 'br']);
    }
  });

  it.each([
    '/docs/../package.json',
    '/docs/%2e%2e/%2e%2e/package.json',
    '/docs/swagger-ui.js.map',
    '/reference/docs.js',
    '/guides/../package.json',
    '/guides/nothing',
  ])('has no file at %s', async (path) => {
    const response = await new Promise<{ status: number; body: string }>((resolve, reject) => {
      const { hostname, port } = new URL(service.client.url);
      request({ hostname, port, path }, (each) => {
        text(each).then((body) => resolve({ status: each.statusCode!, body }), reject);
      })
        .on('error', reject)
        .end();
    });
    expect(response.status).toBe(404);
    expect(JSON.parse(response.body).error.code).toBe('route_not_found');
  });
});
