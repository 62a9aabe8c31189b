import { once } from 'node:events';
import { createServer, IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import {
  DESKTOP,
  findBarriers,
  launchChromium,
  overflow,
  PHONE,
  WatchedPage,
  watchedPage,
} from '../support/browser';
import { createImageSurvey, createSurvey } from '../support/builders';
import { Client, registerCompany } from '../support/client';
import { eventually } from '../support/eventually';
import { QUESTIONS as EVERY_TYPE } from '../support/every-type';
import { start } from '../support/fielding';
import { createGuardrail, guardrailsOf, spent } from '../support/guardrails';
import { generateKey } from '../support/keys';
import { runServiceForAll } from '../support/process';

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>';

const KINDS = [
  'questions',
  'slider',
  'round-robin',
  'binary',
  'nobody',
  'one response',
  '100 options',
  'every type',
] as const;

type Kind = (typeof KINDS)[number];

const IMAGES = { slider: 4, 'round-robin': 20, binary: 2 } as const;

/** All that a link can allow. */
const EVERYTHING = ['crosstabs', 'texts', 'downloads'];

/** Kinds with pictures of another host. */
const PICTURED: readonly Kind[] = ['slider', 'round-robin', 'binary'];

const QUESTIONS = [
  {
    type: 'single_choice',
    question: 'How often do you drink coffee at home, on an ordinary day?',
    options: ['Never', 'Once', 'Twice', 'More often, such as after every meal and in between'],
  },
  { type: 'multiple_choice', question: 'Which kinds?', options: ['Filter', 'Espresso', 'شاي'] },
  { type: 'text', question: 'Favourite bean?', required: false },
];

describe('the results page in Chromium', () => {
  const service = runServiceForAll();
  let browser: Browser;
  let watched: WatchedPage;
  let host: Server;
  let pictures: string;
  const requests: IncomingMessage[] = [];
  const urls = new Map<Kind, string>();

  beforeAll(async () => {
    browser = await launchChromium();
    host = createServer((request, response) => {
      requests.push(request);
      response.setHeader('content-type', 'image/svg+xml');
      response.end(PICTURE);
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
    pictures = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    const { account } = await registerCompany(service.client);
    const { api } = await generateKey(account, service.client, { mode: 'test' });
    for (const kind of KINDS) {
      urls.set(kind, await prepare(kind, api));
    }
  });

  afterAll(async () => {
    await browser.close();
    host.close();
  });

  async function campaignOf(kind: Kind, api: Client): Promise<string> {
    if (kind === 'slider' || kind === 'round-robin' || kind === 'binary') {
      const images = Array.from({ length: IMAGES[kind] }, (_, index) => ({
        url: `${pictures}/${index}.svg`,
        ...(index === 1 ? { label: 'A label of some length below the picture of a cup' } : {}),
      }));
      const undecided = kind === 'slider' ? {} : { allow_ties: true, allow_skips: true };
      return (await createImageSurvey(api, kind, { images, ...undecided })).post_id;
    }
    const limits = { max_responses: 500, budget: 30_000 };
    const { post_id } = await createSurvey(api, kind === 'questions' ? limits : {});
    const options = Array.from({ length: 100 }, (_, index) => `Option ${index + 1}`);
    const questions =
      kind === '100 options'
        ? [{ type: 'single_choice', question: 'Which of these?', options }]
        : kind === 'every type'
          ? EVERY_TYPE
          : QUESTIONS;
    await api.post('/svc/survey/questions', { post_id, questions });
    return post_id;
  }

  /** Makes a campaign with responses, and returns the address of its page. */
  async function prepare(kind: Kind, api: Client): Promise<string> {
    const post_id = await campaignOf(kind, api);
    if (kind === 'questions') {
      const name = 'A rule with a name of some length that watches what the campaign spends';
      await createGuardrail(api, { post_id, name, then: 'notify', when: { all: [spent(5_000)] } });
    }
    await start(api, post_id);
    const respondents = kind === 'nobody' ? 0 : kind === 'one response' ? 1 : 200;
    const submitted =
      respondents === 0
        ? 0
        : (await api.post('/svc/campaign/simulate', { post_id, respondents, seed: 1 })).body.data
            .submitted;
    await eventually(async () => {
      const { body } = await api.get(`/svc/campaign/${post_id}/results`);
      expect(body.data.responses.submitted).toBe(submitted);
      const guardrails = await guardrailsOf(api, `?post_id=${post_id}`);
      expect(guardrails.filter(({ fired }) => fired === null)).toEqual([]);
    });
    const { body } = await api.post('/svc/campaign/results-link', { post_id, show: EVERYTHING });
    return body.data.url;
  }

  async function open(kind: Kind, viewport = DESKTOP): Promise<Page> {
    watched = await watchedPage(browser, viewport);
    await watched.page.goto(urls.get(kind)!);
    return watched.page;
  }

  afterEach(async () => {
    const known = [new URL(service.url).origin, pictures];
    await watched.page.context().close();
    expect(watched.complaints).toEqual([]);
    expect(watched.sources().filter((source) => !known.includes(source))).toEqual([]);
  });

  describe.each(KINDS)('of a campaign with %s', (kind) => {
    it.each([
      ['a phone', PHONE],
      ['a desktop', DESKTOP],
    ])('fits %s', async (_, viewport) => {
      const page = await open(kind, viewport);
      expect(await overflow(page)).toBe(0);
      const isFound = await page.getByRole('heading', { level: 1 }).innerText();
      expect(isFound).toBe('Coffee habits');
    });

    it('passes the accessibility checks in light and dark', async () => {
      const page = await open(kind);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        // Not even a minor one.
        expect([colorScheme, await findBarriers(page, [], 'minor')]).toEqual([colorScheme, []]);
      }
    });
  });

  it('draws a bar, a whisker and a row of a table for each option', async () => {
    const page = await open('questions');
    const question = page.locator('section section').first();
    const plot = question.locator('.plot');
    await plot.waitFor();
    expect(await plot.locator('.bar').count()).toBe(4);
    await question.locator('summary').click();
    const rows = question.getByRole('row');
    expect(await rows.count()).toBe(5);
    for (let index = 0; index < 4; index += 1) {
      const share = parseFloat(
        await rows
          .nth(index + 1)
          .getByRole('cell')
          .nth(1)
          .innerText(),
      );
      const bar = (await plot.locator('.bar').nth(index).boundingBox())!;
      const whisker = (await plot.locator('.whisker').nth(index).boundingBox())!;
      const field = (await plot.locator('.row svg').nth(index).boundingBox())!;
      expect((bar.width / field.width) * 100).toBeCloseTo(share, 0);
      expect(whisker.x).toBeLessThan(bar.x + bar.width);
      expect(whisker.x + whisker.width).toBeGreaterThan(bar.x + bar.width);
    }
  });

  it('draws how many numbers are in each range, with their mean', async () => {
    const page = await open('every type');
    const question = page.locator('section section').filter({ hasText: 'Median' }).first();
    const plot = question.locator('.plot.columns');
    expect(await plot.locator('.bar').count()).toBe(1);
    expect(await plot.locator('.dot').count()).toBe(1);
    expect(await question.getByText('To below').count()).toBe(1);
    // Each of the five ratings can be given, and has its share below it.
    const ratings = page.locator('section section').filter({ hasText: 'How does it taste?' });
    const texts = await ratings.locator('.axis').first().locator('text').allTextContents();
    expect(texts).toEqual(['1', '2', '3', '4', '5']);
  });

  it('says how many pairs were left undecided', async () => {
    const page = await open('round-robin');
    const text = await page.locator('main').innerText();
    expect(text).toMatch(/Ties, half a preference for both: [1-9]/);
    expect(text).toMatch(/Skipped pairs, not in the strengths: [1-9]/);
  });

  it('marks where a guardrail has fired', async () => {
    const page = await open('questions');
    expect(await page.getByText('A rule with a name').isVisible()).toBe(true);
    const line = page.locator('path.line');
    expect(await line.evaluate((path) => path.getBoundingClientRect().height)).toBeGreaterThan(100);
  });

  it('is the same without JavaScript', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(urls.get('questions')!);
    expect(await page.getByRole('img').count()).toBeGreaterThan(4);
    await context.close();
    await open('questions');
  });

  it('loads pictures from their host, which learns no address of a page', async () => {
    for (const kind of PICTURED) {
      requests.length = 0;
      const page = await open(kind);
      const images = page.locator('img');
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      await eventually(async () => {
        const widths = await images.evaluateAll((all) =>
          all.map((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
        );
        expect(new Set(widths)).toEqual(new Set([9]));
      });
      expect(requests.length).toBeGreaterThan(0);
      for (const { headers } of requests) {
        expect(headers.referer).toBeUndefined();
      }
      await page.context().close();
    }
    await open('binary');
  });

  it('unfolds a long table with the keyboard', async () => {
    const page = await open('100 options');
    const last = page.getByRole('rowheader', { name: 'Option 100' });
    expect(await last.isVisible()).toBe(false);
    const summary = page.locator('section section summary');
    await summary.focus();
    await page.keyboard.press('Enter');
    await last.waitFor();
  });

  it('changes the order of options by a link, and stays at the question', async () => {
    const page = await open('100 options');
    await page.getByRole('link', { name: 'by share' }).click();
    expect(new URL(page.url()).search + new URL(page.url()).hash).toBe('?order=share#question-1');
    const counts = (await page.locator('#question-1 .row i').allTextContents()).map(Number);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(await page.getByRole('link', { name: 'by share' }).getAttribute('aria-current')).toBe(
      'true',
    );
  });

  it('compares groups by links, also on a phone', async () => {
    const page = await open('every type', PHONE);
    const questions = page.getByRole('link', { name: 'Compare groups' });
    await questions.nth(1).click();
    await page.getByRole('link', { name: 'How does it taste?' }).click();
    expect(await page.getByRole('columnheader', { name: 'E: 5' }).count()).toBe(1);
    expect([await overflow(page), await findBarriers(page, [], 'minor')]).toEqual([0, []]);
  });

  /** The width of A4 paper without its margins, in CSS pixels. */
  const PAPER = { width: 718, height: 1_050 };

  it('prints every table, folded or not, and cuts none', async () => {
    const page = await open('round-robin', PAPER);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const tables = page.locator('table');
    expect(await tables.count()).toBeGreaterThan(5);
    for (const table of await tables.all()) {
      const { x, width } = (await table.boundingBox())!;
      expect(x + width).toBeLessThanOrEqual(PAPER.width);
    }
    const last = page.getByRole('columnheader', { name: '20', exact: true });
    expect(await last.isVisible()).toBe(true);
    const background = await page.evaluate(
      'getComputedStyle(document.documentElement).backgroundColor',
    );
    expect(background).toBe('rgb(255, 255, 255)');
  });
});
