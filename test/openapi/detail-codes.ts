import { DETAIL_CODES, DetailCode } from '../../src/platform/protocol/detail-codes';
import {
  choice,
  createAdvertisement,
  createSurvey,
  images,
  ladder,
  question,
  survey,
} from '../support/builders';
import { Answer } from '../support/client';
import { begun, liveQuestionnaire, submit } from '../support/fielding';
import { companyForAll, platformForAll } from '../support/fixtures';
import { service } from '../support/service';

const COHORT_REWARDS = ladder(3, 40, 60, 80, 99);

const SHARES = { cohort_1: 0.5, cohort_2: 0, cohort_3: 0, cohort_4: 0, cohort_5: 0.4 };

describe('error.details[].code', () => {
  const company = companyForAll();
  const platform = platformForAll();
  let surveyId: string;
  let advertisementId: string;

  beforeAll(async () => {
    surveyId = (await createSurvey(company.api)).post_id;
    advertisementId = (await createAdvertisement(company.api, { has_feedback: true })).post_id;
    const applied = await company.api.put('/svc/campaign/apply', {
      ...survey(),
      external_ref: 'kept',
      type: 'survey',
    });
    expect(applied.status).toBe(200);
  });

  const create = (fields: object) => company.api.post('/svc/survey/create', survey({ ...fields }));
  const register = (fields: object) =>
    service.client.post('/api/company/create', {
      name: 'A Company',
      email: 'a@example.com',
      password: 'a long enough password',
      ...fields,
    });
  const ask = (...questions: object[]) =>
    company.api.post('/svc/survey/questions', { post_id: surveyId, questions });
  /** Begins a survey with these questions, and submits these answers. */
  const answer = async (questions: object[], answers: object[]) => {
    const postId = await liveQuestionnaire(company, questions);
    return submit(platform, await begun(platform, postId, 'someone'), 5, answers);
  };
  const list = (query: string) => company.api.get(`/svc/campaign/list?${query}`);
  const apply = (fields: object) =>
    company.api.put('/svc/campaign/apply', { external_ref: 'kept', ...fields });
  const slider = (scale: object) =>
    company.api.post('/svc/image-survey/slider', {
      ...survey(),
      question: 'How much?',
      images: images(1),
      scale,
    });

  /** For each code, a request that gets it and the field it is about. */
  const REQUESTS: Record<DetailCode, [field: string, send: () => Promise<Answer>]> = {
    required: ['title', () => create({ title: undefined })],
    unknown_field: ['titel', () => create({ titel: 'x' })],
    null_not_allowed: ['title', () => create({ title: null })],
    invalid_type: ['title', () => create({ title: 5 })],
    empty: ['title', () => create({ title: ' ' })],
    too_short: ['password', () => register({ password: 'short' })],
    too_long: ['category', () => create({ category: 'x'.repeat(101) })],
    invalid_characters: ['title', () => create({ title: 'a\0b' })],
    invalid_email: ['email', () => register({ email: 'nobody' })],
    invalid_url: ['content_url', () => create({ content_url: 'ftp://example.com' })],
    invalid_timestamp: ['created_after', () => list('created_after=yesterday')],
    invalid_date: [
      'answers[0].value',
      () => answer([{ type: 'date', question: 'When?' }], [{ question: 1, value: '2026-02-30' }]),
    ],
    invalid_language: ['language', () => apply({ questions: [choice()], language: 'no_tag' })],
    not_shown: [
      'answers[1].question',
      () =>
        answer(
          [
            { type: 'checkbox', question: 'Do you agree?' },
            question({ show_if: { all: [{ question: 'q1', op: 'is', value: true }] } }),
          ],
          [
            { question: 1, value: false },
            { question: 2, value: 'Arabica' },
          ],
        ),
    ],
    unreachable: [
      'questions[1].show_if',
      () =>
        ask(
          { type: 'checkbox', question: 'Do you agree?' },
          question({
            show_if: {
              all: [
                { question: 'q1', op: 'is', value: true },
                { question: 'q1', op: 'is', value: false },
              ],
            },
          }),
        ),
    ],
    in_the_past: [
      'expires_at',
      () => company.account.post('/svc/api-key/generate', { expires_at: '2020-01-01T00:00:00Z' }),
    ],
    too_small: ['reward_amount', () => create({ reward_amount: 0 })],
    too_large: ['reward_amount', () => create({ reward_amount: 1_000_000_001 })],
    too_precise: [
      'reward_amount',
      () => company.api.patch('/svc/campaign/update', { post_id: surveyId, reward_amount: 1.001 }),
    ],
    not_an_integer: ['reward_amount', () => create({ reward_amount: 1.5 })],
    not_allowed: ['questions[0].type', () => ask(choice({ type: 'essay' }))],
    too_few: ['questions', () => ask()],
    too_many: ['images', () => apply({ images: images(21) })],
    duplicate: ['questions[0].options[1]', () => ask(choice({ options: ['a', 'a'] }))],
    sum_not_one: [
      'cohort_shares',
      () =>
        company.api.post('/svc/campaign/cohort-rewards/preview', {
          reward_amount: 100,
          cohort_shares: SHARES,
        }),
    ],
    uneven_step: ['scale.step', () => slider({ min: 0, max: 10, step: 3 })],
    differs_from_reward_amount: [
      'cohort_5_reward',
      () =>
        company.api.patch('/svc/campaign/cohort-rewards', {
          post_id: advertisementId,
          ...COHORT_REWARDS,
        }),
    ],
    not_for_this_campaign: ['video_url', () => apply({ video_url: 'https://example.com/v' })],
    cannot_change: ['type', () => apply({ type: 'advertisement' })],
    invalid_cursor: ['cursor', () => list('cursor=x')],
    cursor_mismatch: [
      'cursor',
      async () => {
        const { body } = await list('limit=1');
        return list(`limit=1&type=survey&cursor=${body.data.next_cursor}`);
      },
    ],
    invalid_key: [
      'Idempotency-Key',
      () => company.api.with({ 'idempotency-key': 'a key' }).post('/svc/survey/create', survey()),
    ],
  };

  it.each(Object.keys(DETAIL_CODES) as DetailCode[])('returns %s', async (code) => {
    const [field, send] = REQUESTS[code];
    const { status, body } = await send();
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body.error?.details).toEqual([{ field, code, message: expect.stringMatching(/\.$/) }]);
  });

  it('gives each code a meaning that ends a sentence', () => {
    for (const [code, meaning] of Object.entries(DETAIL_CODES)) {
      expect(code).toMatch(/^[a-z_]+$/);
      expect(meaning).toMatch(/^[a-z`].*[^.]$/);
    }
  });
});
