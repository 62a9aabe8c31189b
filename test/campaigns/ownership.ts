import { createAdvertisement, createSurvey, question, REWARDS } from '../support/builders';
import { companyForAll } from '../support/fixtures';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { storedCampaign, storedQuestionSets } from '../support/stored';

const NO_CAMPAIGN = 'post_01k9x2v8zdf3xbz0q4v5rk6t7m';

/** The requests on one campaign. */
const OPERATIONS: [method: string, path: string, fields: object][] = [
  ['POST', '/svc/survey/questions', { questions: [question()] }],
  ['POST', '/svc/advertisement/questions', { questions: [question()] }],
  ['PATCH', '/svc/campaign/update', { title: 'Changed', reward_amount: 50 }],
  ['PATCH', '/svc/campaign/cohort-rewards', REWARDS],
  ['PATCH', '/svc/campaign/toggle-live', { is_live: true }],
];

describe('the ownership of a campaign (sections 4.6, 5 and 7)', () => {
  const owner = companyForAll();
  const stranger = companyForAll();

  describe.each(OPERATIONS)('%s %s', (method, path, fields) => {
    const send = (post_id: unknown, { api } = owner) =>
      api.send(method, path, { ...fields, post_id });

    it.each([
      ['survey', createSurvey, {}],
      ['advertisement', createAdvertisement, { has_feedback: true }],
      ['advertisement without feedback', createAdvertisement, {}],
    ])("refuses another company's %s and changes nothing", async (_, create, own) => {
      const { post_id } = await create(owner.api, own);
      const before = await storedCampaign(service.dataSource, post_id);
      expectError(await send(post_id, stranger), 403, 'campaign_not_owned');
      expect(await storedCampaign(service.dataSource, post_id)).toEqual(before);
      expect(await storedQuestionSets(service.dataSource, post_id)).toEqual([]);
    });

    it.each([
      NO_CAMPAIGN,
      'post_',
      '1',
      'POST_01K9X2V8ZDF3XBZ0Q4V5RK6T7M',
      "' OR '1'='1",
      '%',
      'ü😀',
      'x'.repeat(100),
    ])('finds no campaign for %s', async (postId) => {
      expectError(await send(postId), 404, 'campaign_not_found');
    });

    it('finds no campaign by its numeric id', async () => {
      const { id } = await createSurvey(owner.api);
      expectError(await send(String(id)), 404, 'campaign_not_found');
    });

    it('refuses a post_id that is absent or no text', async () => {
      expectInvalid(await send(undefined), { post_id: 'required' });
      expectInvalid(await send([NO_CAMPAIGN]), { post_id: 'invalid_type' });
    });
  });

  it('accepts every key of the owning company', async () => {
    const { post_id } = await createSurvey(owner.api);
    const another = await owner.account.post('/svc/api-key/generate');
    const client = service.client.withKey(another.body.data.api_key);
    const { status } = await client.patch('/svc/campaign/toggle-live', { post_id, is_live: true });
    expect(status).toBe(200);
  });

  it("keeps the owner's questions when another company sends others", async () => {
    const { post_id } = await createSurvey(owner.api);
    await owner.api.post('/svc/survey/questions', { post_id, questions: [question()] });
    const before = await storedQuestionSets(service.dataSource, post_id);
    const others = { post_id, questions: [question({ question: 'Mine?' })] };
    const answer = await stranger.api.post('/svc/survey/questions', others);
    expectError(answer, 403, 'campaign_not_owned');
    expect(await storedQuestionSets(service.dataSource, post_id)).toEqual(before);
  });

  it('reveals nothing of the campaign to another company, such as whether a reward would be valid', async () => {
    const { post_id } = await createSurvey(owner.api, { title: 'Confidential' });
    const answers = await Promise.all(
      [100, 99].map((cohort_5_reward) =>
        stranger.api
          .with({ 'x-request-id': 'the-same' })
          .patch('/svc/campaign/cohort-rewards', { post_id, ...REWARDS, cohort_5_reward }),
      ),
    );
    expectError(answers[0]!, 403, 'campaign_not_owned');
    expect(answers[1]!.body).toEqual(answers[0]!.body);
    expect(JSON.stringify(answers[0]!.body)).not.toContain('Confidential');
  });
});
