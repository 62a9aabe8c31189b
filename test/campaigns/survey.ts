import { createSurvey, survey } from '../support/builders';
import { companyForAll } from '../support/fixtures';
import { expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { storedCampaign, storedRewards } from '../support/stored';
import { DRAFT } from '../support/life';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

describe('POST /svc/survey/create (section 4.1)', () => {
  const company = companyForAll();

  const create = (fields: Record<string, unknown> = {}) =>
    company.api.post('/svc/survey/create', survey(fields));

  it('returns exactly id, post_id, type, title and the state', async () => {
    const { status, body } = await company.api.post('/svc/survey/create', survey());
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: 'Survey campaign created.',
      data: {
        id: expect.any(Number),
        post_id: expect.stringMatching(/^post_[0-9a-z]{26}$/),
        type: 'survey',
        title: 'Coffee habits',
        ...DRAFT,
      },
    });
  });

  it('assigns increasing ids', async () => {
    const first = await createSurvey(company.api);
    const second = await createSurvey(company.api);
    expect(second.id).toBeGreaterThan(first.id);
    expect(second.post_id > first.post_id).toBe(true);
  });

  it('stores every field, not live (sections 1, 2.2 and 3)', async () => {
    const { id, post_id } = await createSurvey(company.api, {
      content_url: 'HTTPS://Example.com:8080/ä?q=ü#d',
    });
    expect(await storedCampaign(service.dataSource, post_id)).toMatchObject({
      id: String(id),
      company_id: storedEnvironment(company.companyId),
      type: 'survey',
      title: 'Coffee habits',
      description: 'How people drink their coffee.',
      content_url: 'HTTPS://Example.com:8080/ä?q=ü#d',
      category: 'food',
      tagline: 'Tell us about your cup',
      is_live: false,
      video_url: null,
      has_feedback: null,
      question_set_version: null,
    });
  });

  it.each([
    [33, ['33.00', '33.00', '26.40', '19.80', '13.20', '3.00']],
    [
      1_000_000_000,
      ['1000000000.00', '1000000000.00', '800000000.00', '600000000.00', '400000000.00', '3.00'],
    ],
  ])('computes the default cohort rewards of %i (section 2.3)', async (reward, stored) => {
    const { post_id } = await createSurvey(company.api, { reward_amount: reward });
    expect(await storedRewards(service.dataSource, post_id)).toEqual(stored);
  });

  it.each(['100.0', '1e2', '1.00E+2'])('accepts %s as the integer it is', async (literal) => {
    const text = JSON.stringify(survey()).replace(
      '"reward_amount":100',
      `"reward_amount":${literal}`,
    );
    const { data } = await company.api.post('/svc/survey/create', text);
    expect((await storedRewards(service.dataSource, data.post_id))[0]).toBe('100.00');
  });

  it('reports every missing required field at once (section 7)', async () => {
    const missing = {
      title: 'required',
      description: 'required',
      category: 'required',
      tagline: 'required',
      reward_amount: 'required',
    };
    expectInvalid(await company.api.post('/svc/survey/create', {}), missing);
    expectInvalid(await company.api.post('/svc/survey/create', ''), missing);
    expectInvalid(await company.api.post('/svc/survey/create'), missing);
  });

  it('reports wrong, missing and unknown fields together', async () => {
    const { title: _, ...untitled } = survey({ reward_amount: -1, content_url: 'x', titel: 'x' });
    expectInvalid(await company.api.post('/svc/survey/create', untitled), {
      title: 'required',
      content_url: 'invalid_url',
      reward_amount: 'too_small',
      titel: 'unknown_field',
    });
  });

  /** Expects a creation to be refused for each of these fields. */
  async function expectRefused(fields: Record<string, unknown>, code: string): Promise<void> {
    const wrong = Object.keys(fields).map((field) => [field, code]);
    expectInvalid(await create(fields), Object.fromEntries(wrong));
  }

  it('refuses every field that a survey does not have at creation', async () => {
    const names = ['id', 'post_id', 'type', 'is_live', 'company_id', 'cohort_rewards'];
    const others = [...names, 'cohort_5_reward', 'video_url', 'has_feedback'];
    await expectRefused(Object.fromEntries(others.map((name) => [name, true])), 'unknown_field');
  });

  it('refuses null, and coerces no other type, in every field', async () => {
    const others = {
      title: 5,
      description: true,
      content_url: ['https://example.com'],
      category: { word: 'food' },
      tagline: 0,
      reward_amount: '100',
    };
    await expectRefused(others, 'invalid_type');
    const nulls = Object.keys(others).map((field) => [field, null]);
    await expectRefused(Object.fromEntries(nulls), 'null_not_allowed');
  });

  it('refuses texts that are empty, and those that cannot be stored', async () => {
    const every = (text: string) => ({
      title: text,
      description: text,
      category: text,
      tagline: text,
    });
    await expectRefused(every('\n\t\u00a0'), 'empty');
    await expectRefused({ ...every('a\0b'), content_url: 'x\udc00y' }, 'invalid_characters');
  });

  it('limits texts, counted in code points', async () => {
    const texts = (more: number) => ({
      title: '😀'.repeat(200 + more),
      tagline: '😀'.repeat(200 + more),
      category: '😀'.repeat(100 + more),
      description: '😀'.repeat(5000 + more),
    });
    const { data } = await create(texts(0));
    expect(await storedCampaign(service.dataSource, data.post_id)).toMatchObject(texts(0));
    await expectRefused(texts(1), 'too_long');
  });

  it.each([
    ['0', 'too_small'],
    ['1.5', 'not_an_integer'],
    ['100.00000000000000000001', 'too_precise'],
    ['1000000001', 'too_large'],
  ])('refuses the reward_amount %s', async (literal, code) => {
    const text = JSON.stringify(survey()).replace(
      '"reward_amount":100',
      `"reward_amount":${literal}`,
    );
    expectInvalid(await company.api.post('/svc/survey/create', text), { reward_amount: code });
  });
});
