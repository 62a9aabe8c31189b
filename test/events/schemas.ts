import Ajv2020, { ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { approvalOf, decide, requestedApproval } from '../support/approvals';
import { fund, prepay } from '../support/balance';
import {
  createAdvertisement,
  createSurvey,
  imageSurvey,
  question,
  survey,
} from '../support/builders';
import {
  ALL_DISPUTABLE,
  answeredSurvey,
  decideDispute,
  openDispute,
  payBonus,
} from '../support/disputes';
import { allEvents } from '../support/feed';
import { liveSurvey, submit } from '../support/fielding';
import { companyForAll } from '../support/fixtures';
import { createGuardrail, spent } from '../support/guardrails';
import { inHours } from '../support/life';
import { platformClient } from '../support/platforms';
import { service } from '../support/service';
import { beginAs, quota, setTargeting, WOMEN } from '../support/targeting';

describe('the schemas of events', () => {
  const company = companyForAll();
  let document: any;
  let isEvent: ValidateFunction;
  let isMessage: ValidateFunction;

  beforeAll(async () => {
    document = (await service.client.get('/openapi.json')).body;
    const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));
    ajv.addSchema({ ...withoutFurtherFields(document), $id: 'document' });
    isEvent = ajv.compile({ $ref: 'document#/components/schemas/Event' });
    isMessage = ajv.compile({ $ref: 'document#/components/schemas/WebhookMessage' });
  });

  /** The document with closed schemas of events, so that a field it lacks is an error. */
  function withoutFurtherFields(open: any): any {
    const closed = structuredClone(open);
    for (const [name, schema] of Object.entries<any>(closed.components.schemas)) {
      if (name.endsWith('Event') && schema.properties !== undefined) {
        schema.additionalProperties = false;
        schema.properties.changes.additionalProperties = false;
      }
    }
    return closed;
  }

  /** Makes every kind of change that an API can make. */
  async function makeChanges(): Promise<void> {
    const { api, account } = company;
    const platform = await platformClient(service);
    const post = async (path: string, body: object, by = api) => {
      const { status, body: response } = await by.post(path, body);
      expect([path, status, response.error]).toEqual([path, 200, undefined]);
      return response.data;
    };
    const patch = async (path: string, body: object) => {
      const { status, body: response } = await api.patch(path, body);
      expect([path, status, response.error]).toEqual([path, 200, undefined]);
    };
    await createAdvertisement(api, {
      content_url: 'https://example.com',
      thumbnail_url: 'https://example.com/t.png',
      duration_seconds: 30,
      has_feedback: true,
    });
    await post('/svc/image-survey/binary', imageSurvey());
    const limits = { starts_at: inHours(1), ends_at: inHours(2), max_responses: 5, budget: 1_000 };
    const { post_id } = await createSurvey(api, {
      ...limits,
      answer_minutes: 5,
      review_days: 7,
      maximum_dispute_share: 1,
    });
    const cleared = Object.fromEntries(Object.keys(limits).map((name) => [name, null]));
    await patch('/svc/campaign/update', { post_id, ...cleared, answer_minutes: null });
    await patch('/svc/campaign/update', { post_id, ...limits, title: 'New', reward_amount: 50.5 });
    await post('/svc/survey/questions', { post_id, questions: [question()] });
    const { body } = await api.get(`/svc/campaign/${post_id}`);
    const rewards = { ...body.data.cohort_rewards, cohort_1_reward: 4 };
    await patch('/svc/campaign/cohort-rewards', { post_id, ...rewards });
    await patch('/svc/campaign/toggle-live', { post_id, is_live: true });
    await patch('/svc/campaign/toggle-live', { post_id, is_live: false });
    await post('/svc/campaign/archive', { post_id });
    await post('/svc/campaign/unarchive', { post_id });
    const applied = await api.put('/svc/campaign/apply', {
      ...survey(limits),
      external_ref: 'mine',
      type: 'survey',
    });
    expect(applied.status).toBe(200);

    const last = await liveSurvey(company, { ...ALL_DISPUTABLE, max_responses: 1 });
    await createGuardrail(api, { post_id: last, when: { all: [spent(1)] } });
    await setTargeting(api, last, { quotas: [quota('women', WOMEN, 1)] });
    const asking = await liveSurvey(company);
    await setTargeting(api, asking, {
      screening_questions: [{ type: 'checkbox', question: 'Coffee?' }],
      qualify: { all: [{ question: 'q1', op: 'is', value: true }] },
      screen_out_reward: 1,
    });
    const screenedOut = await platform.post('/svc/fielding/begin', {
      post_id: asking,
      respondent_id: 'user-1',
      screening_answers: [{ question: 1, value: false }],
    });
    expect(screenedOut.body.error).toMatchObject({ code: 'screened_out', reward: 1 });
    const { data: participation } = await beginAs(platform, last, 'user-1', { gender: 'female' });
    expect((await submit(platform, participation, 5)).status).toBe(200);
    const { participation_id } = participation;
    const disputed = await answeredSurvey(company, platform, ALL_DISPUTABLE);
    for (const part of [participation, disputed]) {
      await payBonus(api, part, 1, part.participation_id);
      expect((await openDispute(api, part)).status).toBe(200);
    }
    expect((await decideDispute(platform, disputed, false, 'Consistent')).status).toBe(200);
    const reversal = { post_id: last, participation_id, reason: 'A duplicate' };
    await post('/svc/fielding/reverse', reversal, platform);

    const key = await post('/svc/api-key/generate', { expires_at: inHours(24) }, account);
    const { key_id } = await post(
      '/svc/api-key/rotate',
      { key_id: key.key_id, overlap_seconds: 60 },
      account,
    );
    await post('/svc/api-key/revoke', { key_id }, account);
    await post('/svc/api-key/generate', { name: 'importer' }, account);

    await makeDecisions();

    const { webhook_id } = await post('/svc/webhook/create', { url: 'https://127.0.0.1/hooks' });
    await post('/svc/webhook/test', { webhook_id });
    await patch('/svc/webhook/update', { webhook_id, enabled: false });

    // Less than the live campaigns can cost.
    await prepay(company, 150);
    await fund(company, 10);
    await fund(company, 5, 'refund');
  }

  /** Lets requests wait, and decides about them in every way. */
  async function makeDecisions(): Promise<void> {
    const { account } = company;
    await decide(account, 'approve', { approval_id: await requestedApproval(account) });
    const refused = { approval_id: await requestedApproval(account), reason: 'Too much' };
    await decide(account, 'refuse', refused);
    const outdated = await requestedApproval(account);
    const { post_id } = await approvalOf(company.api, outdated);
    await company.api.patch('/svc/campaign/update', { post_id, title: 'Changed' });
    await decide(account, 'approve', { approval_id: outdated });
    const expired = await requestedApproval(account);
    await service.dataSource.query(
      `UPDATE approval SET expires_at = requested_at WHERE approval_id = stored_id($1)`,
      [expired],
    );
    await requestedApproval(account);
  }

  it('describe every field of every type of event, and of its message', async () => {
    await makeChanges();
    const events = await allEvents(company.api, 50);
    for (const event of events) {
      expect([event.type, isEvent(event) ? [] : isEvent.errors]).toEqual([event.type, []]);
      const message = { type: event.type, timestamp: event.created_at, data: event };
      expect([event.type, isMessage(message) ? [] : isMessage.errors]).toEqual([event.type, []]);
    }
    const types = document.components.schemas.EventType.enum as string[];
    // No operation changes a key in another way.
    const made = types.filter((type) => type !== 'api_key.updated');
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(made));
  });

  it('refuse the fields of another type', async () => {
    const [event] = await allEvents(company.api, 1);
    expect(isEvent(event)).toBe(true);
    expect(isEvent({ ...event, type: 'campaign.started' })).toBe(false);
    expect(isMessage({ type: 'campaign.started', timestamp: event!.created_at, data: event })).toBe(
      false,
    );
  });
});
