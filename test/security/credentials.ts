import { ERROR_STATUS, ErrorCode } from '../../src/platform/protocol/error-codes';
import { choice, createAdvertisement, createSurvey, question } from '../support/builders';
import { Answer, Client, PASSWORD, registerCompany } from '../support/client';
import { requestedApproval } from '../support/approvals';
import { ALL_DISPUTABLE, openDispute } from '../support/disputes';
import { DocumentedOperation, readOperations } from '../support/document';
import { allEvents } from '../support/feed';
import { begun, start, submit } from '../support/fielding';
import { companyForAll } from '../support/fixtures';
import { createGuardrail } from '../support/guardrails';
import { generateKey } from '../support/keys';
import { platformClient } from '../support/platforms';
import { service } from '../support/service';
import { settleOne, storedCompany } from '../support/settlements';

/** What a request with each credential gets: 200, or the code of its error. */
type Row = readonly [
  none: Outcome,
  accountToken: Outcome,
  liveKey: Outcome,
  testKey: Outcome,
  platformKey: Outcome,
  anotherCompanys: Outcome,
];

type Outcome = 200 | ErrorCode;

const CREDENTIALS = [
  'no credential',
  'the account token',
  'a live key',
  'a test key',
  'a platform key',
  "another company's live key and account token",
] as const;

const NO_KEY = 'api_key_missing';
const NO_TOKEN = 'token_missing';
const SCOPE = 'insufficient_scope';

const PUBLIC: Row = [200, 200, 200, 200, 200, 200];
/** Every company has its own. */
const ACCOUNT: Row = [NO_TOKEN, 200, NO_TOKEN, NO_TOKEN, NO_TOKEN, 200];
const KEY: Row = [NO_TOKEN, 200, NO_TOKEN, NO_TOKEN, NO_TOKEN, 'api_key_not_found'];
const NO_APPROVAL = 'approval_not_found';
const APPROVAL: Row = [NO_TOKEN, 200, NO_TOKEN, NO_TOKEN, NO_TOKEN, NO_APPROVAL];
const APPROVAL_OF_KEY: Row = [NO_KEY, NO_KEY, 200, NO_APPROVAL, SCOPE, NO_APPROVAL];
/** Every company has its own, in live and in test mode. */
const COMPANY: Row = [NO_KEY, NO_KEY, 200, 200, SCOPE, 200];
const CAMPAIGN: Row = [NO_KEY, NO_KEY, 200, 'campaign_not_found', SCOPE, 'campaign_not_owned'];
const WEBHOOK: Row = [NO_KEY, NO_KEY, 200, 'webhook_not_found', SCOPE, 'webhook_not_found'];
const EVENT: Row = [NO_KEY, NO_KEY, 200, 'event_not_found', SCOPE, 'event_not_found'];
const LINK: Row = [NO_KEY, NO_KEY, 200, 'results_link_not_found', SCOPE, 'results_link_not_found'];
/** By the campaign that they show. */
const CAMPAIGN_LINK: Row = [...CAMPAIGN];
/** By the campaign that it is to. */
const RESPONSE: Row = [...CAMPAIGN];
/** By the participation alone. */
const OWN_RESPONSE: Row = [
  NO_KEY,
  NO_KEY,
  200,
  'participation_not_found',
  SCOPE,
  'participation_not_found',
];
const PREVIEW: Row = [
  NO_KEY,
  NO_KEY,
  200,
  'preview_link_not_found',
  SCOPE,
  'preview_link_not_found',
];
const GUARDRAIL: Row = [NO_KEY, NO_KEY, 200, 'guardrail_not_found', SCOPE, 'guardrail_not_found'];
/** On a campaign that it names too. */
const GUARDRAIL_OF_CAMPAIGN: Row = [...CAMPAIGN];
/** Every platform has its own, and so has every company in test mode. */
const RESPONDENT: Row = [NO_KEY, NO_KEY, SCOPE, 200, 200, SCOPE];
/** A test key of the company may do it in its own test campaigns only. */
const FIELDING: Row = [NO_KEY, NO_KEY, SCOPE, 'campaign_not_found', 200, SCOPE];
const PARTICIPATION: Row = [NO_KEY, NO_KEY, SCOPE, 'participation_not_found', 200, SCOPE];
const TEST_PARTICIPATION: Row = [NO_KEY, NO_KEY, SCOPE, 200, 'participation_not_found', SCOPE];
const TEST_FIELDING: Row = [NO_KEY, NO_KEY, SCOPE, 200, 'campaign_not_found', SCOPE];

const NO_SETTLEMENT = 'settlement_not_found';
const COMPANY_SETTLEMENT: Row = [NO_KEY, NO_KEY, 200, NO_SETTLEMENT, SCOPE, NO_SETTLEMENT];
const SETTLEMENT: Row = [NO_KEY, NO_KEY, SCOPE, NO_SETTLEMENT, 200, SCOPE];
const TEST_SETTLEMENT: Row = [NO_KEY, NO_KEY, SCOPE, 200, NO_SETTLEMENT, SCOPE];

/** For test keys, in their own test campaigns. */
const SIMULATION: Row = [
  NO_KEY,
  NO_KEY,
  'test_key_required',
  'campaign_not_found',
  SCOPE,
  'test_key_required',
];

/** What is about a response. */
const SUBMITTED: readonly string[] = [
  'reverseParticipation',
  'getResponse',
  'payBonus',
  'openDispute',
  'decideDispute',
];

const ON_A_TEST_CAMPAIGN = ' on a test campaign';

/** Every operation, on what the live key made unless the row says otherwise. */
const MATRIX: Readonly<Record<string, Row>> = {
  getLiveness: PUBLIC,
  getReadiness: PUBLIC,
  registerCompany: PUBLIC,
  logIn: PUBLIC,
  getReceiptKeys: PUBLIC,

  getCompany: ACCOUNT,
  generateApiKey: ACCOUNT,
  listApiKeys: ACCOUNT,
  getApiKeyHistory: KEY,
  updateApiKeyLimits: KEY,
  getApiKeySpending: KEY,
  revokeApiKey: KEY,
  listApprovals: ACCOUNT,
  getApprovalRequest: APPROVAL,
  approveRequest: APPROVAL,
  refuseRequest: APPROVAL,
  getApproval: APPROVAL_OF_KEY,
  rotateApiKey: KEY,

  createSurvey: COMPANY,
  createAdvertisement: COMPANY,
  createRoundRobinSurvey: COMPANY,
  createBinarySurvey: COMPANY,
  createImageSliderSurvey: COMPANY,
  applyCampaign: COMPANY,
  listCampaigns: COMPANY,
  previewCohortRewards: COMPANY,
  listTransfers: COMPANY,
  exportTransfers: COMPANY,
  reconcileLedger: COMPANY,
  listCompanySettlements: COMPANY,
  getCompanySettlement: COMPANY_SETTLEMENT,
  getBalance: COMPANY,
  listEvents: COMPANY,
  createWebhook: COMPANY,
  listWebhooks: COMPANY,

  setSurveyQuestions: CAMPAIGN,
  setAdvertisementQuestions: CAMPAIGN,
  getQuestions: CAMPAIGN,
  getQuestionHistory: CAMPAIGN,
  getCampaign: CAMPAIGN,
  getCampaignHistory: CAMPAIGN,
  setTargeting: CAMPAIGN,
  getTargeting: CAMPAIGN,
  getQuotas: CAMPAIGN,
  updateCampaign: CAMPAIGN,
  updateCohortRewards: CAMPAIGN,
  toggleLive: CAMPAIGN,
  checkLaunch: CAMPAIGN,
  forecastCampaign: CAMPAIGN,
  duplicateCampaign: CAMPAIGN,
  archiveCampaign: CAMPAIGN,
  unarchiveCampaign: CAMPAIGN,
  listResponses: CAMPAIGN,
  getCampaignResults: CAMPAIGN,
  getResponse: RESPONSE,
  payBonus: OWN_RESPONSE,
  openDispute: OWN_RESPONSE,
  listDisputes: COMPANY,
  getCrosstab: CAMPAIGN,
  compareWaves: CAMPAIGN,
  getPlatformScores: CAMPAIGN,
  exportResponses: CAMPAIGN,
  createResultsLink: CAMPAIGN,
  listResultsLinks: COMPANY,
  getResultsLink: CAMPAIGN_LINK,
  revokeResultsLink: LINK,
  createPreviewLink: CAMPAIGN,
  listPreviewLinks: COMPANY,
  getPreviewLink: CAMPAIGN_LINK,
  revokePreviewLink: PREVIEW,
  simulateCampaign: SIMULATION,
  createGuardrail: CAMPAIGN,
  listGuardrails: COMPANY,
  getGuardrail: GUARDRAIL,
  updateGuardrail: GUARDRAIL,
  armGuardrail: GUARDRAIL_OF_CAMPAIGN,
  backtestGuardrail: CAMPAIGN,
  deleteGuardrail: GUARDRAIL,

  getEvent: EVENT,

  getWebhook: WEBHOOK,
  updateWebhook: WEBHOOK,
  rotateWebhookSecret: WEBHOOK,
  testWebhook: WEBHOOK,
  listWebhookDeliveries: WEBHOOK,
  replayWebhook: WEBHOOK,
  deleteWebhook: WEBHOOK,

  listFielding: RESPONDENT,
  listFieldingFor: RESPONDENT,
  eraseRespondent: RESPONDENT,
  getRespondent: RESPONDENT,
  listFieldingDisputes: RESPONDENT,
  getParticipation: PARTICIPATION,
  [`getParticipation${ON_A_TEST_CAMPAIGN}`]: TEST_PARTICIPATION,
  listSettlements: RESPONDENT,
  getSettlement: SETTLEMENT,
  downloadSettlement: SETTLEMENT,
  [`getSettlement${ON_A_TEST_CAMPAIGN}`]: TEST_SETTLEMENT,
  [`downloadSettlement${ON_A_TEST_CAMPAIGN}`]: TEST_SETTLEMENT,
  beginParticipation: FIELDING,
  submitParticipation: FIELDING,
  abandonParticipation: FIELDING,
  reverseParticipation: FIELDING,
  decideDispute: FIELDING,
  [`beginParticipation${ON_A_TEST_CAMPAIGN}`]: TEST_FIELDING,
  [`submitParticipation${ON_A_TEST_CAMPAIGN}`]: TEST_FIELDING,
  [`abandonParticipation${ON_A_TEST_CAMPAIGN}`]: TEST_FIELDING,
  [`reverseParticipation${ON_A_TEST_CAMPAIGN}`]: TEST_FIELDING,
  [`decideDispute${ON_A_TEST_CAMPAIGN}`]: TEST_FIELDING,
};

/** A URL to which nothing is ever sent, because its address is not public. */
const NOWHERE = 'https://127.0.0.1/webhooks';

describe('the credentials of every operation', () => {
  const company = companyForAll();
  let test: Client;
  let platform: Client;
  let operations: Map<string, DocumentedOperation>;
  /** In the order of {@link CREDENTIALS}. */
  let clients: readonly Client[];
  let made = 0;

  beforeAll(async () => {
    const other = await registerCompany(service.client);
    test = (await generateKey(company.account, service.client, { mode: 'test' })).api;
    platform = await platformClient(service);
    const documented = await readOperations(service.client);
    operations = new Map(documented.map((operation) => [operation.id, operation]));
    clients = [
      service.client,
      company.account,
      company.api,
      test,
      platform,
      other.api.with(other.account.headers),
    ];
  });

  /** A campaign of its own for each request, so that none depends on an earlier one. */
  async function makeCampaign(id: string, owner: Client): Promise<string> {
    const { post_id } =
      id === 'setAdvertisementQuestions'
        ? await createAdvertisement(owner, { has_feedback: true })
        : await createSurvey(owner, ALL_DISPUTABLE);
    return post_id;
  }

  /** What an operation on a participation needs: a live campaign, and a place in it. */
  async function makeParticipation(id: string, owner: Client): Promise<Record<string, unknown>> {
    const post_id = await makeCampaign(id, owner);
    await owner.post('/svc/survey/questions', {
      post_id,
      questions: [question({ type: 'text' })],
    });
    await start(owner, post_id);
    if (id === 'beginParticipation') {
      return { post_id };
    }
    const fielding = owner === test ? test : platform;
    const place = await begun(fielding, post_id, 'user-1');
    const answers = [{ question: 1, value: 'Java' }];
    if (SUBMITTED.includes(id) || id.endsWith('Settlement')) {
      await submit(fielding, place, 5, answers);
    }
    if (id === 'decideDispute') {
      await openDispute(owner, place);
    }
    const { participation_id } = place;
    return { post_id, participation_id, answers, bonus_ref: participation_id };
  }

  /** The settlement of a response. */
  async function makeSettlement(id: string, owner: Client): Promise<Record<string, unknown>> {
    await makeParticipation(id, owner);
    const environment = storedCompany(company.companyId, owner === test ? 'test' : 'live');
    return { settlement_id: await settleOne(service.dataSource, environment) };
  }

  /** A query in place of that of the example, whose names are of no campaign here. */
  async function queryOf(id: string, owner: Client, post_id: string): Promise<string | undefined> {
    if (id === 'getCrosstab') {
      await owner.post('/svc/survey/questions', { post_id, questions: [choice()] });
      return '?rows=1&columns=cohort';
    }
    return id === 'compareWaves' ? `?compare=${post_id}` : undefined;
  }

  /** What an operation's example needs in place of its own values. */
  async function valuesFor(
    id: string,
    owner: Client,
  ): Promise<Record<string, unknown> & { query?: string }> {
    made += 1;
    switch (MATRIX[id]) {
      case KEY: {
        const { key_id } = await generateKey(company.account, service.client);
        return { key_id };
      }
      case APPROVAL:
      case APPROVAL_OF_KEY:
        return { approval_id: await requestedApproval(company.account) };
      case WEBHOOK: {
        const { body } = await owner.post('/svc/webhook/create', { url: NOWHERE });
        return { webhook_id: body.data.webhook_id, url: NOWHERE };
      }
      case LINK:
      case CAMPAIGN_LINK:
      case PREVIEW: {
        const post_id = await makeCampaign(id, owner);
        const kind = id.includes('Preview') ? 'preview' : 'results';
        const { body } = await owner.post(`/svc/campaign/${kind}-link`, { post_id });
        return { post_id, link_id: body.data.link_id };
      }
      case EVENT: {
        await makeCampaign(id, owner);
        const [event] = await allEvents(owner, 1);
        return { event_id: event!.event_id };
      }
      case COMPANY_SETTLEMENT:
      case SETTLEMENT:
        return makeSettlement(id, owner);
      case RESPONSE:
      case OWN_RESPONSE:
        return makeParticipation(id, owner);
      case GUARDRAIL:
      case GUARDRAIL_OF_CAMPAIGN: {
        const post_id = await makeCampaign(id, owner);
        const { guardrail_id } = await createGuardrail(owner, { post_id, name: `${made}` });
        return { guardrail_id, post_id, name: `${made} renamed` };
      }
      case CAMPAIGN:
      case SIMULATION: {
        const post_id = await makeCampaign(id, owner);
        return { post_id, cohort_5_reward: 100, query: await queryOf(id, owner, post_id) };
      }
      default:
        return id.endsWith('Participation') || id === 'decideDispute'
          ? makeParticipation(id, owner)
          : {
              url: NOWHERE,
              password: PASSWORD,
              email: id === 'logIn' ? company.email : `${made}-${company.email}`,
            };
    }
  }

  async function send(client: Client, row: string): Promise<Answer> {
    const id = row.replace(ON_A_TEST_CAMPAIGN, '');
    const owner = row === id ? company.api : test;
    const { method, path, query, body } = operations.get(id)!;
    const values = await valuesFor(id, owner);
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
    const url = filled + (values.query ?? query);
    const own = Object.entries(values).filter(([name]) => body !== undefined && name in body);
    const answer = await client.send(method, url, body && { ...body, ...Object.fromEntries(own) });
    if (values.webhook_id !== undefined) {
      // A company has at most 20.
      await owner.post('/svc/webhook/delete', { webhook_id: values.webhook_id });
    }
    return answer;
  }

  it('are in the matrix', () => {
    const rows = Object.keys(MATRIX).map((row) => row.replace(ON_A_TEST_CAMPAIGN, ''));
    expect([...new Set(rows)].toSorted()).toEqual([...operations.keys()].toSorted());
    const tested = [...operations.values()].filter(
      ({ id, takesTestKeys }) => takesTestKeys && MATRIX[id] !== RESPONDENT,
    );
    const onTest = Object.keys(MATRIX).filter((row) => row.endsWith(ON_A_TEST_CAMPAIGN));
    expect(onTest.toSorted()).toEqual(
      tested.map(({ id }) => `${id}${ON_A_TEST_CAMPAIGN}`).toSorted(),
    );
  });

  it.each(Object.entries(MATRIX))('are as the matrix says: %s', async (row, expected) => {
    const outcomes = [];
    for (const client of clients) {
      const { status, body } = await send(client, row);
      outcomes.push([status, body.error?.code]);
    }
    const named = (cells: readonly unknown[]) =>
      Object.fromEntries(CREDENTIALS.map((credential, index) => [credential, cells[index]]));
    expect(named(outcomes)).toEqual(
      named(
        expected.map((outcome) =>
          outcome === 200 ? [200, undefined] : [ERROR_STATUS[outcome], outcome],
        ),
      ),
    );
  });
});
