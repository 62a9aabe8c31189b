import {
  anyPostId,
  createAdvertisement,
  createSurvey,
  ladder,
  question,
} from '../support/builders';
import { allEvents, FeedEvent } from '../support/feed';
import { companyForEach } from '../support/fixtures';
import { service } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

describe('the events of a change', () => {
  const company = companyForEach();

  /** Returns the events after that of the company's key, without what differs from run to run. */
  async function eventsAfterKey(count: number) {
    const events = await allEvents(company.api, count + 1);
    expect(events).toHaveLength(count + 1);
    return events.slice(1).map(({ type, version, changes }) => ({ type, version, changes }));
  }

  it('have a number, an identifier, a subject, an actor and a time', async () => {
    const started = Date.now();
    const { post_id } = await createSurvey(company.api);
    const [key, created] = (await allEvents(company.api, 2)) as [FeedEvent, FeedEvent];
    expect(created).toEqual({
      seq: 2,
      event_id: expect.stringMatching(/^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      type: 'campaign.created',
      mode: 'live',
      subject: post_id,
      version: 1,
      actor: { type: 'api_key', id: key.subject },
      created_at: expect.any(String),
      currency: 'USD',
      changes: expect.objectContaining({
        title: { old: null, new: 'Coffee habits' },
        reward_amount: { old: null, new: 100 },
      }),
    });
    expect(Math.abs(Date.parse(created.created_at) - started)).toBeLessThan(60_000);
    expect(key).toMatchObject({
      seq: 1,
      type: 'api_key.generated',
      subject: expect.stringMatching(/^key_/),
      actor: { type: 'account', id: company.companyId },
    });
    expect(key.event_id).not.toBe(created.event_id);
    expect((await allEvents(company.api, 2))[1]).toEqual(created);
  });

  it('have a type for each way to change a campaign', async () => {
    const { post_id } = await createSurvey(company.api);
    await company.api.patch('/svc/campaign/update', { post_id, title: 'New', reward_amount: 50 });
    await company.api.post('/svc/survey/questions', { post_id, questions: [question()] });
    await company.api.patch('/svc/campaign/cohort-rewards', {
      post_id,
      ...ladder(4, 20, 30, 40, 50),
    });
    await company.api.patch('/svc/campaign/toggle-live', { post_id, is_live: true });
    await company.api.patch('/svc/campaign/toggle-live', { post_id, is_live: false });
    const [created, ...changes] = await eventsAfterKey(6);
    expect(created).toMatchObject({ type: 'campaign.created', version: 1 });
    expect(changes).toEqual([
      {
        type: 'campaign.updated',
        version: 2,
        changes: {
          title: { old: 'Coffee habits', new: 'New' },
          reward_amount: { old: 100, new: 50 },
          cohort_2_reward: { old: 40, new: 20 },
          cohort_3_reward: { old: 60, new: 30 },
          cohort_4_reward: { old: 80, new: 40 },
          cohort_5_reward: { old: 100, new: 50 },
        },
      },
      {
        type: 'campaign.questions_replaced',
        version: 3,
        changes: { question_set_version: { old: null, new: 1 } },
      },
      {
        type: 'campaign.cohort_rewards_updated',
        version: 4,
        changes: { cohort_1_reward: { old: 3, new: 4 } },
      },
      { type: 'campaign.started', version: 5, changes: { is_live: { old: false, new: true } } },
      { type: 'campaign.stopped', version: 6, changes: { is_live: { old: true, new: false } } },
    ]);
  });

  it('are one of each kind for one statement, each with a version and an entry of the history', async () => {
    const document = { external_ref: 'one', type: 'survey', title: 'a', description: 'd' };
    const rest = { category: 'c', tagline: 't', reward_amount: 100 };
    const { body } = await company.api.put('/svc/campaign/apply', { ...document, ...rest });
    const rewards = { cohort_1_reward: 5, cohort_2_reward: 40, cohort_3_reward: 60 };
    const changed = {
      external_ref: 'one',
      title: 'b',
      is_live: true,
      cohort_rewards: { ...rewards, cohort_4_reward: 80, cohort_5_reward: 100 },
    };
    expect((await company.api.put('/svc/campaign/apply', changed)).status).toBe(200);
    expect((await eventsAfterKey(4)).slice(1)).toEqual([
      { type: 'campaign.updated', version: 2, changes: { title: { old: 'a', new: 'b' } } },
      {
        type: 'campaign.cohort_rewards_updated',
        version: 3,
        changes: { cohort_1_reward: { old: 3, new: 5 } },
      },
      { type: 'campaign.started', version: 4, changes: { is_live: { old: false, new: true } } },
    ]);
    const history = await company.api.get(`/svc/campaign/${body.data.post_id}/history?limit=3`);
    expect(history.body.data).toMatchObject({
      items: [
        { action: 'updated', changes: { is_live: { old: false, new: true } } },
        { action: 'updated', changes: { cohort_1_reward: { old: 3, new: 5 } } },
        { action: 'updated', changes: { title: { old: 'a', new: 'b' } } },
      ],
      next_cursor: expect.any(String),
    });
  });

  it('contain every field of a new campaign that has a value', async () => {
    await createAdvertisement(company.api, {
      content_url: 'https://example.com',
      has_feedback: true,
    });
    const [{ changes } = { changes: {} }] = await eventsAfterKey(1);
    expect(Object.keys(changes).toSorted()).toEqual(
      [
        ...['type', 'title', 'description', 'content_url', 'category', 'tagline', 'is_live'],
        'currency',
        ...['reward_amount', 'cohort_1_reward', 'cohort_2_reward', 'cohort_3_reward'],
        ...['cohort_4_reward', 'cohort_5_reward', 'video_url', 'has_feedback'],
      ].toSorted(),
    );
  });

  it.each([0, 60])('have types for a key, rotated with %i seconds of overlap', async (seconds) => {
    const generated = await company.account.post('/svc/api-key/generate', { name: 'k' });
    const { key_id } = generated.body.data;
    await company.account.post('/svc/api-key/rotate', { key_id, overlap_seconds: seconds });
    const other = await company.account.post('/svc/api-key/generate', { name: 'k' });
    await company.account.post('/svc/api-key/revoke', { key_id: other.body.data.key_id });
    const events = await allEvents(company.api, 6);
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      'api_key.generated',
      'api_key.generated',
      'api_key.generated',
      'api_key.generated',
      'api_key.revoked',
      'api_key.rotated',
    ]);
    const ofKey = events.filter(({ subject }) => subject === key_id);
    expect(ofKey.map(({ type }) => type)).toEqual(['api_key.generated', 'api_key.rotated']);
    expect(JSON.stringify(events)).not.toMatch(/hash|csk_\w{7}/);
  });

  it('are none for a refusal or a request that changes nothing', async () => {
    const { post_id } = await createSurvey(company.api);
    await company.api.patch('/svc/campaign/toggle-live', { post_id, is_live: false });
    await company.api.patch('/svc/campaign/update', { post_id, video_url: 'https://example.com' });
    expect(await eventsAfterKey(1)).toHaveLength(1);
  });

  it('keep the order of versions even if the clock was set back', async () => {
    const post_id = anyPostId();
    await allEvents(company.api, 1);
    // The last change was made an hour ahead of now.
    await service.dataSource.query(
      `INSERT INTO campaign (company_id, post_id, type, format, title, description, category,
         tagline, reward_amount, cohort_rewards, updated_by, updated_at)
       VALUES ($1, $2, 'survey', 'questionnaire', 't', 'd', 'c', 't', 100, '{3,40,60,80,100}',
         'key_x', now() + interval '1 hour')`,
      [storedEnvironment(company.companyId), post_id],
    );
    for (const title of ['a', 'b', 'c']) {
      await company.api.patch('/svc/campaign/update', { post_id, title });
    }
    const events = (await allEvents(company.api, 5)).slice(1);
    expect(events.map(({ version }) => version)).toEqual([1, 2, 3, 4]);
    expect(new Set(events.map(({ created_at }) => created_at)).size).toBe(1);
    expect(Date.parse(events[0]!.created_at)).toBeGreaterThan(Date.now() + 3_000_000);
  });
});
