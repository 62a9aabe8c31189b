import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import {
  clickUntil,
  DESKTOP,
  findBarriers,
  KnownBarrier,
  launchChromium,
  overflow,
  PHONE,
  repeatUntil,
  WatchedPage,
  watchedPage,
} from '../support/browser';
import { createTestDatabase, TestDatabase } from '../support/databases';
import { TEST_JWT_SECRET } from '../support/env';
import { RunningService, runService } from '../support/process';

/** Accessibility violations in Redoc itself that no option or style sheet can fix. */
const BARRIERS_OF_REDOC: readonly KnownBarrier[] = [
  ['label-content-name-mismatch', '[data-item-id^="group/"]', 'a group is shown in capitals'],
  ['scrollable-region-focusable', 'pre', 'a long sample scrolls by mouse only'],
];

const openapi = JSON.parse(readFileSync(join(__dirname, '../../openapi.json'), 'utf8'));

describe('the reference in Chromium', () => {
  let database: TestDatabase;
  let service: RunningService;
  let browser: Browser;
  let watched: WatchedPage;

  beforeAll(async () => {
    browser = await launchChromium();
    database = await createTestDatabase();
    service = await runService({ ...database.variables, JWT_SECRET: TEST_JWT_SECRET });
  });

  afterAll(async () => {
    await browser.close();
    await service.stop();
    await database.drop();
  });

  async function open(viewport = DESKTOP): Promise<Page> {
    watched = await watchedPage(browser, viewport);
    await watched.page.goto(`${service.url}/reference`);
    await operation(watched.page, 'createSurvey').waitFor();
    return watched.page;
  }

  afterEach(async () => {
    await watched.page.context().close();
    expect(watched.complaints).toEqual([]);
    expect(watched.sources()).toEqual([new URL(service.url).origin]);
  });

  /** The part of the page that describes an operation. */
  const operation = (page: Page, id: string) => page.locator(`[data-section-id="operation/${id}"]`);

  it('describes every operation and every chapter of the guide', async () => {
    const page = await open();
    const headings = await page.getByRole('heading').allInnerTexts();
    const summaries = Object.values<any>(openapi.paths)
      .flatMap((item) => Object.values<any>(item))
      .map(({ summary }) => summary as string);
    const chapters = ['Authentication', 'Errors', 'Retries', 'Versions', 'Rate limits'];
    expect(headings.map((text) => text.trim())).toEqual(
      expect.arrayContaining([...summaries, ...chapters]),
    );
    // The heading of a request that the service sends has a badge.
    for (const { post } of Object.values<any>(openapi.webhooks)) {
      expect(headings).toContainEqual(expect.stringContaining(post.summary));
    }
  });

  it('shows samples in curl, TypeScript and Python that call this service', async () => {
    const page = await open();
    const section = operation(page, 'createSurvey');
    for (const [language, words] of [
      ['curl', 'curl -X POST'],
      ['TypeScript', 'await fetch('],
      ['Python', 'requests.post('],
    ] as const) {
      const source = section.locator('pre').filter({ hasText: words });
      await clickUntil(section.getByRole('tab', { name: language }), source);
      expect(await source.innerText()).toContain(`${service.url}/svc/survey/create`);
    }
  });

  it('finds an operation and leads to it', async () => {
    const page = await open();
    const found = page.locator('[data-role="search:results"]').getByText('Rotate an API key');
    await repeatUntil(found.first(), async () => {
      await page.getByPlaceholder('Search').fill('');
      await page.getByPlaceholder('Search').fill('rotate');
    });
    await found.first().click();
    await page.waitForURL(/rotateApiKey$/);
    await operation(page, 'rotateApiKey').scrollIntoViewIfNeeded();
    expect(await operation(page, 'rotateApiKey').isVisible()).toBe(true);
  });

  it('opens at a chapter that the documentation page links to', async () => {
    const page = await open();
    await page.goto(`${service.url}/docs`);
    const introduction = page.locator('.information-container');
    const link = introduction.getByRole('link', { name: 'Rate limits' });
    await link.evaluate((anchor) => anchor.removeAttribute('target'));
    await link.click();
    const heading = page.locator('[data-section-id="tag/Rate-limits"]');
    await heading.waitFor();
    await page.waitForFunction('scrollY > 500');
    const { y } = (await heading.boundingBox())!;
    expect(y).toBeGreaterThanOrEqual(-1);
    expect(y).toBeLessThan(DESKTOP.height);
  });

  it('fits a phone and has its navigation behind a button', async () => {
    const page = await open(PHONE);
    expect(await overflow(page)).toBe(0);
    const search = page.getByPlaceholder('Search');
    expect((await search.boundingBox())?.x ?? -1).toBeLessThan(0);
    await page.locator('.menu-content + div').first().click();
    await page.waitForFunction(
      `document.querySelector('input[placeholder^="Search"]').getBoundingClientRect().left >= 0`,
    );
  });

  it("passes the accessibility checks, apart from the vendor's violations", async () => {
    const page = await open();
    const barriers = await findBarriers(page, BARRIERS_OF_REDOC);
    expect(barriers.filter(({ known }) => known === -1)).toEqual([]);
    const met = new Set(barriers.map(({ known }) => known));
    expect(BARRIERS_OF_REDOC.filter((_, index) => !met.has(index))).toEqual([]);
  });
});
