import {
  choice,
  createAdvertisement,
  createImageSurvey,
  createSurvey,
  question,
} from '../support/builders';
import { companyForAll } from '../support/fixtures';
import { inHours } from '../support/life';
import { expectError, expectInvalid } from '../support/refusals';

describe('POST /svc/campaign/duplicate', () => {
  const company = companyForAll();

  const read = async (postId: string, path = '') =>
    (await company.api.get(`/svc/campaign/${postId}${path}`)).body.data;
  const duplicate = (fields: object) => company.api.post('/svc/campaign/duplicate', fields);

  it.each<[string, () => Promise<{ post_id: string }>, string | null]>([
    [
      'a survey',
      () => createSurvey(company.api, { content_url: 'https://example.com/' }),
      '/svc/survey/questions',
    ],
    [
      'an advertisement',
      () => createAdvertisement(company.api, { has_feedback: true, duration_seconds: 30 }),
      '/svc/advertisement/questions',
    ],
    ['an image survey', () => createImageSurvey(company.api, 'slider'), null],
  ])('copies everything that %s asks and pays', async (_, create, questionsPath) => {
    const { post_id } = await create();
    if (questionsPath !== null) {
      await company.api.post(questionsPath, { post_id, questions: [question(), choice()] });
    }
    await company.api.patch('/svc/campaign/update', {
      post_id,
      starts_at: inHours(-2),
      ends_at: inHours(2),
      max_responses: 7,
      budget: 900,
    });
    const source = await read(post_id);
    const rewards = { ...source.cohort_rewards, cohort_1_reward: 9 };
    await company.api.patch('/svc/campaign/cohort-rewards', { post_id, ...rewards });
    const { status, body, headers } = await duplicate({ post_id });
    expect([status, body.message]).toEqual([200, 'Campaign duplicated.']);
    expect(body.data).toEqual({
      id: expect.any(Number),
      post_id: expect.not.stringContaining(post_id),
      type: source.type,
      title: source.title,
      mode: 'live',
      is_live: false,
      status: 'draft',
      status_reasons: [],
      stop_reason: null,
    });
    const copy = await read(body.data.post_id);
    expect(copy).toEqual({
      ...source,
      ...body.data,
      cohort_rewards: rewards,
      starts_at: null,
      ends_at: null,
      questions: source.questions && {
        ...source.questions,
        question_id: expect.not.stringContaining(source.questions.question_id),
        created_at: expect.any(String),
      },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const content = async (id: string) => {
      const { questions, image_survey } = await read(id, '/questions');
      return { questions, image_survey };
    };
    expect(await content(body.data.post_id)).toEqual(await content(post_id));
    const again = await company.api
      .with({ 'if-match': headers.get('etag')! })
      .patch('/svc/campaign/update', { post_id: body.data.post_id, title: 'Changed' });
    expect(again.status).toBe(200);
    expect((await read(post_id)).title).toBe(source.title);
  });

  it('leaves the external_ref to the original, and takes a title', async () => {
    const { body } = await company.api.put('/svc/campaign/apply', {
      external_ref: 'original',
      type: 'survey',
      title: 't',
      description: 'd',
      category: 'c',
      tagline: 't',
      reward_amount: 10,
    });
    const copy = await duplicate({ post_id: body.data.post_id, title: 'Second' });
    expect(await read(copy.body.data.post_id)).toMatchObject({
      external_ref: null,
      title: 'Second',
    });
  });

  it('copies an archived campaign as a draft, and creates one copy for one key', async () => {
    const { post_id } = await createSurvey(company.api);
    await company.api.post('/svc/campaign/archive', { post_id });
    const once = company.api.with({ 'idempotency-key': `copy-${post_id}` });
    const [first, second] = [
      await once.post('/svc/campaign/duplicate', { post_id }),
      await once.post('/svc/campaign/duplicate', { post_id }),
    ];
    expect(first.body.data.status).toBe('draft');
    expect(second.body).toEqual(first.body);
  });

  it('refuses what is wrong', async () => {
    expectInvalid(await duplicate({ title: '', external_ref: 'x' }), {
      post_id: 'required',
      title: 'empty',
      external_ref: 'unknown_field',
    });
    expectError(await duplicate({ post_id: 'post_x' }), 404, 'campaign_not_found');
  });
});
