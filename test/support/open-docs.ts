import type { Browser } from 'playwright-core';
import { launchChromium, WatchedPage, watchedPage } from './browser';
import { createTestDatabase, DatabaseVariables, TestDatabase } from './databases';
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
  variables: DatabaseVariables;
}

/**
 * Runs a service for the tests of a file, which open its documentation page by
 * {@link openForEach} or {@link openForAll}.
 *
 * @param flags of the browser
 */
export function runDocs(...flags: string[]): OpenDocs {
  const opened = {} as OpenDocs;
  let database: TestDatabase;

  beforeAll(async () => {
    opened.browser = await launchChromium(...flags);
    database = await createTestDatabase();
    const command = 'src/access/platform-key/command.js';
    const args = ['generate', '--name', 'app'];
    const printed = await outputOf(command, database.variables, ...args);
    opened.platformKey = /cpk_\w+/.exec(printed)![0];
    opened.variables = database.variables;
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

  return opened;
}

async function open(opened: OpenDocs): Promise<void> {
  opened.watched = await watchedPage(opened.browser);
  opened.docs = new DocsPage(opened.watched.page);
  await opened.docs.open(opened.service.docs);
}

/** Fails if the page has reported an error or loaded anything from elsewhere. */
async function close({ watched, service }: OpenDocs): Promise<void> {
  const { page, complaints, sources } = watched;
  await page.context().close();
  expect(complaints).toEqual([]);
  expect(sources()).toEqual([new URL(service.url).origin]);
}

/** Opens the page anew for each test, as for a new visitor. */
export function openForEach(opened: OpenDocs): void {
  beforeEach(() => open(opened));
  afterEach(() => close(opened));
}

/** Opens the page once, for tests that send nothing. */
export function openForAll(opened: OpenDocs): void {
  beforeAll(() => open(opened));
  afterAll(() => close(opened));
}

/** Expects a response to be a success, and returns its data. */
export function expectSuccess(name: string, { status, body }: ShownAnswer): any {
  expect([name, status, body]).toEqual([name, 200, expect.objectContaining({ success: true })]);
  return body.data;
}
