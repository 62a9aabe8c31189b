import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { Browser, chromium, Page, Request } from 'playwright-core';

/** Disables the browser's own traffic, so that every request is the page's. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Maximum milliseconds of any step on a page, even on a busy machine. */
const PATIENCE = 60_000;

/** Without its window, Chromium takes a seventh less of the CPU. */
const PLACES = process.env.CHROMIUM_PATH
  ? [process.env.CHROMIUM_PATH]
  : ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

const executablePath = PLACES.find(existsSync);

// Fails here, before any test, so that the cause is visible.
if (executablePath === undefined) {
  throw new Error(
    `There is no Chromium at ${PLACES.join(' or ')}: install it, or say in CHROMIUM_PATH where it is.`,
  );
}

export function launchChromium(...flags: string[]): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...FLAGS, ...flags] });
}

/** A page, with the origins it requested and every error on it. */
export interface WatchedPage {
  page: Page;
  /** The requested origins, each once. A file has no origin and stands for itself. */
  sources: () => string[];
  /** Errors and warnings of the console and of scripts. */
  complaints: string[];
}

/** The widths that the pages are made for, in CSS pixels. */
export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };

export async function watchedPage(browser: Browser, viewport = DESKTOP): Promise<WatchedPage> {
  // Most of the time of a click would otherwise be its transitions.
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const requests = new Set<Request>();
  const complaints: string[] = [];
  context.on('request', (request) => requests.add(request));
  context.on('requestfailed', (request) => {
    // The page's own policy blocked it before it left the browser, and the console reports that.
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
        // A data URL is part of the page.
        .filter(({ protocol }) => protocol !== 'data:' && protocol !== 'blob:')
        .map(({ protocol, origin, href }) => (protocol === 'file:' ? href : origin))
        .filter((source, index, all) => all.indexOf(source) === index)
    );
  };
  return { page, sources, complaints };
}

/** Returns by how many pixels a page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth');
}

/** An accessibility violation on a page. */
export interface Barrier {
  rule: string;
  html: string;
  /** The index of the matching known violation; -1 for none. */
  known: number;
}

/** A known violation: the rule of axe, a selector of the element, and the reason. */
export type KnownBarrier = readonly [rule: string, selector: string, why: string];

/** The impacts of violations, as axe calls them. */
const IMPACTS = ['minor', 'moderate', 'serious', 'critical'] as const;

/**
 * Returns the violations on a page in its current state: the serious and critical ones, unless
 * `least` is another impact.
 */
export async function findBarriers(
  page: Page,
  known: readonly KnownBarrier[],
  least: (typeof IMPACTS)[number] = 'serious',
): Promise<Barrier[]> {
  // Runs through the debugger, because the page's own policy allows no other script.
  await page.evaluate(axe.source);
  const impacts = IMPACTS.slice(IMPACTS.indexOf(least));
  return page.evaluate(
    async ([all, counted]) => {
      const { axe: tester } = globalThis as any;
      const { violations } = await tester.run({ elementRef: true, resultTypes: ['violations'] });
      return violations
        .filter(({ impact }: any) => counted.includes(impact))
        .flatMap(({ id, nodes }: any) =>
          nodes.map(({ html, element }: any) => ({
            rule: id,
            html,
            known: all.findIndex(([rule, selector]) => rule === id && element.matches(selector)),
          })),
        );
    },
    [known, impacts] as const,
  );
}
