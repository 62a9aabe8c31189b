import type { Browser } from 'playwright-core';
import {
  findBarriers,
  KnownBarrier,
  launchChromium,
  WatchedPage,
  watchedPage,
} from '../support/browser';
import { PASSWORD } from '../support/client';
import { createTestDatabase, TestDatabase } from '../support/databases';
import { DocsPage, ShownAnswer } from '../support/docs-page';
import { TEST_JWT_SECRET } from '../support/env';
import { RunningService, runService } from '../support/process';

const SECTIONS = [
  'Company',
  'API keys',
  'Surveys',
  'Advertisements',
  'Image surveys',
  'Questions',
  'Campaigns',
  'Cohort rewards',
  'Campaign documents',
  'Health',
];

/** What needs a key, in an order in which each finds what it needs. */
const WITH_A_KEY = [
  'createSurvey',
  'setSurveyQuestions',
  'getQuestions',
  'getQuestionHistory',
  'getCampaign',
  'updateCampaign',
  'updateCohortRewards',
  'toggleLive',
  'getCampaignHistory',
  'createAdvertisement',
  'setAdvertisementQuestions',
  'createRoundRobinSurvey',
  'createBinarySurvey',
  'createImageSliderSurvey',
  'previewCohortRewards',
  'applyCampaign',
  'listCampaigns',
];

/** What the account token is for, once there is a key; the last one ends it. */
const ON_KEYS = ['listApiKeys', 'getApiKeyHistory', 'rotateApiKey', 'revokeApiKey'];

/** Barriers in what Swagger UI draws, which neither its options nor a style sheet can mend. */
const BARRIERS_OF_SWAGGER_UI: readonly KnownBarrier[] = [
  ['nested-interactive', '.opblock-summary-control', 'the path in the button can be focused too'],
  ['select-name', '#servers', 'its label has no text'],
  ['select-name', '.parameters select', 'the value of a parameter has no label'],
  ['select-name', '.examples-select-element', 'the choice of an example has no label'],
  ['label', '.body-param__text', 'the field for the body has no label'],
  ['scrollable-region-focusable', 'pre.microlight', 'a long example scrolls by mouse only'],
  ['button-name', '.close-modal', 'the cross of the dialogue has no name'],
  ['label-content-name-mismatch', '.modal-btn.authorize', 'it says one thing and is named another'],
];

const REFUSED = 'Failed to load resource: the server responded with a status of 401 (Unauthorized)';

describe('The documentation page in Chromium', () => {
  let database: TestDatabase;
  let service: RunningService;
  let browser: Browser;
  let watched: WatchedPage;
  let docs: DocsPage;

  beforeAll(async () => {
    browser = await launchChromium('--host-resolver-rules=MAP campaigns.example 127.0.0.1');
    database = await createTestDatabase();
    service = await runService({
      ...database.variables,
      JWT_SECRET: TEST_JWT_SECRET,
      RATE_LIMIT_ENABLED: 'true',
    });
  });

  afterAll(async () => {
    await browser.close();
    await service.stop();
    await database.drop();
  });

  beforeEach(async () => {
    watched = await watchedPage(browser);
    docs = new DocsPage(watched.page);
    await docs.open(service.docs);
  });

  afterEach(async () => {
    await watched.page.context().close();
    expect(watched.complaints).toEqual([]);
    expect(watched.sources()).toEqual([new URL(service.url).origin]);
  });

  const email = () => `browser-${Math.random().toString(36).slice(2)}@example.com`;

  function expectSuccess(id: string, { status, body }: ShownAnswer): any {
    expect([id, status, body]).toEqual([id, 200, expect.objectContaining({ success: true })]);
    return body.data;
  }

  /** Takes the page to an API key, as its guide says. */
  async function becomeCompany(): Promise<void> {
    const company = { name: 'A Company', email: email(), password: PASSWORD };
    const registered = await docs.send('registerCompany', company);
    await docs.authorise('account_token', expectSuccess('register', registered).access_token);
    const generated = await docs.send('generateApiKey');
    await docs.authorise('api_key', expectSuccess('generate', generated).api_key);
  }

  it('asks nothing of anyone else under a public name either', async () => {
    const { page, sources } = await watchedPage(browser);
    const url = new URL(service.docs);
    url.hostname = 'campaigns.example';
    await new DocsPage(page).open(url.href);
    await page.waitForLoadState('networkidle');
    expect(sources()).toEqual([url.origin]);
    await page.context().close();
  });

  it('opens with a guide that fits the first screen and names operations that exist', async () => {
    const { page } = watched;
    const guide = page.locator('.information-container');
    expect(await guide.getByRole('heading', { name: 'A first campaign' }).count()).toBe(1);
    const steps = guide.locator('ol');
    expect(await steps.locator('li').count()).toBe(3);
    const { y, height } = (await steps.boundingBox())!;
    expect(y + height).toBeLessThan(page.viewportSize()!.height);
    const named = await steps.locator('em').allInnerTexts();
    expect(named.length).toBeGreaterThan(4);
    const summaries = await page.locator('.opblock-summary-description').allInnerTexts();
    expect(summaries).toEqual(expect.arrayContaining(named));
  });

  it('has its operations in the order in which a newcomer needs them', async () => {
    const { page } = watched;
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

  it('takes a newcomer from registering to a live campaign (sections 1 and 4)', async () => {
    await becomeCompany();
    const survey = await docs.send('createSurvey');
    const { post_id } = expectSuccess('createSurvey', survey);
    expect(Object.keys(survey.body)).toEqual(['success', 'message', 'data']);
    const questions = await docs.send('setSurveyQuestions');
    expect(expectSuccess('setSurveyQuestions', questions).post_id).toBe(post_id);
    const toggled = await docs.send('toggleLive');
    expect(expectSuccess('toggleLive', toggled)).toMatchObject({ post_id, is_live: true });
  });

  it('goes on after a reload with the same credentials and the same campaign', async () => {
    await becomeCompany();
    const { post_id } = expectSuccess('createSurvey', await docs.send('createSurvey'));
    await docs.reload();
    const read = await docs.send('getCampaign');
    expect(expectSuccess('getCampaign', read).post_id).toBe(post_id);
    expectSuccess('getCompany', await docs.send('getCompany'));
  });

  it('has examples that all work when they are sent unchanged', async () => {
    const sent: string[] = [];
    async function sendExamples(id: string): Promise<any> {
      const operation = await docs.unfold(id);
      let last: any;
      for (const example of await docs.examplesOf(operation)) {
        last = expectSuccess(`${id} ${example ?? ''}`, await docs.execute(operation, example));
      }
      await docs.fold(operation);
      sent.push(id);
      return last;
    }

    await sendExamples('getLiveness');
    await sendExamples('getReadiness');
    await sendExamples('registerCompany');
    const { access_token } = await sendExamples('logIn');
    await docs.authorise('account_token', access_token);
    await sendExamples('getCompany');
    const { api_key } = await sendExamples('generateApiKey');
    await docs.authorise('api_key', api_key);
    for (const id of [...WITH_A_KEY, ...ON_KEYS]) {
      await sendExamples(id);
    }
    const operations = watched.page.locator('.opblock');
    const ids = await operations.evaluateAll((each) => each.map(({ id }) => id.split('-').at(-1)));
    expect(sent.sort()).toEqual(ids.sort());
  });

  it('shows the error envelope for a key that is wrong', async () => {
    await docs.authorise('api_key', 'csk_not_a_key');
    const { status, body } = await docs.send('createSurvey');
    expect(status).toBe(401);
    expect(body).toEqual({
      success: false,
      message: expect.any(String),
      data: null,
      error: { code: 'api_key_invalid', request_id: expect.any(String), details: [] },
    });
    expect(watched.complaints.splice(0)).toEqual([REFUSED]);
  });

  it.each(['light', 'dark'] as const)(
    'keeps nobody out of what is ours, in its %s colours',
    async (colorScheme) => {
      const { page } = watched;
      await page.emulateMedia({ colorScheme });
      await docs.reload();
      expect(await page.locator('html.dark-mode').count()).toBe(colorScheme === 'dark' ? 1 : 0);

      const barriers = await findBarriers(page, BARRIERS_OF_SWAGGER_UI);
      for (const id of [
        'getReadiness',
        'listCampaigns',
        'getCampaign',
        'updateCampaign',
        'applyCampaign',
      ]) {
        await docs.unfold(id);
      }
      const health = docs.operation('getReadiness');
      await health.getByRole('button', { name: 'Execute' }).click();
      await health.locator('.live-responses-table').waitFor();
      barriers.push(...(await findBarriers(page, BARRIERS_OF_SWAGGER_UI)));
      await docs.openCredentials();
      barriers.push(...(await findBarriers(page, BARRIERS_OF_SWAGGER_UI)));

      expect(barriers.filter(({ known }) => known === -1)).toEqual([]);
      // What Swagger UI has mended by now is to be struck off the list.
      const met = new Set(barriers.map(({ known }) => known));
      expect(BARRIERS_OF_SWAGGER_UI.filter((_, index) => !met.has(index))).toEqual([]);
    },
  );
});
