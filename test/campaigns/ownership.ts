import { createAdvertisement, createSurvey, question } from '../support/builders';
import { companyForAll } from '../support/fixtures';
import { Operation, operationsOn } from '../support/operations';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { storedCampaign, storedQuestionSets } from '../support/stored';

const NO_CAMPAIGN = 'post_01k9x2v8zdf3xbz0q4v5rk6t7m';
const PATHS = operationsOn(NO_CAMPAIGN).map(({ method, path }) => [method, path] as const);

describe('the ownership of a campaign (sections 4.6, 5 and 7)', () => {
  const owner = companyForAll();
  const stranger = companyForAll();

  const operation = (path: string, postId: string): Operation =>
    operationsOn(postId).find((each) => each.path === path)!;

  describe.each(PATHS)('%s %s', (method, path) => {
    it.each([
      ['survey', createSurvey, {}],
      ['advertisement', createAdvertisement, { has_feedback: true }],
      ['advertisement without feedback', createAdvertisement, {}],
    ])("refuses another company's %s and changes nothing", async (_, create, fields) => {
      const { post_id } = await create(owner.api, fields);
      const before = await storedCampaign(service.dataSource, post_id);
      const { body } = operation(path, post_id);
      const answer = await stranger.api.send(method, path, body);
      expectError(answer, 403, 'campaign_not_owned');
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
      const { body } = operation(path, postId);
      expectError(await owner.api.send(method, path, body), 404, 'campaign_not_found');
    });

    it('finds no campaign by its numeric id', async () => {
      const { id } = await createSurvey(owner.api);
      const { body } = operation(path, String(id));
      expectError(await owner.api.send(method, path, body), 404, 'campaign_not_found');
    });

    it.each<[string, unknown]>([
      ['required', undefined],
      ['invalid_type', [NO_CAMPAIGN]],
    ])('refuses a post_id that is %s', async (code, postId) => {
      const body = { ...operation(path, NO_CAMPAIGN).body, post_id: postId };
      expectInvalid(await owner.api.send(method, path, body), { post_id: code });
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
    const { method, path, body } = operation('/svc/campaign/cohort-rewards', post_id);
    const answers = await Promise.all(
      [100, 99].map((cohort_5_reward) =>
        stranger.api
          .with({ 'x-request-id': 'the-same' })
          .send(method, path, { ...body, cohort_5_reward }),
      ),
    );
    expectError(answers[0]!, 403, 'campaign_not_owned');
    expect(answers[1]!.body).toEqual(answers[0]!.body);
    expect(JSON.stringify(answers[0]!.body)).not.toContain('Confidential');
  });
});
