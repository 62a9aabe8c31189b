import {
  advertisement,
  choice,
  createAdvertisement,
  createSurvey,
  ladder,
  survey,
} from '../support/builders';
import { NO_PROGRESS } from '../support/fielding';
import { companyForAll } from '../support/fixtures';
import { DRAFT, LEFT_OUT } from '../support/life';

const MOMENT = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

describe('the read endpoints (sections 2.2 to 2.5)', () => {
  const company = companyForAll();

  /** The fields of every campaign made by the builders. */
  const common = {
    ...LEFT_OUT,
    ...DRAFT,
    external_ref: null,
    title: 'Coffee habits',
    description: 'How people drink their coffee.',
    category: 'food',
    tagline: 'Tell us about your cup',
    reward_amount: 100,
    cohort_rewards: ladder(3, 40, 60, 80, 100),
    currency: 'USD',
    progress: NO_PROGRESS,
    video_url: null,
    thumbnail_url: null,
    duration_seconds: null,
    has_feedback: null,
    questions: null,
    image_survey: null,
    created_at: MOMENT,
    updated_at: MOMENT,
  };

  describe('GET /svc/campaign/{post_id}', () => {
    it('returns exactly what is stored of a survey', async () => {
      const { id, post_id } = await createSurvey(company.api, {
        content_url: 'https://example.com/coffee',
      });
      const { status, body } = await company.api.get(`/svc/campaign/${post_id}`);
      expect(status).toBe(200);
      expect(body).toEqual({
        success: true,
        message: 'Campaign found.',
        data: {
          ...common,
          id,
          post_id,
          type: 'survey',
          format: 'questionnaire',
          content_url: 'https://example.com/coffee',
        },
      });
    });

    it.each([
      [{}, { thumbnail_url: null, duration_seconds: null, has_feedback: false }],
      [
        {
          thumbnail_url: 'https://example.com/spot.jpg',
          duration_seconds: 30,
          has_feedback: true,
        },
        {
          thumbnail_url: 'https://example.com/spot.jpg',
          duration_seconds: 30,
          has_feedback: true,
        },
      ],
    ])('returns exactly what is stored of an advertisement with %j', async (sent, stored) => {
      const { id, post_id } = await createAdvertisement(company.api, sent);
      const { body } = await company.api.get(`/svc/campaign/${post_id}`);
      expect(body.data).toEqual({
        ...common,
        id,
        post_id,
        type: 'advertisement',
        format: null,
        video_url: advertisement().video_url,
        ...stored,
      });
    });

    it('returns a summary of the current questions, not the questions', async () => {
      const { post_id } = await createSurvey(company.api);
      await company.api.post('/svc/survey/questions', { post_id, questions: [choice()] });
      const { body: set } = await company.api.post('/svc/survey/questions', {
        post_id,
        questions: [choice(), choice(), choice()],
      });
      const { body } = await company.api.get(`/svc/campaign/${post_id}`);
      expect(body.data.questions).toEqual({
        question_id: set.data.question_id,
        total_questions: 3,
        created_at: MOMENT,
      });
    });

    it('returns text and money exactly as stored', async () => {
      const text = `Ünïcode 😀 "quotes" \\ back\\u0000slash \u2028 <b>'; DROP TABLE campaign`;
      const { body: created } = await company.api.post(
        '/svc/survey/create',
        survey({ title: text, description: `${text}\n\ttabs`, reward_amount: 1_000_000_000 }),
      );
      const { post_id } = created.data;
      const { body } = await company.api.get(`/svc/campaign/${post_id}`);
      expect(body.data).toMatchObject({
        title: text,
        description: `${text}\n\ttabs`,
        reward_amount: 1_000_000_000,
      });
      await company.api.patch('/svc/campaign/update', { post_id, reward_amount: 999_999_999.99 });
      const { body: updated } = await company.api.get(`/svc/campaign/${post_id}`);
      expect(updated.data.reward_amount).toBe(999_999_999.99);
    });
  });

  describe('GET /svc/campaign/{post_id}/questions', () => {
    const none = { question_id: null, total_questions: 0, questions: [], created_at: null };

    it.each([
      ['survey', createSurvey],
      ['ad', createAdvertisement],
    ] as const)('returns none if none were set: %s', async (question_type, create) => {
      const { id, post_id } = await create(company.api);
      const { status, body } = await company.api.get(`/svc/campaign/${post_id}/questions`);
      expect(status).toBe(200);
      expect(body).toEqual({
        success: true,
        message: 'Questions found.',
        data: { ...none, post_id, ad_id: id, question_type, image_survey: null },
      });
    });

    it('returns the questions in order, with options only where they have some', async () => {
      const { id, post_id } = await createAdvertisement(company.api, { has_feedback: true });
      const questions = [
        choice({ options: ['z', 'a', 'm'] }),
        { type: 'text', question: 'Short?' },
        choice({ type: 'multiple_choice' }),
        { type: 'descriptive', question: 'Long?' },
      ];
      const { body: set } = await company.api.post('/svc/advertisement/questions', {
        post_id,
        questions: [questions[0], { ...questions[1], options: [] }, questions[2], questions[3]],
      });
      const { body } = await company.api.get(`/svc/campaign/${post_id}/questions`);
      expect(body.data).toEqual({
        question_id: set.data.question_id,
        post_id,
        ad_id: id,
        question_type: 'ad',
        total_questions: 4,
        questions,
        created_at: MOMENT,
        image_survey: null,
      });
    });

    it('returns only the last set after a replacement', async () => {
      const { post_id } = await createSurvey(company.api);
      await company.api.post('/svc/survey/questions', { post_id, questions: [choice(), choice()] });
      const last = [{ type: 'text', question: 'The last?' }];
      const { body: set } = await company.api.post('/svc/survey/questions', {
        post_id,
        questions: last,
      });
      const { body } = await company.api.get(`/svc/campaign/${post_id}/questions`);
      expect(body.data).toMatchObject({
        question_id: set.data.question_id,
        total_questions: 1,
        questions: last,
      });
    });
  });

  it.each([
    ['%00', 400, 'validation_failed'],
    ['a%00b', 400, 'validation_failed'],
    ['%20%20', 400, 'validation_failed'],
    ['%F0%9F%98%80', 404, 'campaign_not_found'],
    ['x'.repeat(100), 404, 'campaign_not_found'],
    ['..%2F..%2Fapi', 404, 'campaign_not_found'],
    ["'%20OR%201=1--", 404, 'campaign_not_found'],
    ['__proto__', 404, 'campaign_not_found'],
    ['x'.repeat(101), 400, 'validation_failed'],
    ['x'.repeat(5000), 400, 'validation_failed'],
    ['%F0%9F%98%80'.repeat(101), 400, 'validation_failed'],
    ['%', 400, 'validation_failed'],
    ['%ED%A0%80', 400, 'validation_failed'],
    ['%FF', 400, 'validation_failed'],
  ])('respond to the odd post_id %j with %i %s', async (postId, expected, code) => {
    for (const suffix of ['', '/questions', '/questions/history']) {
      const { status, body } = await company.api.get(`/svc/campaign/${postId}${suffix}`);
      expect([suffix, status, body.error?.code]).toEqual([suffix, expected, code]);
    }
  });
});
