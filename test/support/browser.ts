import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { Browser, chromium, Page, Request } from 'playwright-core';

/** Nothing of a browser's own may go out: what a page asks for is then all there is. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Milliseconds that anything on a page may take, on a machine that is busy too. */
const PATIENCE = 60_000;

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

// Before there are tests, so that nothing else fails and hides it.
if (!existsSync(executablePath)) {
  throw new Error(
    `There is no Chromium at ${executablePath}: install it, or say in CHROMIUM_PATH where it is.`,
  );
}

export function launchChromium(...flags: string[]): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...FLAGS, ...flags] });
}

/** A page, with all that it asked the network for and all that went wrong in it. */
export interface WatchedPage {
  page: Page;
  /** What it asked for, each origin once; a file has none and stands for itself. */
  sources: () => string[];
  /** Errors and warnings of its console and its scripts. */
  complaints: string[];
}

export async function watchedPage(browser: Browser): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const requests = new Set<Request>();
  const complaints: string[] = [];
  context.on('request', (request) => requests.add(request));
  context.on('requestfailed', (request) => {
    // Refused by the page's own policy: it never left the browser, and the console says so.
    if (request.failure()?.errorText === 'csp') {
      requests.delete(request);
    }
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) {
      complaints.push(message.text());
    }
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  const sources = () => {
    const urls = [...requests].map((request) => new URL(request.url()));
    return (
      urls
        // What stands in the page itself comes from nowhere.
        .filter(({ protocol }) => protocol !== 'data:' && protocol !== 'blob:')
        .map(({ protocol, origin, href }) => (protocol === 'file:' ? href : origin))
        .filter((source, index, all) => all.indexOf(source) === index)
    );
  };
  return { page, sources, complaints };
}

/** Something on a page that keeps people with disabilities from using it. */
export interface Barrier {
  rule: string;
  html: string;
  /** Which of the known ones it is; -1 for none. */
  known: number;
}

/** A barrier that is known: the rule of axe, a selector of what it is about, and why it is there. */
export type KnownBarrier = readonly [rule: string, selector: string, why: string];

/** The serious and critical ones of a page as it is now. */
export async function findBarriers(page: Page, known: readonly KnownBarrier[]): Promise<Barrier[]> {
  // Through the debugger, as the page's own policy lets no other script in.
  await page.evaluate(axe.source);
  return page.evaluate(async (all) => {
    const { axe: tester } = globalThis as any;
    const { violations } = await tester.run({ elementRef: true });
    return violations
      .filter(({ impact }: any) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }: any) =>
        nodes.map(({ html, element }: any) => ({
          rule: id,
          html,
          known: all.findIndex(([rule, selector]) => rule === id && element.matches(selector)),
        })),
      );
  }, known);
}
