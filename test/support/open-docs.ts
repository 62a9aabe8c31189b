import type { Browser } from 'playwright-core';
import { launchChromium, WatchedPage, watchedPage } from './browser';
import { createTestDatabase, TestDatabase } from './databases';
import { DocsPage, ShownAnswer } from './docs-page';
import { RunningService, runService, outputOf } from './process';

/** What a test of the documentation page works with. */
interface OpenDocs {
  service: RunningService;
  browser: Browser;
  watched: WatchedPage;
  docs: DocsPage;
  /** The key of a platform. */
  platformKey: string;
}

/**
 * Runs a service for the tests of a file and opens its documentation page for each test. A test
 * fails if its page reports an error or loads anything from elsewhere.
 *
 * @param flags of the browser
 */
export function openDocs(...flags: string[]): OpenDocs {
  const opened = {} as OpenDocs;
  let database: TestDatabase;

  beforeAll(async () => {
    opened.browser = await launchChromium(...flags);
    database = await createTestDatabase();
    const command = 'src/platform-key/command.js';
    const args = ['generate', '--name', 'app'];
    const printed = await outputOf(command, database.variables, ...args);
    opened.platformKey = /cpk_\w+/.exec(printed)![0];
    opened.service = await runService({
      ...database.variables,
      RATE_LIMIT_ENABLED: 'true',
    });
  });

  afterAll(async () => {
    await opened.browser.close();
    await opened.service.stop();
    await database.drop();
  });

  beforeEach(async () => {
    opened.watched = await watchedPage(opened.browser);
    opened.docs = new DocsPage(opened.watched.page);
    await opened.docs.open(opened.service.docs);
  });

  afterEach(async () => {
    const { page, complaints, sources } = opened.watched;
    await page.context().close();
    expect(complaints).toEqual([]);
    expect(sources()).toEqual([new URL(opened.service.url).origin]);
  });

  return opened;
}

/** Expects a response to be a success, and returns its data. */
export function expectSuccess(name: string, { status, body }: ShownAnswer): any {
  expect([name, status, body]).toEqual([name, 200, expect.objectContaining({ success: true })]);
  return body.data;
}
