import type { Browser } from 'playwright-core';
import { createSurvey } from '../support/builders';
import { launchChromium, watchedPage } from '../support/browser';
import { Client, registerCompany } from '../support/client';
import { freePort } from '../support/ports';
import { RunningServer, runNginx } from '../support/servers';
import { startService, TestService } from '../support/service';

const BELOW = '/campaigns';

describe('the service below a path of nginx', () => {
  let service: TestService;
  let nginx: RunningServer;
  let browser: Browser;
  let root: string;

  beforeAll(async () => {
    const port = await freePort();
    root = `http://127.0.0.1:${port}${BELOW}`;
    service = await startService({ variables: { PUBLIC_URL: root } });
    nginx = await runNginx(port, service.client.url);
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser.close();
    await nginx.stop();
    await service.close();
  });

  const read = async (url: string) => {
    const response = await fetch(url);
    return { ...response, url: response.url, status: response.status, text: await response.text() };
  };

  it('has pages whose links, styles, scripts and forms all lead somewhere below the path', async () => {
    const queue = [
      `${root}/docs`,
      `${root}/docs/`,
      `${root}/reference`,
      `${root}/reference/search?q=key`,
    ];
    const seen = new Set(queue);
    for (const url of queue) {
      const page = await read(url);
      expect([url, page.status]).toEqual([url, 200]);
      // Not in scripts, whose texts are no links.
      const isPage = page.text.startsWith('<!doctype html>');
      const links = isPage ? page.text.matchAll(/ (?:href|src|action)="([^"]+)"/g) : [];
      for (const [, link = ''] of links) {
        const target = new URL(link.replaceAll('&amp;', '&'), page.url);
        target.hash = '';
        if (target.host !== new URL(root).host) {
          continue;
        }
        expect([url, target.href]).toEqual([url, expect.stringContaining(`${root}/`)]);
        if (!seen.has(target.href)) {
          seen.add(target.href);
          queue.push(target.href);
        }
      }
    }
    expect(seen.size).toBeGreaterThan(60);
    expect(seen).toContain(`${root}/docs/docs.js`);
    expect(seen).toContain(`${root}/openapi.json`);
  });

  it('leads from its root to the documentation, and from the document to the API', async () => {
    const browsed = await fetch(`${root}/`, { headers: { accept: 'text/html' } });
    expect([browsed.url, browsed.status]).toEqual([`${root}/docs`, 200]);
    const { headers } = await fetch(`${root}/`);
    const [, described = ''] =
      /<([^>]+)>; rel="service-desc"/.exec(headers.get('link') ?? '') ?? [];
    const address = new URL(described, `${root}/`);
    const document = JSON.parse((await read(address.href)).text);
    const server = new URL(document.servers[0].url, address).href.replace(/\/$/, '');
    expect(server).toBe(root);
    expect((await new Client(server).get('/health/live')).status).toBe(200);
  });

  it('shows the documentation page in Chromium, which sends requests below the path', async () => {
    for (const path of ['/docs', '/docs/']) {
      const { page, complaints } = await watchedPage(browser);
      const requested: string[] = [];
      page.on('request', (request) => requested.push(request.url()));
      await page.goto(root + path);
      const operation = page.locator('#operations-Health-getLiveness');
      await operation.locator('.opblock-summary-control').click();
      await operation.locator('.execute').click();
      await operation.locator('.live-responses-table .response-col_status').first().waitFor();
      expect(requested).toContain(`${root}/health/live`);
      const own = requested.filter((url) => url.startsWith('http'));
      expect(own.filter((url) => !url.startsWith(`${root}/`))).toEqual([]);
      const guide = page.locator('.information-container a[href*="reference/basics"]').first();
      const target = new URL((await guide.getAttribute('href'))!, page.url());
      expect(target.href).toMatch(`${root}/reference/basics`);
      expect(complaints).toEqual([]);
      await page.context().close();
    }
  });

  it('returns results links that work, whatever the hosts of the pictures are', async () => {
    const { api } = await registerCompany(service.client);
    const below = new Client(root, api.headers);
    const images = Array.from({ length: 20 }, (_, index) => ({
      url: `https://${`${index}-`.padEnd(60, 'a')}.${'b'.repeat(63)}.${'c'.repeat(63)}.example/a.png`,
    }));
    const { data: slider } = await below.post('/svc/image-survey/slider', {
      title: 'Pictures',
      description: 'Which ones?',
      category: 'art',
      tagline: 'Look',
      reward_amount: 10,
      question: 'How good is it?',
      images,
    });
    for (const post_id of [(await createSurvey(api)).post_id, slider.post_id]) {
      const { data } = await below.post('/svc/campaign/results-link', { post_id });
      expect(data.url).toMatch(`${root}/results/crl_`);
      const page = await read(data.url);
      expect(page.status).toBe(200);
      const [, icon = ''] = /rel="icon" href="([^"]+)"/.exec(page.text) ?? [];
      expect((await read(new URL(icon, data.url).href)).status).toBe(200);
      const wrong = await read(`${data.url}/more/than/that`);
      expect([wrong.status, wrong.text]).toEqual([404, expect.not.stringMatching(/href|src=/)]);
    }
  });
});
