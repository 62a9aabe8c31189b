import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { scripts } from '../../package.json';
import { clickUntil, launchChromium, repeatUntil, watchedPage } from '../support/browser';
import { temporaryDirectory } from '../support/databases';

const root = join(__dirname, '../..');
const scratch = temporaryDirectory();
const file = join(scratch, 'index.html');

/** The vendor's logo, the only external resource of Redoc; the page blocks it. */
const REFUSED_LOGO =
  /^Loading the image 'https:\/\/cdn\.redoc\.ly\/redoc\/logo[\w-]*\.svg' violates .*Content Security Policy/;

describe('npm run docs', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
    const command = scripts.docs.replace('docs/index.html', file);
    expect(command).toContain(file);
    await promisify(execFile)('npx', command.split(' '), { cwd: root });
  });

  afterAll(async () => {
    await browser.close();
    rmSync(scratch, { recursive: true });
  });

  it('makes a page that loads nothing else, shows every section and finds an operation', async () => {
    const { page, sources, complaints } = await watchedPage(browser);
    await page.context().setOffline(true);
    const url = pathToFileURL(file).href;
    await page.goto(url);
    await page.getByRole('heading', { name: 'Campaign Service' }).waitFor();
    const { tags } = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));
    for (const { name } of tags) {
      await page.getByText(name, { exact: true }).first().waitFor();
    }
    // The page renders a section once it comes into view.
    await clickUntil(
      page.getByText('Company', { exact: true }).first(),
      page.getByText('/api/company/create').first(),
    );
    const search = page.getByPlaceholder('Search');
    const found = page.getByText('Rotate an API key').filter({ visible: true }).first();
    await repeatUntil(found, async () => {
      // The page closes the field when it renders itself again.
      if (!(await search.isVisible())) {
        await page.getByText('Search').first().click({ timeout: 3_000 });
      }
      await search.clear({ timeout: 3_000 });
      await search.pressSequentially('rotate', { timeout: 3_000 });
    });
    await page.waitForLoadState('networkidle');
    expect(sources()).toEqual([url]);
    expect(complaints).toEqual([expect.stringMatching(REFUSED_LOGO)]);
    await page.context().close();
  });
});
