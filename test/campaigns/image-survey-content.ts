import { createImageSurvey, images, ladder, question } from '../support/builders';
import { violated } from '../support/constraints';
import { start } from '../support/fielding';
import { companyForAll } from '../support/fixtures';
import { service } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

const FORMATS = [['round-robin'], ['binary'], ['slider']] as const;

describe('the content of an image survey (section 4.7)', () => {
  const company = companyForAll();

  const labelled = [
    { url: 'https://example.com/a.png', label: 'Design A' },
    { url: 'https://example.com/b.png' },
    { url: 'https://example.com/c.png', label: 'Ünïcode 😀' },
  ];

  it.each([
    [
      'round-robin',
      { images: labelled },
      { question: 'Which one?', images: labelled, total_images: 3, total_pairs: 3 },
    ],
    [
      'binary',
      { images: labelled.slice(0, 2) },
      { question: 'Which one?', images: labelled.slice(0, 2), total_images: 2 },
    ],
    [
      'slider',
      { images: labelled, scale: { max: 1, step: 0.1, max_label: 'very much' } },
      {
        question: 'Which one?',
        images: labelled,
        total_images: 3,
        scale: { min: 0, max: 1, step: 0.1, max_label: 'very much' },
      },
    ],
  ] as const)('is returned as it was sent, in order: %s', async (path, fields, content) => {
    const { id, post_id } = await createImageSurvey(company.api, path, fields);
    const campaign = await company.api.get(`/svc/campaign/${post_id}`);
    expect(campaign.status).toBe(200);
    expect(campaign.body.data).toMatchObject({ image_survey: content, questions: null });
    const { body } = await company.api.get(`/svc/campaign/${post_id}/questions`);
    expect(body.data).toEqual({
      question_id: null,
      post_id,
      ad_id: id,
      question_type: 'survey',
      total_questions: 0,
      questions: [],
      created_at: null,
      image_survey: content,
    });
  });

  it.each(FORMATS)('comes with the default cohort rewards (section 2.3): %s', async (path) => {
    const { post_id } = await createImageSurvey(company.api, path, { reward_amount: 99 });
    const { body } = await company.api.get(`/svc/campaign/${post_id}`);
    expect(body.data.cohort_rewards).toEqual(ladder(3, 39.6, 59.4, 79.2, 99));
  });

  it.each(FORMATS)('refuses other questions: %s', async (path) => {
    const { post_id } = await createImageSurvey(company.api, path);
    const before = await company.api.get(`/svc/campaign/${post_id}`);
    const request = { post_id, questions: [question()] };
    const asSurvey = await company.api.post('/svc/survey/questions', request);
    expect([asSurvey.status, asSurvey.body.error?.code]).toEqual([422, 'questions_fixed']);
    const asAdvertisement = await company.api.post('/svc/advertisement/questions', request);
    expect([asAdvertisement.status, asAdvertisement.body.error?.code]).toEqual([
      422,
      'wrong_campaign_type',
    ]);
    expect((await company.api.get(`/svc/campaign/${post_id}`)).body).toEqual(before.body);
    const history = await company.api.get(`/svc/campaign/${post_id}/questions/history`);
    expect(history.body.data).toEqual({ items: [], next_cursor: null });
  });

  it.each(FORMATS)('stays unchanged by an update, new rewards and a toggle: %s', async (path) => {
    const { post_id } = await createImageSurvey(company.api, path);
    const before = await company.api.get(`/svc/campaign/${post_id}`);
    const changed = { title: 'Other', reward_amount: 50.5 };
    const { data } = await company.api.patch('/svc/campaign/update', { post_id, ...changed });
    const rewards = { ...data.cohort_rewards, cohort_1_reward: 4 };
    await company.api.patch('/svc/campaign/cohort-rewards', { post_id, ...rewards });
    await start(company.api, post_id);
    const after = await company.api.get(`/svc/campaign/${post_id}`);
    expect(after.body.data).toEqual({
      ...before.body.data,
      ...changed,
      cohort_rewards: rewards,
      is_live: true,
      status: 'live',
      updated_at: expect.any(String),
    });
  });

  describe('the database, whoever writes to it,', () => {
    const content = (count: number, more = {}) =>
      JSON.stringify({ question: 'Which?', images: images(count), ...more });
    const scale = { scale: { min: 0, max: 10, step: 1 } };

    /**
     * Returns the constraint that is violated by setting a campaign's format and content by SQL.
     */
    async function broken(format: string | null, imageSurvey: string | null): Promise<unknown> {
      const { post_id } = await createImageSurvey(company.api, 'slider');
      return violated(
        service.dataSource.query(
          'UPDATE campaign SET format = $2, image_survey = $3 WHERE post_id = $1',
          [post_id, format, imageSurvey],
        ),
      );
    }

    it.each([
      ['round_robin', content(3)],
      ['round_robin', content(20)],
      ['binary', content(2)],
      ['image_slider', content(1, scale)],
      ['questionnaire', null],
    ])('accepts %s with its content', async (format, imageSurvey) => {
      expect(await broken(format, imageSurvey)).toBe('none');
    });

    it.each([
      ['round_robin', null],
      ['round_robin', '{}'],
      ['round_robin', content(2)],
      ['round_robin', content(21)],
      ['binary', null],
      ['binary', content(1)],
      ['binary', content(3)],
      ['image_slider', null],
      ['image_slider', content(0, scale)],
      ['image_slider', content(21, scale)],
      ['image_slider', content(1)],
      ['questionnaire', content(2)],
    ])('refuses %s with %s', async (format, imageSurvey) => {
      expect(await broken(format, imageSurvey)).toBe('campaign_image_survey');
    });

    it.each([[null], ['carousel']])('refuses a survey of the format %s', async (format) => {
      expect(await broken(format, null)).toBe('campaign_format_known');
    });

    it('refuses a question set on an image survey', async () => {
      const { id } = await createImageSurvey(company.api, 'binary');
      const refused = service.dataSource.query(
        `WITH stored AS (
           INSERT INTO question_set
             (company_id, question_id, campaign_id, version, questions, total_questions)
           VALUES ($3, $2, $1, 1, '[{}]', 1)
           RETURNING version
         )
         UPDATE campaign SET question_set_version = (SELECT version FROM stored)
         WHERE company_id = $3 AND id = $1`,
        [id, `qset_${id}`, storedEnvironment(company.companyId)],
      );
      expect(await violated(refused)).toBe('campaign_image_survey_fixed');
    });
  });
});
