import type { Browser, Locator, Page } from 'playwright-core';
import {
  DESKTOP,
  findBarriers,
  launchChromium,
  overflow,
  PHONE,
  WatchedPage,
  watchedPage,
} from '../support/browser';
import { runServiceForAll } from '../support/process';

/** What a page may take: bytes transferred with everything it loads, elements, and milliseconds. */
const MAXIMUM_BYTES = 300_000;
const MAXIMUM_ELEMENTS = 8_000;
const MAXIMUM_TIME = 1_500;

/** Pages of every kind, the largest ones among them. */
const KINDS = [
  '/reference',
  '/reference/webhooks',
  '/reference/search?q=reward',
  '/guides/overview',
  '/guides/fielding',
  '/guides/errors',
];

describe('the documentation site in Chromium', () => {
  const service = runServiceForAll();
  let browser: Browser;
  let watched: WatchedPage;

  beforeAll(async () => {
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser.close();
  });

  async function open(path: string, viewport = DESKTOP): Promise<Page> {
    watched = await watchedPage(browser, viewport);
    await watched.page.goto(service.url + path);
    return watched.page;
  }

  afterEach(async () => {
    await watched.page.context().close();
    expect(watched.complaints).toEqual([]);
    expect(watched.sources()).toEqual([new URL(service.url).origin]);
  });

  const hrefsOf = (links: Locator) =>
    links.evaluateAll((each) => each.map((link) => link.getAttribute('href')!));

  /** Every page that the menu leads to. */
  async function menu(): Promise<string[]> {
    const page = await open('/reference');
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    return (await hrefsOf(links)).map((href) => new URL(href, page.url()).pathname);
  }

  it('transfers little and is soon readable, on every page', async () => {
    const pages = [...(await menu()), '/reference/search?q=reward'];
    expect(pages.length).toBeGreaterThan(40);
    const { page } = watched;
    const times: number[] = [];
    for (const path of pages) {
      // As for everyone but the first reader after a start.
      await fetch(service.url + path, { headers: { 'accept-encoding': 'br' } });
      await page.goto(service.url + path);
      const [bytes, elements, time] = await page.evaluate<[number, number, number]>(`(() => {
        const [page] = performance.getEntriesByType('navigation');
        const all = [page, ...performance.getEntriesByType('resource')];
        const bytes = all.reduce((sum, { transferSize }) => sum + transferSize, 0);
        const { length } = document.querySelectorAll('*');
        return [bytes, length, page.domContentLoadedEventEnd];
      })()`);
      expect([path, bytes < MAXIMUM_BYTES]).toEqual([path, true]);
      expect([path, elements < MAXIMUM_ELEMENTS]).toEqual([path, true]);
      times.push(time);
    }
    // Other tests use the same cores: the median says what a page costs.
    const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
    expect(median).toBeLessThan(MAXIMUM_TIME);
  });

  it('runs no script', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const response = await page.goto(`${service.url}/reference/surveys`);
    expect(response!.headers()['content-security-policy']).not.toContain('script-src');
    expect(await page.locator('script').count()).toBe(0);
    await page.getByRole('radio', { name: 'Python' }).check();
    const shown = page.locator('pre.sample').filter({ visible: true });
    expect(await shown.allInnerTexts()).toEqual([expect.stringContaining('requests.post(')]);
    await page.getByRole('searchbox').fill('rotate an api key');
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('link', { name: 'Rotate an API key' }).first().click();
    expect(page.url()).toBe(`${service.url}/reference/api-keys#rotateApiKey`);
    await context.close();
    await open('/reference');
  });

  it('finds operations, fields, error codes and guides', async () => {
    for (const [query, kind, target] of [
      ['forecast a campaign', 'Operations', '/reference/forecasts#forecastCampaign'],
      ['max_responses', 'Fields', '/reference/surveys#createSurvey.request.max_responses'],
      ['cohort_reward_mismatch', 'Error codes', '/guides/errors#cohort_reward_mismatch'],
      ['rotating the secret', 'Guides', '/guides/webhooks#rotating-the-secret'],
    ] as const) {
      const page = await open(`/reference/search?q=${encodeURIComponent(query)}`);
      const heading = page.getByRole('heading', { name: kind });
      const results = page.locator('h2', { has: heading }).or(heading).locator('+ ul a');
      const links = (await hrefsOf(results)).map((href) => {
        const { pathname, hash } = new URL(href, page.url());
        return pathname + hash;
      });
      expect([query, links]).toEqual([query, expect.arrayContaining([target])]);
      await page.goto(service.url + target);
      const id = target.split('#')[1]!;
      expect(await page.locator(`[id="${id}"]`).isVisible()).toBe(true);
      await page.context().close();
    }
  });

  it('shows nothing of a query as HTML, and bounds it', async () => {
    const page = await open(`/reference/search?q=${encodeURIComponent('<img src=x>')}`);
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.locator('main').innerText()).toContain('<img src=x>');
    await page.goto(`${service.url}/reference/search?q=${'reward%20'.repeat(1000)}`);
    expect(await page.locator('.results li').count()).toBeLessThanOrEqual(48);
  });

  it.each(KINDS)('fits a phone and a desktop, with nothing cut off: %s', async (path) => {
    for (const viewport of [PHONE, DESKTOP]) {
      const page = await open(path, viewport);
      expect([viewport.width, await overflow(page)]).toEqual([viewport.width, 0]);
      const cut = await page
        .locator('pre')
        .evaluateAll((each) =>
          each.filter((pre) => pre.scrollWidth > pre.clientWidth).map((pre) => pre.textContent),
        );
      expect(cut).toEqual([]);
      if (viewport === PHONE) {
        await page.context().close();
      }
    }
  });

  it('opens the menu on a phone, and closes it with the keyboard', async () => {
    const page = await open('/reference/surveys', PHONE);
    const link = page.getByRole('link', { name: 'Webhooks', exact: true }).first();
    expect(await link.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).press('Enter');
    await link.waitFor();
    await page.keyboard.press('Escape');
    expect(await link.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    await link.click();
    await page.waitForURL(/webhooks$/);
  });

  it('leads a keyboard past the menu to the content', async () => {
    const page = await open('/reference/surveys');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    const focused = await page.evaluate('document.activeElement.closest("main") !== null');
    expect(focused).toBe(true);
  });

  it('prints the content without the menu', async () => {
    const page = await open('/reference/surveys');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(false);
    expect(await page.getByRole('heading', { name: 'Surveys' }).isVisible()).toBe(true);
  });

  it.each(KINDS)('passes the accessibility checks in light and dark: %s', async (path) => {
    const page = await open(path);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // Not even a minor one.
      expect([colorScheme, await findBarriers(page, [], 'minor')]).toEqual([colorScheme, []]);
    }
  });
});
