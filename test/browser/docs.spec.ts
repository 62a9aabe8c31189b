import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { scripts } from '../../package.json';
import { launchChromium, watchedPage } from '../support/browser';
import { temporaryDirectory } from '../support/databases';

const root = join(__dirname, '../..');
const scratch = temporaryDirectory();
const file = join(scratch, 'index.html');

/** Its maker's logo, the one thing that Redoc has outside itself; the page shows none instead. */
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

  it('makes a page that asks nothing of anyone, shows every section and finds an operation', async () => {
    const { page, sources, complaints } = await watchedPage(browser);
    await page.context().setOffline(true);
    const url = pathToFileURL(file).href;
    await page.goto(url);
    await page.getByRole('heading', { name: 'Campaign Service' }).waitFor();
    const { tags } = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));
    for (const { name } of tags) {
      await page.getByText(name, { exact: true }).first().waitFor();
    }
    await page.getByText('/api/company/create').first().waitFor();
    await page.getByText('Search').first().click();
    await page.getByPlaceholder('Search').waitFor();
    await page.keyboard.type('rotate');
    await page.getByText('Rotate an API key').first().waitFor();
    await page.waitForLoadState('networkidle');
    expect(sources()).toEqual([url]);
    expect(complaints).toEqual([expect.stringMatching(REFUSED_LOGO)]);
    await page.context().close();
  });
});
