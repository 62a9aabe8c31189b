import { createImageSurvey, createSurvey, ladder, question } from '../support/builders';
import { begin, begun, liveSurvey, start, submit } from '../support/fielding';
import { companyForAll, platformForAll } from '../support/fixtures';
import { age, inHours, campaignStatus } from '../support/life';
import { platformClient } from '../support/platforms';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';

describe('POST /svc/fielding/begin', () => {
  const company = companyForAll();
  const platform = platformForAll();

  it('returns a place, what is promised for it, and what to show', async () => {
    const questions = [question(), question({ question: 'Anything else?', required: false })];
    const { post_id } = await createSurvey(company.api, { reward_amount: 250 });
    const set = await company.api.post('/svc/survey/questions', { post_id, questions });
    await start(company.api, post_id);
    const { status, body } = await begin(platform, post_id, 'ann');
    expect([status, body.message]).toEqual([200, 'Participation begun.']);
    expect(body.data).toEqual({
      post_id,
      participation_id: expect.stringMatching(/^part_[0-9a-z]{26}$/),
      status: 'open',
      begun_at: expect.any(String),
      expires_at: expect.any(String),
      currency: 'USD',
      maximum_reward: 250,
      cohort_rewards: ladder(3, 100, 150, 200, 250),
      content: {
        type: 'survey',
        format: 'questionnaire',
        title: 'Coffee habits',
        description: 'How people drink their coffee.',
        content_url: null,
        category: 'food',
        tagline: 'Tell us about your cup',
        video_url: null,
        thumbnail_url: null,
        duration_seconds: null,
        question_id: set.body.data.question_id,
        questions,
        image_survey: null,
      },
    });
    const { begun_at, expires_at } = body.data;
    expect(Date.parse(expires_at) - Date.parse(begun_at)).toBe(3_600_000);
  });

  it('gives a respondent as long as the campaign says', async () => {
    const post_id = await liveSurvey(company, { answer_minutes: 5 });
    const { begun_at, expires_at } = await begun(platform, post_id, 'ann');
    expect(Date.parse(expires_at) - Date.parse(begun_at)).toBe(300_000);
    await company.api.patch('/svc/campaign/update', { post_id, answer_minutes: null });
    const bob = await begun(platform, post_id, 'bob');
    expect(Date.parse(bob.expires_at) - Date.parse(bob.begun_at)).toBe(3_600_000);
  });

  it('shows the images of an image survey', async () => {
    const { post_id } = await createImageSurvey(company.api, 'round-robin');
    await start(company.api, post_id);
    const { content } = await begun(platform, post_id, 'ann');
    expect(content).toMatchObject({
      format: 'round_robin',
      questions: [],
      image_survey: { question: 'Which one?', total_images: 3, total_pairs: 3 },
    });
  });

  it('returns the same participation to the same respondent, also after its end', async () => {
    const post_id = await liveSurvey(company);
    const first = await begun(platform, post_id, 'ann');
    expect(await begun(platform, post_id, 'ann')).toEqual(first);
    expect((await begun(platform, post_id, 'bob')).participation_id).not.toBe(
      first.participation_id,
    );
    await submit(platform, first, 5);
    expect(await begun(platform, post_id, 'ann')).toEqual({ ...first, status: 'submitted' });
  });

  it('begins once for five requests at once', async () => {
    const post_id = await liveSurvey(company, { max_responses: 2 });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => begin(platform, post_id, 'ann')),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.data.participation_id)).size).toBe(1);
    const [{ taken }] = await service.dataSource.query(
      `SELECT taken FROM campaign_progress JOIN campaign
         ON campaign.company_id = campaign_progress.company_id AND id = campaign_id
       WHERE post_id = $1`,
      [post_id],
    );
    expect(taken).toBe(1);
  });

  it('says that a participation is over that is begun again', async () => {
    const post_id = await liveSurvey(company);
    await submit(platform, await begun(platform, post_id, 'ann'), 9);
    const { status, body } = await begin(platform, post_id, 'ann');
    expect([status, body.message]).toEqual([200, 'Participation is submitted.']);
  });

  it('distinguishes the respondents of platforms, but not of the keys of one', async () => {
    const post_id = await liveSurvey(company);
    const { participation_id } = await begun(platform, post_id, 'ann');
    const same = await platformClient(service);
    expect((await begun(same, post_id, 'ann')).participation_id).toBe(participation_id);
    const other = await platformClient(service, 'another app');
    expect((await begun(other, post_id, 'ann')).participation_id).not.toBe(participation_id);
    expectError(
      await submit(other, { post_id, participation_id }, 5),
      404,
      'participation_not_found',
    );
  });

  it('refuses a campaign that is not live', async () => {
    const { post_id } = await createSurvey(company.api);
    expectError(await begin(platform, post_id, 'ann'), 422, 'campaign_not_live');
    await start(company.api, post_id);
    await company.api.patch('/svc/campaign/toggle-live', { post_id, is_live: false });
    expectError(await begin(platform, post_id, 'ann'), 422, 'campaign_not_live');
    await company.api.post('/svc/campaign/archive', { post_id });
    expectError(await begin(platform, post_id, 'ann'), 422, 'campaign_not_live');
  });

  it('follows the times of a campaign before they are stored', async () => {
    const post_id = await liveSurvey(company, { ends_at: inHours(1) });
    await age(service.dataSource, post_id, 2);
    expectError(await begin(platform, post_id, 'ann'), 422, 'campaign_completed');
    expect(await campaignStatus(company.api, post_id)).toMatchObject({ status: 'completed' });
  });

  it('refuses an unknown campaign and invalid fields', async () => {
    expectError(await begin(platform, 'post_unknown', 'ann'), 404, 'campaign_not_found');
    expectInvalid(await platform.post('/svc/fielding/begin', { respondent_id: ' ' }), {
      post_id: 'required',
      respondent_id: 'empty',
    });
  });

  it('holds the places of those who are answering, and says so to others', async () => {
    const post_id = await liveSurvey(company, { max_responses: 2, budget: 1000 });
    const ann = await begun(platform, post_id, 'ann');
    await begun(platform, post_id, 'bob');
    expectError(await begin(platform, post_id, 'cleo'), 422, 'fully_held');
    expect(await campaignStatus(company.api, post_id)).toMatchObject({ status: 'live' });
    await submit(platform, ann, 9);
    expectError(await begin(platform, post_id, 'cleo'), 422, 'fully_held');
    expect(await campaignStatus(company.api, post_id)).toMatchObject({ status: 'live' });
  });

  it('holds the largest of the five rewards from the budget', async () => {
    const { post_id } = await createSurvey(company.api, { budget: 500 });
    await company.api.patch('/svc/campaign/cohort-rewards', {
      post_id,
      ...ladder(3, 40, 250.5, 80, 100),
    });
    await start(company.api, post_id);
    const ann = await begun(platform, post_id, 'ann');
    expect(ann.maximum_reward).toBe(250.5);
    expectError(await begin(platform, post_id, 'bob'), 422, 'fully_held');
    await submit(platform, ann, 10);
    await begun(platform, post_id, 'bob');
  });
});
