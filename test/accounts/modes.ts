import { requestedApproval } from '../support/approvals';
import { imageSurvey, images, survey, advertisement, question, REWARDS } from '../support/builders';
import { Answer, Client, registerCompany } from '../support/client';
import openapi from '../../openapi.json';
import { allEvents } from '../support/feed';
import { begun, liveSurvey, start, submit } from '../support/fielding';
import { companyForAll } from '../support/fixtures';
import { createGuardrail, guardrail } from '../support/guardrails';
import { generateKey } from '../support/keys';
import { platformClient } from '../support/platforms';
import { Receiver } from '../support/receiver';
import { expectError } from '../support/refusals';
import { service } from '../support/service';
import { settleOne, storedCompany } from '../support/settlements';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

/** What exists in the other mode. */
interface Other {
  mode: 'live' | 'test';
  post_id: string;
  external_ref: string;
  webhook_id: string;
  event_id: string;
  /** A participation that is open. */
  participation_id: string;
  link_id: string;
  guardrail_id: string;
  settlement_id: string;
  approval_id: string;
}

type Send = (api: Client, other: Other) => Promise<Answer>;

/** An operation on something that the other mode has must find nothing. */
const missing =
  (code: string, send: Send): Send =>
  async (api, other) => {
    const answer = await send(api, other);
    expectError(answer, 404, code);
    return answer;
  };

const campaign = (send: Send) => missing('campaign_not_found', send);
const webhook = (send: Send) => missing('webhook_not_found', send);
const settlement = (send: Send) => missing('settlement_not_found', send);
const onGuardrail = (send: Send) => missing('guardrail_not_found', send);

/** An operation that names nothing must not mention what the other mode has. */
const silent =
  (send: Send): Send =>
  async (api, other) => {
    const answer = await send(api, other);
    expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    const { mode: _, external_ref: __, ...identifiers } = other;
    for (const identifier of Object.values(identifiers)) {
      expect(JSON.stringify(answer.body)).not.toContain(identifier);
    }
    return answer;
  };

const apply = (api: Client, external_ref: string) =>
  api.put('/svc/campaign/apply', {
    ...survey({ external_ref, type: 'survey', format: 'questionnaire' }),
  });

const SCORE = { attention_score: 5, answers: [] };

/** The operations of platforms, which a test key may try too, on what the other mode has. */
const FIELDING: Readonly<Record<string, readonly [finds: (send: Send) => Send, send: Send]>> = {
  listFielding: [silent, (api) => api.get('/svc/fielding/list?respondent_id=user-2&limit=100')],
  listFieldingFor: [
    silent,
    (api) => api.post('/svc/fielding/list', { respondent_id: 'user-2', limit: 100 }),
  ],
  beginParticipation: [
    campaign,
    (api, { post_id }) => api.post('/svc/fielding/begin', { post_id, respondent_id: 'user-2' }),
  ],
  submitParticipation: [
    campaign,
    (api, { post_id, participation_id }) =>
      api.post('/svc/fielding/submit', { post_id, participation_id, ...SCORE }),
  ],
  getParticipation: [
    (send) => missing('participation_not_found', send),
    (api, { participation_id }) => api.get(`/svc/fielding/participation/${participation_id}`),
  ],
  listSettlements: [silent, (api) => api.get('/svc/fielding/settlement/list')],
  getSettlement: [
    settlement,
    (api, { settlement_id }) => api.get(`/svc/fielding/settlement/${settlement_id}`),
  ],
  downloadSettlement: [
    settlement,
    (api, { settlement_id }) => api.get(`/svc/fielding/settlement/${settlement_id}/file`),
  ],
  getRespondent: [silent, (api) => api.get('/svc/fielding/respondent?respondent_id=user-1')],
  abandonParticipation: [
    campaign,
    (api, { post_id, participation_id }) =>
      api.post('/svc/fielding/abandon', { post_id, participation_id }),
  ],
  reverseParticipation: [
    campaign,
    (api, { post_id, participation_id }) =>
      api.post('/svc/fielding/reverse', { post_id, participation_id, reason: 'A mistake' }),
  ],
  listFieldingDisputes: [silent, (api) => api.get('/svc/fielding/disputes?limit=100')],
  decideDispute: [
    campaign,
    (api, { post_id, participation_id }) =>
      api.post('/svc/fielding/decide-dispute', { post_id, participation_id, is_accepted: true }),
  ],
  // Each mode has a respondent with this identifier; the caller erases its own.
  eraseRespondent: [
    (send) =>
      silent(async (api, other) => {
        const answer = await send(api, other);
        expect(answer.body.data).toEqual({ participations: 1 });
        return answer;
      }),
    (api) => api.post('/svc/fielding/erase-respondent', { respondent_id: 'user-3' }),
  ],
};

/** They accept no live key at all, and a test key does not find what is live. */
const ofPlatforms =
  ([finds, send]: (typeof FIELDING)[string]): Send =>
  async (api, other) => {
    if (other.mode === 'live') {
      return finds(send)(api, other);
    }
    const answer = await send(api, other);
    expectError(answer, 403, 'insufficient_scope');
    return answer;
  };

/** Every operation that takes an API key, called with a key of one mode about the other. */
const OPERATIONS: Readonly<Record<string, Send>> = {
  createSurvey: silent((api) => api.post('/svc/survey/create', survey())),
  createAdvertisement: silent((api) => api.post('/svc/advertisement/create', advertisement())),
  createBinarySurvey: silent((api) => api.post('/svc/image-survey/binary', imageSurvey())),
  createImageSliderSurvey: silent((api) => api.post('/svc/image-survey/slider', imageSurvey())),
  createRoundRobinSurvey: silent((api) =>
    api.post('/svc/image-survey/round-robin', imageSurvey({ images: images(3) })),
  ),
  setSurveyQuestions: campaign((api, { post_id }) =>
    api.post('/svc/survey/questions', { post_id, questions: [question()] }),
  ),
  setAdvertisementQuestions: campaign((api, { post_id }) =>
    api.post('/svc/advertisement/questions', { post_id, questions: [question()] }),
  ),
  getQuestions: campaign((api, { post_id }) => api.get(`/svc/campaign/${post_id}/questions`)),
  getQuestionHistory: campaign((api, { post_id }) =>
    api.get(`/svc/campaign/${post_id}/questions/history`),
  ),
  setTargeting: campaign((api, { post_id }) =>
    api.post('/svc/campaign/targeting', { post_id, attributes: [], quotas: [] }),
  ),
  getTargeting: campaign((api, { post_id }) => api.get(`/svc/campaign/${post_id}/targeting`)),
  getQuotas: campaign((api, { post_id }) => api.get(`/svc/campaign/${post_id}/quotas`)),
  getCampaign: campaign((api, { post_id }) => api.get(`/svc/campaign/${post_id}`)),
  getCampaignHistory: campaign((api, { post_id }) => api.get(`/svc/campaign/${post_id}/history`)),
  listCampaigns: silent((api) => api.get('/svc/campaign/list?limit=100')),
  updateCampaign: campaign((api, { post_id }) =>
    api.patch('/svc/campaign/update', { post_id, title: 'Changed' }),
  ),
  toggleLive: campaign((api, { post_id }) =>
    api.patch('/svc/campaign/toggle-live', { post_id, is_live: true }),
  ),
  checkLaunch: campaign((api, { post_id }) => api.get(`/svc/campaign/${post_id}/launch-check`)),
  duplicateCampaign: campaign((api, { post_id }) =>
    api.post('/svc/campaign/duplicate', { post_id }),
  ),
  archiveCampaign: campaign((api, { post_id }) => api.post('/svc/campaign/archive', { post_id })),
  unarchiveCampaign: campaign((api, { post_id }) =>
    api.post('/svc/campaign/unarchive', { post_id }),
  ),
  updateCohortRewards: campaign((api, { post_id }) =>
    api.patch('/svc/campaign/cohort-rewards', { post_id, ...REWARDS }),
  ),
  // The same external_ref names another campaign in each mode.
  applyCampaign: silent((api, { external_ref }) => apply(api, external_ref)),
  previewCohortRewards: silent((api) =>
    api.post('/svc/campaign/cohort-rewards/preview', { reward_amount: 100 }),
  ),
  forecastCampaign: campaign((api, { post_id }) => api.post('/svc/campaign/forecast', { post_id })),
  simulateCampaign: async (api, other) => {
    const { post_id } = other;
    const answer = await api.post('/svc/campaign/simulate', { post_id, respondents: 1, seed: 1 });
    if (other.mode === 'live') {
      expectError(answer, 404, 'campaign_not_found');
    } else {
      expectError(answer, 403, 'test_key_required');
    }
    return answer;
  },
  listResponses: campaign((api, { post_id }) => api.get(`/svc/campaign/${post_id}/responses`)),
  getPlatformScores: campaign((api, { post_id }) =>
    api.get(`/svc/campaign/${post_id}/results/platforms`),
  ),
  getCampaignResults: campaign((api, { post_id }) => api.get(`/svc/campaign/${post_id}/results`)),
  getResponse: campaign((api, { post_id, participation_id }) =>
    api.get(`/svc/campaign/${post_id}/responses/${participation_id}`),
  ),
  getCrosstab: campaign((api, { post_id }) =>
    api.get(`/svc/campaign/${post_id}/results/crosstab?rows=q1&columns=cohort`),
  ),
  compareWaves: campaign((api, { post_id }) =>
    api.get(`/svc/campaign/${post_id}/results/waves?compare=${post_id}`),
  ),
  // Without rows, an export is one line of JSON.
  exportResponses: campaign((api, { post_id }) =>
    api.get(`/svc/campaign/${post_id}/responses/export`),
  ),
  createResultsLink: campaign((api, { post_id }) =>
    api.post('/svc/campaign/results-link', { post_id }),
  ),
  listResultsLinks: campaign((api, { post_id }) =>
    api.get(`/svc/campaign/results-link/list?post_id=${post_id}`),
  ),
  getResultsLink: campaign((api, { post_id, link_id }) =>
    api.get(`/svc/campaign/${post_id}/results-link/${link_id}`),
  ),
  revokeResultsLink: missing('results_link_not_found', (api, { link_id }) =>
    api.post('/svc/campaign/results-link/revoke', { link_id }),
  ),
  createPreviewLink: campaign((api, { post_id }) =>
    api.post('/svc/campaign/preview-link', { post_id }),
  ),
  listPreviewLinks: campaign((api, { post_id }) =>
    api.get(`/svc/campaign/preview-link/list?post_id=${post_id}`),
  ),
  getPreviewLink: campaign((api, { post_id, link_id }) =>
    api.get(`/svc/campaign/${post_id}/preview-link/${link_id}`),
  ),
  revokePreviewLink: missing('preview_link_not_found', (api, { link_id }) =>
    api.post('/svc/campaign/preview-link/revoke', { link_id }),
  ),
  createGuardrail: campaign((api, { post_id }) =>
    api.post('/svc/guardrail/create', guardrail({ post_id })),
  ),
  listGuardrails: silent((api) => api.get('/svc/guardrail/list')),
  getGuardrail: onGuardrail((api, { guardrail_id }) => api.get(`/svc/guardrail/${guardrail_id}`)),
  updateGuardrail: onGuardrail((api, { guardrail_id }) =>
    api.patch('/svc/guardrail/update', { guardrail_id, name: 'Renamed' }),
  ),
  armGuardrail: onGuardrail((api, { guardrail_id }) =>
    api.post('/svc/guardrail/arm', { guardrail_id }),
  ),
  backtestGuardrail: onGuardrail((api, { guardrail_id }) =>
    api.post('/svc/guardrail/backtest', { guardrail_id }),
  ),
  deleteGuardrail: onGuardrail((api, { guardrail_id }) =>
    api.post('/svc/guardrail/delete', { guardrail_id }),
  ),
  payBonus: missing('participation_not_found', (api, { participation_id }) =>
    api.post('/svc/response/bonus', { participation_id, amount: 5, bonus_ref: 'b-1' }),
  ),
  openDispute: missing('participation_not_found', (api, { participation_id }) =>
    api.post('/svc/response/dispute', { participation_id, reason: 'A mistake' }),
  ),
  listDisputes: silent((api) => api.get('/svc/response/disputes?limit=100')),
  getApproval: missing('approval_not_found', (api, { approval_id }) =>
    api.get(`/svc/approval/${approval_id}`),
  ),
  listTransfers: silent((api) => api.get('/svc/ledger/list?limit=100')),
  exportTransfers: silent((api) => api.get('/svc/ledger/export')),
  reconcileLedger: silent(async (api) => {
    const answer = await api.get('/svc/ledger/reconcile');
    // The participations of its own mode.
    expect(answer.body.data).toMatchObject({ checked: 2, differences: [] });
    return answer;
  }),
  listCompanySettlements: silent((api) => api.get('/svc/settlement/list')),
  getCompanySettlement: settlement((api, { settlement_id }) =>
    api.get(`/svc/settlement/${settlement_id}`),
  ),
  getBalance: silent((api) => api.get('/svc/balance')),
  ...Object.fromEntries(Object.entries(FIELDING).map(([id, each]) => [id, ofPlatforms(each)])),
  listEvents: silent((api) => api.get('/svc/event/list?limit=1000')),
  createWebhook: silent((api) => api.post('/svc/webhook/create', { url: 'http://127.0.0.1:9/' })),
  listWebhooks: silent((api) => api.get('/svc/webhook/list')),
  getEvent: missing('event_not_found', (api, { event_id }) => api.get(`/svc/event/${event_id}`)),
  getWebhook: webhook((api, { webhook_id }) => api.get(`/svc/webhook/${webhook_id}`)),
  updateWebhook: webhook((api, { webhook_id }) =>
    api.patch('/svc/webhook/update', { webhook_id, enabled: false }),
  ),
  rotateWebhookSecret: webhook((api, { webhook_id }) =>
    api.post('/svc/webhook/rotate-secret', { webhook_id }),
  ),
  deleteWebhook: webhook((api, { webhook_id }) => api.post('/svc/webhook/delete', { webhook_id })),
  testWebhook: webhook((api, { webhook_id }) => api.post('/svc/webhook/test', { webhook_id })),
  listWebhookDeliveries: webhook((api, { webhook_id }) =>
    api.get(`/svc/webhook/${webhook_id}/deliveries`),
  ),
  replayWebhook: webhook((api, { webhook_id, event_id }) =>
    api.post('/svc/webhook/replay', { webhook_id, event_id }),
  ),
};

describe('live and test mode', () => {
  const company = companyForAll();
  let receivers: Record<'live' | 'test', Receiver>;
  let clients: Record<'live' | 'test', Client>;
  let made: Record<'live' | 'test', Other>;
  let platform: Client;

  beforeAll(async () => {
    const { api: test } = await generateKey(company.account, service.client, { mode: 'test' });
    clients = { live: company.api, test };
    platform = await platformClient(service);
    receivers = { live: await Receiver.start(), test: await Receiver.start() };
    const make = async (mode: 'live' | 'test'): Promise<Other> => {
      const api = clients[mode];
      const { body } = await api.post('/svc/webhook/create', { url: receivers[mode].url });
      const { post_id } = (await apply(api, 'the same')).body.data;
      const [, event] = await allEvents(api, 2);
      await start(api, post_id);
      const link = await api.post('/svc/campaign/results-link', { post_id });
      const { guardrail_id } = await createGuardrail(api, { post_id });
      const fielding = mode === 'test' ? api : platform;
      const { participation_id } = await begun(fielding, post_id, 'user-1');
      await submit(fielding, await begun(fielding, await liveSurvey({ api }), 'user-3'), 5);
      const environment = storedCompany(company.companyId, mode);
      return {
        mode,
        post_id,
        external_ref: 'the same',
        webhook_id: body.data.webhook_id,
        link_id: link.body.data.link_id,
        guardrail_id,
        event_id: event!.event_id,
        participation_id,
        settlement_id: await settleOne(service.dataSource, environment),
        approval_id: await requestedApproval(company.account, { mode }),
      };
    };
    made = { live: await make('live'), test: await make('test') };
  });

  afterAll(async () => {
    await receivers.live.stop();
    await receivers.test.stop();
  });

  /** What is stored about these things. */
  const stored = ({ post_id, webhook_id, participation_id, link_id, guardrail_id }: Other) =>
    service.dataSource.query(
      `SELECT (SELECT to_jsonb(c) FROM campaign AS c WHERE post_id = $1) AS campaign,
         (SELECT w.version FROM webhook_endpoint AS w WHERE webhook_id = $2) AS webhook,
         (SELECT to_jsonb(p) FROM participation AS p WHERE participation_id = stored_id($3)) AS participation,
         (SELECT to_jsonb(g) FROM campaign_progress AS g
          JOIN campaign AS c ON c.company_id = g.company_id AND c.id = g.campaign_id
          WHERE c.post_id = $1) AS progress,
         (SELECT to_jsonb(l) FROM results_link AS l WHERE link_id = $4) AS link,
         (SELECT to_jsonb(g) FROM guardrail AS g WHERE guardrail_id = $5) AS guardrail`,
      [post_id, webhook_id, participation_id, link_id, guardrail_id],
    );

  it('cover every operation that takes an API key', () => {
    const taking = Object.values(openapi.paths)
      .flatMap((item) => Object.values<any>(item))
      .filter(({ security }) => security.some((each: object) => 'api_key' in each))
      .map(({ operationId }) => operationId);
    expect(Object.keys(OPERATIONS).toSorted()).toEqual(taking.toSorted());
  });

  describe.each([
    ['test', 'live'],
    ['live', 'test'],
  ] as const)('a %s key', (mode, other) => {
    it.each(Object.entries(OPERATIONS))('learns and changes nothing %s', async (_, send) => {
      const before = await stored(made[other]);
      expect(before).toEqual([
        {
          campaign: expect.objectContaining({ is_live: true }),
          webhook: expect.anything(),
          participation: expect.objectContaining({ state: 'open' }),
          progress: expect.objectContaining({ taken: 1 }),
          link: expect.objectContaining({ revoked_at: null }),
          guardrail: expect.objectContaining({ name: 'Too dear' }),
        },
      ]);
      await send(clients[mode], made[other]);
      expect(await stored(made[other])).toEqual(before);
    });

    it('sees events of its mode only, which say so', async () => {
      const events = await allEvents(clients[mode], 2);
      expect(new Set(events.map((event: any) => event.mode))).toEqual(new Set([mode]));
      const keys = events.filter(({ type }) => type === 'api_key.generated');
      expect(keys).not.toEqual([]);
      for (const { changes } of keys) {
        expect(String(changes.prefix?.new).startsWith('csk_test_')).toBe(mode === 'test');
      }
    });

    it('gets its mode with every campaign', async () => {
      const api = clients[mode];
      const { post_id } = made[mode];
      const { data } = (await api.get(`/svc/campaign/${post_id}`)).body;
      const [listed] = (await api.get('/svc/campaign/list')).body.data.items;
      expect([data.mode, listed.mode]).toEqual([mode, mode]);
      const created = (await api.post('/svc/survey/create', survey())).body.data;
      const { is_live, ...rest } = created;
      expect({ is_live, mode: rest.mode, status: rest.status }).toEqual({
        is_live: false,
        mode,
        status: 'draft',
      });
    });

    it('is notified of its mode only', async () => {
      const messages = await receivers[mode].until(3);
      expect(new Set(messages.map(({ body }: any) => body.data.mode))).toEqual(new Set([mode]));
      expect(messages.map(({ body }) => body.data.subject)).not.toContain(made[other].post_id);
    });
  });

  describe('a platform key', () => {
    it('covers every operation that takes a platform key', () => {
      const taking = Object.values(openapi.paths)
        .flatMap((item) => Object.values<any>(item))
        .filter(({ security }) => security.some((each: object) => 'platform_key' in each))
        .map(({ operationId }) => operationId);
      expect(Object.keys(FIELDING).toSorted()).toEqual(taking.toSorted());
    });

    it.each(Object.entries(FIELDING))(
      'learns and changes nothing about test campaigns: %s',
      async (_, [finds, send]) => {
        const before = await stored(made.test);
        await finds(send)(platform, made.test);
        expect(await stored(made.test)).toEqual(before);
      },
    );
  });

  it('have a key each, which the account lists and a rotation keeps apart', async () => {
    const { body } = await company.account.get('/svc/api-key/list');
    const modes = body.data.items.map(({ mode }: any) => mode);
    // Each mode has a key whose request waits for an approval.
    expect(modes.toSorted()).toEqual(['live', 'live', 'test', 'test']);
    const { key_id } = body.data.items.find(({ mode }: any) => mode === 'test');
    const rotated = await company.account.post('/svc/api-key/rotate', {
      key_id,
      overlap_seconds: 3600,
    });
    expect(rotated.body.data).toMatchObject({
      mode: 'test',
      api_key: expect.stringMatching(/^csk_test_[0-9A-Za-z]{36}$/),
      prefix: expect.stringMatching(/^csk_test_[0-9A-Za-z]{6}$/),
    });
    const history = await company.account.get(`/svc/api-key/${key_id}/history`);
    expect(history.body.data.items).toHaveLength(2);
    const api = service.client.withKey(rotated.body.data.api_key);
    expect((await api.get(`/svc/campaign/${made.test.post_id}`)).status).toBe(200);
    expectError(await api.get(`/svc/campaign/${made.live.post_id}`), 404, 'campaign_not_found');
  });

  it('are told apart by the functions that print and read the identifier of a company', async () => {
    const { companyId } = await registerCompany(service.client);
    const printed = companyId.replace('co_', 'test_');
    const [row] = await service.dataSource.query(
      `SELECT stored_id($1) AS stored, printed_id('co', stored_id($1)) AS test,
         printed_id('co', stored_id($2)) AS live`,
      [printed, companyId],
    );
    expect(row).toEqual({ stored: storedEnvironment(printed), test: printed, live: companyId });
  });

  it("do not change that another company's campaign is 403, in either mode", async () => {
    const { api } = await registerCompany(service.client);
    for (const { post_id } of Object.values(made)) {
      expectError(await api.get(`/svc/campaign/${post_id}`), 403, 'campaign_not_owned');
    }
  });
});
