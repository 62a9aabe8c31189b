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
import { EVERY_TYPE } from '../support/preview';
import { runServiceForAll } from '../support/process';

/** What a respondent enters on each page, by names of fields; those that are several are ticked. */
const ENTRIES: readonly Readonly<Record<string, string | string[]>>[] = [
  { q2: 'Something else', 'q2.other': 'Cocoa', q3: ['Hot'], q4: 'Too bitter' },
  { q5: '3', q6: '4', q7: '2' },
  { q8: '60', q9: '9', 'q10.0': '2', 'q10.1': '3', 'q10.2': '1' },
  { 'q11.0': 'Daily', 'q11.1': 'Never', 'q12.1': ['Milk'], 'q13.0': '5', 'q13.1': '2' },
  { q14: '2026-11-27', q15: '2026-11', q16: '2026', q17: 'No.', q19: ['true'] },
];

describe('the preview in Chromium', () => {
  const service = runServiceForAll();
  let browser: Browser;
  let api: Client;
  let url: string;
  let watched: WatchedPage;

  const linkTo = async (post_id: string): Promise<string> =>
    (await api.post('/svc/campaign/preview-link', { post_id })).body.data.url;

  const previewOf = async (set: object): Promise<string> => {
    const { post_id } = await createSurvey(api);
    await api.post('/svc/survey/questions', { post_id, ...set });
    return linkTo(post_id);
  };

  beforeAll(async () => {
    browser = await launchChromium();
    ({ api } = await registerCompany(service.client));
    url = await previewOf(EVERY_TYPE);
  });

  afterAll(() => browser.close());

  async function open(address = url, viewport = DESKTOP): Promise<Page> {
    watched = await watchedPage(browser, viewport);
    await watched.page.goto(address);
    return watched.page;
  }

  afterEach(async () => {
    await watched.page.context().close();
    expect(watched.complaints).toEqual([]);
    expect(watched.sources()).toEqual([new URL(service.url).origin]);
  });

  async function enter(page: Page, entries: (typeof ENTRIES)[number]): Promise<void> {
    for (const [name, value] of Object.entries(entries)) {
      const fields = page.locator(`[name="${name}"]`);
      const type = await fields.first().getAttribute('type');
      if (type === 'radio' || type === 'checkbox') {
        for (const each of [value].flat()) {
          await page.locator(`[name="${name}"][value="${each}"]`).check({ force: true });
        }
      } else {
        await fields.fill(value as string);
      }
    }
  }

  const next = (page: Page) => page.locator('button[value="next"]').click();

  it.each([
    ['a phone', PHONE],
    ['a desktop', DESKTOP],
  ])('fits %s, and passes the accessibility checks on every page', async (_, viewport) => {
    const page = await open(url, viewport);
    for (const [index, entries] of ENTRIES.entries()) {
      for (const state of ['fresh', 'refused']) {
        if (state === 'refused') {
          await next(page);
        }
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          expect([index, state, colorScheme, await findBarriers(page, [], 'minor')]).toEqual([
            index,
            state,
            colorScheme,
            [],
          ]);
          expect([index, await overflow(page)]).toEqual([index, 0]);
        }
      }
      await enter(page, entries);
      await next(page);
      await page.locator(`input[name="page"][value="${index + 1}"]`).waitFor({ state: 'attached' });
    }
    await page.getByText('Nothing was stored.').waitFor();
    expect(await findBarriers(page, [], 'minor')).toEqual([]);
  });

  it('does the same without JavaScript', async () => {
    watched = await watchedPage(browser);
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: PHONE });
    const page = await context.newPage();
    await page.goto(url);
    for (const entries of ENTRIES) {
      await enter(page, entries);
      await next(page);
    }
    await page.getByText('Nothing was stored.').waitFor();
    const answers = JSON.parse((await page.locator('pre').textContent())!);
    expect(answers).toHaveLength(17);
    expect(answers.at(7)).toEqual({ question: 'nps', value: 9 });
    await context.close();
    await watched.page.goto(url);
  });

  it('focuses the first wrong answer, which its message describes', async () => {
    const page = await open();
    await next(page);
    await page.locator('.error').first().waitFor();
    const focused = page.locator(':focus');
    expect(await focused.getAttribute('name')).toBe('q2');
    const group = page.getByRole('group', { name: 'What do you drink most?' });
    expect(await group.getAttribute('aria-describedby')).toBe('q2-error');
    expect(await page.locator('#q2-error').innerText()).toBe('Please answer this question.');
  });

  it('shows at once what the answers show', async () => {
    const page = await open();
    await page.getByText('Why no coffee?').waitFor();
    await page.getByLabel('Coffee', { exact: true }).check();
    await page.getByText('Which kinds of Coffee do you like?').waitFor();
    expect(await page.getByText('Why no coffee?').count()).toBe(0);
    await page.getByLabel('Iced').check();
    await page.getByLabel('Tea', { exact: true }).check();
    await page.getByText('Why no coffee?').waitFor();
    expect(await page.getByLabel('Iced').isChecked()).toBe(true);
  });

  it('shows at once which options the answers leave, and keeps what was chosen', async () => {
    const ifMore = { show_if: { all: [{ question: 'more', op: 'is', value: true }] } };
    const options = ['A', { text: 'B', ...ifMore }, 'C'];
    const page = await open(
      await previewOf({
        questions: [
          { type: 'checkbox', key: 'more', question: 'More?' },
          { type: 'multiple_choice', question: 'Which?', options },
          { type: 'ranking', question: 'Best?', options },
        ],
      }),
    );
    const ranked = () => page.locator('.ranking li span').allInnerTexts();
    await page.getByLabel('C', { exact: true }).first().check();
    expect([await page.getByLabel('B', { exact: true }).count(), await ranked()]).toEqual([
      0,
      ['A', 'C'],
    ]);
    await page.getByLabel('More?').check();
    await page.getByLabel('B', { exact: true }).first().check();
    expect(await page.getByLabel('C', { exact: true }).first().isChecked()).toBe(true);
    await page.getByRole('button', { name: 'B: Move' }).waitFor();
    await page.getByLabel('More?').uncheck();
    await page.getByRole('button', { name: 'B: Move' }).waitFor({ state: 'detached' });
    expect(await ranked()).toEqual(['A', 'C']);
  });

  it('ranks by keys and by drag', async () => {
    const questions = [{ type: 'ranking', question: 'Best?', options: ['A', 'B', 'C', 'D'] }];
    const page = await open(await previewOf({ questions }), PHONE);
    const names = () => page.locator('.ranking li span').allInnerTexts();
    const ranks = () =>
      page
        .locator('.rank')
        .evaluateAll((all) => all.map((each) => (each as unknown as { value: string }).value));
    expect(await ranks()).toEqual(['', '', '', '']);
    await page.getByRole('button', { name: 'C: Move' }).focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect([await names(), await ranks()]).toEqual([
      ['C', 'A', 'B', 'D'],
      ['1', '2', '3', '4'],
    ]);
    expect(await page.getByRole('status').textContent()).toBe('1. C');
    const from = (await page.getByRole('button', { name: 'D: Move' }).boundingBox())!;
    const to = (await page.getByRole('button', { name: 'A: Move' }).boundingBox())!;
    await page.mouse.move(from.x + 5, from.y + 5);
    await page.mouse.down();
    await page.mouse.move(to.x + 5, to.y + 5, { steps: 10 });
    await page.mouse.up();
    expect([await names(), await ranks()]).toEqual([
      ['C', 'D', 'A', 'B'],
      ['1', '2', '3', '4'],
    ]);
    await page.locator('.rank').nth(3).fill('1');
    await page.locator('.rank').first().fill('4');
    await page.locator('.rank').first().blur();
    await next(page);
    const answers = JSON.parse((await page.locator('pre').textContent())!);
    expect(answers).toEqual([{ question: 1, value: ['B', 'D', 'A', 'C'] }]);
  });

  it('rates with a slider, which is not moved before it is touched', async () => {
    const scale = { min: 0, max: 100 };
    const questions = [{ type: 'rating', question: 'How?', scale, display: 'slider' }];
    const page = await open(await previewOf({ questions }));
    const slider = page.getByRole('slider', { name: 'How?' });
    expect(await page.locator('[name=q1]').inputValue()).toBe('');
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('[name=q1]').inputValue()).toBe('1');
  });

  it('is mirrored in Arabic', async () => {
    const page = await open(url, PHONE);
    await page.getByLabel('Language').selectOption('ar');
    await page.locator('html[dir=rtl]').waitFor();
    const box = (await page.locator('[name=q2]').first().boundingBox())!;
    expect(box.x).toBeGreaterThan(PHONE.width / 2);
    expect(await overflow(page)).toBe(0);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await findBarriers(page, [], 'minor')]).toEqual([colorScheme, []]);
    }
  });

  it.each(['slider', 'binary'] as const)('shows a survey of images: %s', async (kind) => {
    const images = [1, 2].map((n) => ({ url: `${service.url}/docs/favicon.svg?${n}` }));
    const { post_id } = await createImageSurvey(api, kind, { images });
    const page = await open(await linkTo(post_id), PHONE);
    await eventually(async () => {
      const widths = await page
        .locator('img')
        .evaluateAll((all) =>
          all.map((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0),
        );
      expect(widths).toEqual([true, true]);
    });
    expect([await overflow(page), await findBarriers(page, [], 'minor')]).toEqual([0, []]);
  });
});
