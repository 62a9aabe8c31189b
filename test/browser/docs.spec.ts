import { findBarriers, overflow, PHONE, watchedPage } from '../support/browser';
import { Client, registerCompany } from '../support/client';
import { DocsPage } from '../support/docs-page';
import { expectSuccess, openForAll, openForEach, runDocs } from '../support/open-docs';

const SECTIONS = [
  'Company',
  'API keys',
  'Approvals',
  'Surveys',
  'Advertisements',
  'Image surveys',
  'Questions',
  'Campaigns',
  'Cohort rewards',
  'Targeting',
  'Campaign documents',
  'Forecasts',
  'Guardrails',
  'Campaign responses',
  'Ledger',
  'Events',
  'Webhooks',
  'Fielding',
  'Health',
];

/** The place of an element on the page. */
type Box = Readonly<Record<'left' | 'right' | 'top' | 'bottom', number>>;

const REFUSED = 'Failed to load resource: the server responded with a status of 401 (Unauthorized)';

describe('the documentation page in Chromium', () => {
  const opened = runDocs('--host-resolver-rules=MAP campaigns.example 127.0.0.1');

  describe('as it opens', () => {
    openForAll(opened);

    it('opens with a guide that fits the first screen and names existing operations', async () => {
      const { page } = opened.watched;
      const guide = page.locator('.information-container');
      expect(await guide.getByRole('heading', { name: 'A first campaign' }).count()).toBe(1);
      const steps = guide.locator('ol');
      expect(await steps.locator('li').count()).toBe(4);
      const { y, height } = (await steps.boundingBox())!;
      expect(y + height).toBeLessThan(page.viewportSize()!.height);
      const named = await steps.locator('em').allInnerTexts();
      expect(named.length).toBeGreaterThan(4);
      const summaries = await page.locator('.opblock-summary-description').allInnerTexts();
      expect(summaries).toEqual(expect.arrayContaining(named));
    });

    it('lists the operations in the order in which a newcomer needs them', async () => {
      const { page } = opened.watched;
      const sections = page.locator('.opblock-tag');
      expect(
        await sections.evaluateAll((each) => each.map((tag) => tag.getAttribute('data-tag'))),
      ).toEqual(SECTIONS);
      const ids = await page.locator('.opblock').evaluateAll((each) => each.map(({ id }) => id));
      const order = [
        'registerCompany',
        'logIn',
        'generateApiKey',
        'createSurvey',
        'setSurveyQuestions',
        'toggleLive',
      ].map((id) => ids.findIndex((each) => each.endsWith(`-${id}`)));
      expect(order).toEqual([...order].sort((a, b) => a - b));
      expect(order[0]).toBe(0);
    });

    it("does not name the vendors of the page's parts", async () => {
      const text = await opened.watched.page.locator('body').innerText();
      expect(text).not.toMatch(/swagger|smartbear/i);
    });

    it('describes once, below the operations, the errors that most of them can return', async () => {
      const { page } = opened.watched;
      const codes = await page.locator('#common-errors tbody code').allInnerTexts();
      expect(codes).toEqual([...new Set(codes)]);
      expect(codes).toEqual(
        expect.arrayContaining(['api_key_invalid', 'rate_limited', 'internal_error']),
      );
      const operation = await opened.docs.unfold('createSurvey');
      const statuses = await operation
        .locator('.responses-table > tbody > tr')
        .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-code')));
      // A response with another status would be "undocumented".
      expect(statuses).toEqual([
        ...['200', '400', '401', '403', '408', '409', '413', '415', '422', '429', '500', '503'],
      ]);
      await operation.getByRole('link', { name: 'the common errors' }).first().click();
      const { y } = (await page.locator('#common-errors').boundingBox())!;
      expect(y).toBeGreaterThanOrEqual(-1);
      expect(y).toBeLessThan(page.viewportSize()!.height);
      expect(page.context().pages()).toHaveLength(1);
    });

    it('opens the dialog for credentials at its top, with the focus in the first field', async () => {
      const { page } = opened.watched;
      const dialog = await opened.docs.openCredentials();
      const content = dialog.locator('.modal-ux-content');
      expect(await content.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
      const first = dialog.getByRole('textbox').first();
      await page.keyboard.type('a token');
      expect(await first.inputValue()).toBe('a token');
      const form = dialog.locator('.auth-container').first();
      expect(await form.innerText()).toContain('account_token');
    });
  });

  describe('for a visitor', () => {
    openForEach(opened);

    /** Enters the credentials of a company that has registered elsewhere. */
    async function becomeCompany(): Promise<void> {
      const { account, api } = await registerCompany(new Client(opened.service.url));
      const token = account.headers.authorization!.replace('Bearer ', '');
      await opened.docs.authorise('account_token', token);
      await opened.docs.authorise('api_key', api.headers['x-api-key']!);
    }

    it('keeps the credentials and the campaign across a reload', async () => {
      await becomeCompany();
      const { post_id } = expectSuccess('createSurvey', await opened.docs.send('createSurvey'));
      await opened.docs.reload();
      const read = await opened.docs.send('getCampaign');
      expect(expectSuccess('getCampaign', read).post_id).toBe(post_id);
      expectSuccess('getCompany', await opened.docs.send('getCompany'));
    });

    it('takes a newcomer from registration to the first response, with a test key', async () => {
      const { docs } = opened;
      const registered = await docs.send('registerCompany');
      await docs.authorise('account_token', expectSuccess('register', registered).access_token);
      const generated = await docs.send('generateApiKey');
      await docs.authorise('api_key', expectSuccess('generate', generated).api_key);
      const { post_id } = expectSuccess('createSurvey', await docs.send('createSurvey'));
      for (const id of ['setSurveyQuestions', 'toggleLive', 'beginParticipation']) {
        expect(expectSuccess(id, await docs.send(id)).post_id).toBe(post_id);
      }
      for (const id of ['submitParticipation', 'listResponses']) {
        expectSuccess(id, await docs.send(id));
      }
    });

    it('registers a company of its own for each visitor who sends the example unchanged', async () => {
      const first = expectSuccess('first', await opened.docs.send('registerCompany'));
      const { page } = await watchedPage(opened.browser);
      const visitor = new DocsPage(page);
      await visitor.open(opened.service.docs);
      const second = expectSuccess('second', await visitor.send('registerCompany'));
      expect(second.email).not.toBe(first.email);
      // Sent unchanged, the example logs in the company that this visitor registered.
      const { access_token } = expectSuccess('log in', await visitor.send('logIn'));
      await visitor.authorise('account_token', access_token);
      const me = expectSuccess('getCompany', await visitor.send('getCompany'));
      expect(me.company_id).toBe(second.company_id);
      await page.context().close();
    });

    it('shows the values that it sends, those of the last response', async () => {
      await becomeCompany();
      const { watched, docs } = opened;
      const sent: string[] = [];
      watched.page.on('request', (request) => {
        if (request.method() !== 'GET') {
          sent.push(request.postData() ?? '');
        }
      });
      for (let round = 0; round < 2; round += 1) {
        const { post_id } = expectSuccess('create', await docs.send('createSurvey'));
        const operation = await docs.unfold('setSurveyQuestions');
        const shown = await operation.locator('.body-param__text').inputValue();
        expect(JSON.parse(shown).post_id).toBe(post_id);
        expectSuccess('questions', await docs.execute(operation));
        expect(sent.at(-1)).toBe(shown);
        await docs.fold(operation);
        const read = await docs.unfold('getCampaign');
        expect(await read.getByRole('textbox').first().inputValue()).toBe(post_id);
        await docs.fold(read);
      }
    });

    it('shows the error envelope for a wrong key', async () => {
      await opened.docs.authorise('api_key', 'csk_not_a_key');
      const operation = await opened.docs.unfold('createSurvey');
      const { status, body } = await opened.docs.execute(operation);
      expect(status).toBe(401);
      expect(await operation.locator('.live-responses-table').innerText()).not.toMatch(
        /undocumented/i,
      );
      expect(body).toEqual({
        success: false,
        message: expect.any(String),
        data: null,
        error: { code: 'api_key_invalid', request_id: expect.any(String), details: [] },
      });
      expect(opened.watched.complaints.splice(0)).toEqual([REFUSED]);
    });

    it('passes the accessibility checks in light and dark colours', async () => {
      const { page } = opened.watched;
      const barriers: unknown[] = [];
      await page.emulateMedia({ colorScheme: 'dark' });
      await opened.docs.reload();
      expect(await page.locator('html.dark-mode').count()).toBe(1);
      const check = async () => {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          const followed = colorScheme === 'dark' ? 'html.dark-mode' : 'html:not(.dark-mode)';
          await page.locator(followed).waitFor();
          barriers.push(...(await findBarriers(page, [])));
        }
      };
      await check();
      for (const id of [
        'getReadiness',
        'listCampaigns',
        'getCampaign',
        'updateCampaign',
        'applyCampaign',
      ]) {
        await opened.docs.unfold(id);
      }
      const health = opened.docs.operation('getReadiness');
      await health.getByRole('button', { name: 'Execute' }).click();
      await health.locator('.live-responses-table').waitFor();
      await check();
      await opened.docs.openCredentials();
      await check();
      expect(barriers).toEqual([]);
    });
  });

  it('loads nothing from elsewhere under a public host name either', async () => {
    const { page, sources } = await watchedPage(opened.browser);
    const url = new URL(opened.service.docs);
    url.hostname = 'campaigns.example';
    await new DocsPage(page).open(url.href);
    await page.waitForLoadState('networkidle');
    expect(sources()).toEqual([url.origin]);
    await page.context().close();
  });

  it('fits a phone, closed and with an operation expanded', async () => {
    const { page, complaints } = await watchedPage(opened.browser, PHONE);
    const onPhone = new DocsPage(page);
    await onPhone.open(opened.service.docs);
    expect(await overflow(page)).toBe(0);
    const overlaps = await page.evaluate(() => {
      const { document } = globalThis as any;
      const boxes = (selector: string, within: string): Box[][] =>
        [...document.querySelectorAll(within)].map((each: any) =>
          [...each.querySelectorAll(selector)].map((part: any) => part.getBoundingClientRect()),
        );
      const parts = [
        ...boxes('small', '.info .title'),
        ...boxes(
          '.opblock-summary-method, .opblock-summary-path, .opblock-summary-description',
          '.opblock-summary',
        ),
        ...boxes('span, small, button', '.opblock-tag'),
      ];
      return parts.flatMap((each) =>
        each.filter((a, index) =>
          each
            .slice(index + 1)
            .some(
              (b) =>
                Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
                Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1,
            ),
        ),
      ).length;
    });
    expect(overlaps).toBe(0);
    for (const id of ['registerCompany', 'setSurveyQuestions', 'applyCampaign', 'listCampaigns']) {
      await onPhone.unfold(id);
      expect([id, await overflow(page)]).toEqual([id, 0]);
    }
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
