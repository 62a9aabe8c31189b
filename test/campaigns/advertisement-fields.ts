import { createAdvertisement, createSurvey, question } from '../support/builders';
import { registerCompany } from '../support/client';
import { start } from '../support/fielding';
import { companyForAll } from '../support/fixtures';
import { service } from '../support/service';

describe('the operations on an advertisement (sections 4.4 to 4.7)', () => {
  const company = companyForAll();

  const read = async (postId: string) =>
    (await company.api.get(`/svc/campaign/${postId}`)).body.data;

  const update = (post_id: string, fields: Record<string, unknown>) =>
    company.api.patch('/svc/campaign/update', { post_id, ...fields });

  it.each([
    ['video_url', 'https://example.com/other.mp4'],
    ['thumbnail_url', 'https://example.com/other.jpg'],
    ['duration_seconds', 1],
    ['duration_seconds', 31_536_000],
  ])('changes only %s, to %s', async (field, value) => {
    const { post_id } = await createAdvertisement(company.api, {
      thumbnail_url: 'https://example.com/spot.jpg',
      duration_seconds: 30,
      has_feedback: true,
    });
    const before = await read(post_id);
    const { status } = await update(post_id, { [field]: value });
    expect(status).toBe(200);
    expect(await read(post_id)).toEqual({
      ...before,
      [field]: value,
      updated_at: expect.any(String),
    });
  });

  it.each([
    ['video_url', null, 'null_not_allowed'],
    ['thumbnail_url', null, 'null_not_allowed'],
    ['thumbnail_url', 'data:image/png;base64,AA==', 'invalid_url'],
    ['duration_seconds', null, 'null_not_allowed'],
    ['duration_seconds', 0, 'too_small'],
    ['duration_seconds', 31_536_001, 'too_large'],
    ['has_feedback', true, 'unknown_field'],
  ])('refuses %s %j in an update: %s', async (field, value, code) => {
    const { post_id } = await createAdvertisement(company.api);
    const before = await read(post_id);
    const { status, body } = await update(post_id, { title: 'Changed', [field]: value });
    expect(status).toBe(400);
    expect(body.error?.details).toEqual([{ field, code, message: expect.any(String) }]);
    expect(await read(post_id)).toEqual(before);
  });

  it.each([
    ['video_url', 'https://example.com/spot.mp4'],
    ['thumbnail_url', 'https://example.com/spot.jpg'],
    ['duration_seconds', 30],
  ])('refuses %s on a survey and changes nothing', async (field, value) => {
    const { post_id } = await createSurvey(company.api);
    const before = await read(post_id);
    const { status, body } = await update(post_id, {
      title: 'Changed',
      reward_amount: 5,
      [field]: value,
    });
    expect([status, body.error?.code]).toEqual([422, 'wrong_campaign_type']);
    expect(await read(post_id)).toEqual(before);
  });

  it("reports that another company's survey is not owned, whatever the fields", async () => {
    const other = await registerCompany(service.client);
    const { post_id } = await createSurvey(other.api);
    const { status, body } = await update(post_id, { duration_seconds: 30 });
    expect([status, body.error?.code]).toEqual([403, 'campaign_not_owned']);
  });

  it('keeps its other fields when its rewards, questions and state change', async () => {
    const { post_id } = await createAdvertisement(company.api, { has_feedback: true });
    const before = await read(post_id);
    const { data } = await update(post_id, { reward_amount: 12.34 });
    const cohort_rewards = { ...data.cohort_rewards, cohort_1_reward: 3.5 };
    await company.api.patch('/svc/campaign/cohort-rewards', { post_id, ...cohort_rewards });
    const set = await company.api.post('/svc/advertisement/questions', {
      post_id,
      questions: [question()],
    });
    await start(company.api, post_id);
    expect(await read(post_id)).toEqual({
      ...before,
      reward_amount: 12.34,
      cohort_rewards,
      questions: {
        question_id: set.data.question_id,
        total_questions: 1,
        created_at: expect.any(String),
      },
      is_live: true,
      status: 'live',
      updated_at: expect.any(String),
    });
  });
});
