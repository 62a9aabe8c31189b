import { createSurvey, survey } from '../support/builders';
import { companyForAll } from '../support/fixtures';
import { expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { storedCampaign, storedRewards } from '../support/stored';
import { DRAFT } from '../support/life';
import { storedEnvironment } from '../../src/http/environment.rules';

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
      content_url: 'https://example.com/a?b=c#d',
    });
    expect(await storedCampaign(service.dataSource, post_id)).toMatchObject({
      id: String(id),
      company_id: storedEnvironment(company.companyId),
      type: 'survey',
      title: 'Coffee habits',
      description: 'How people drink their coffee.',
      content_url: 'https://example.com/a?b=c#d',
      category: 'food',
      tagline: 'Tell us about your cup',
      is_live: false,
      video_url: null,
      has_feedback: null,
      question_set_version: null,
    });
  });

  it('accepts a request without content_url', async () => {
    const { post_id } = await createSurvey(company.api);
    expect((await storedCampaign(service.dataSource, post_id)).content_url).toBeNull();
  });

  it.each([
    [100, ['100.00', '100.00', '80.00', '60.00', '40.00', '3.00']],
    [33, ['33.00', '33.00', '26.40', '19.80', '13.20', '3.00']],
    [7, ['7.00', '7.00', '5.60', '4.20', '2.80', '3.00']],
    [1, ['1.00', '1.00', '0.80', '0.60', '0.40', '3.00']],
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

  it.each([
    'id',
    'post_id',
    'type',
    'is_live',
    'company_id',
    'cohort_rewards',
    'cohort_5_reward',
    'video_url',
    'has_feedback',
  ])('refuses the field %s, which a survey does not have at creation', async (field) => {
    expectInvalid(await create({ [field]: true }), { [field]: 'unknown_field' });
  });

  it.each(['title', 'description', 'content_url', 'category', 'tagline', 'reward_amount'])(
    'refuses null for %s',
    async (field) => {
      expectInvalid(await create({ [field]: null }), { [field]: 'null_not_allowed' });
    },
  );

  it.each([
    ['title', 5],
    ['description', true],
    ['content_url', ['https://example.com']],
    ['category', { word: 'food' }],
    ['tagline', 0],
    ['reward_amount', '100'],
    ['reward_amount', true],
    ['reward_amount', [100]],
  ])('coerces no other type into %s', async (field, value) => {
    expectInvalid(await create({ [field]: value }), { [field]: 'invalid_type' });
  });

  it('trims strings', async () => {
    const { body } = await create({
      title: '  Tea\t',
      description: '\nLong\n\nand short ',
      content_url: ' https://example.com ',
      category: ' drinks',
      tagline: 'More  tea ',
    });
    expect(body.data.title).toBe('Tea');
    expect(await storedCampaign(service.dataSource, body.data.post_id)).toMatchObject({
      title: 'Tea',
      description: 'Long\n\nand short',
      content_url: 'https://example.com',
      category: 'drinks',
      tagline: 'More  tea',
    });
  });

  it.each(['title', 'description', 'category', 'tagline'])(
    'refuses an empty %s, before and after trimming',
    async (field) => {
      for (const text of ['', '   ', '\n\t\u00a0']) {
        expectInvalid(await create({ [field]: text }), { [field]: 'empty' });
      }
    },
  );

  it.each([
    ['title', 200],
    ['tagline', 200],
    ['category', 100],
    ['description', 5000],
  ])('limits %s to %i characters, counted in code points', async (field, limit) => {
    for (const character of ['x', 'é', '😀']) {
      const { data } = await create({ [field]: ` ${character.repeat(limit)} ` });
      const row = await storedCampaign(service.dataSource, data.post_id);
      expect(row[field]).toBe(character.repeat(limit));
      expectInvalid(await create({ [field]: character.repeat(limit + 1) }), {
        [field]: 'too_long',
      });
    }
  });

  it('limits content_url to 2,048 characters', async () => {
    const url = `https://example.com/${'x'.repeat(2028)}`;
    expect((await create({ content_url: url })).status).toBe(200);
    expectInvalid(await create({ content_url: `${url}x` }), { content_url: 'too_long' });
  });

  it.each([
    'example.com',
    '/path',
    '//example.com',
    'ftp://example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://',
    'https:///path',
    'http:example.com',
    'https://exa mple.com',
    'https://example.com/a b',
    'https://example.com/\u0007',
    'https://example.com:99999',
  ])('refuses %j as a URL', async (url) => {
    expectInvalid(await create({ content_url: url }), { content_url: 'invalid_url' });
  });

  it.each(['http://example.com', 'HTTPS://Example.com:8080/ä?q=ü', 'http://127.0.0.1/x'])(
    'stores the URL %s unchanged',
    async (url) => {
      const { body } = await create({ content_url: url });
      const row = await storedCampaign(service.dataSource, body.data.post_id);
      expect(row.content_url).toBe(url);
    },
  );

  it.each(['a\0b', '\ud800', 'x\udc00y'])(
    'refuses the unstorable text %j as invalid',
    async (text) => {
      for (const field of ['title', 'description', 'content_url', 'category', 'tagline']) {
        expectInvalid(await create({ [field]: text }), { [field]: 'invalid_characters' });
      }
    },
  );

  it('stores other control characters, quotes and markup as they are', async () => {
    const title = `\u0001 "quoted" 'single' <b>\\ $1 %s; DROP TABLE campaign; --`;
    const { body } = await create({ title });
    expect(body.data.title).toBe(title);
    expect((await storedCampaign(service.dataSource, body.data.post_id)).title).toBe(title);
  });

  it.each([
    ['0', 'too_small'],
    ['-0', 'too_small'],
    ['-5', 'too_small'],
    ['0.5', 'not_an_integer'],
    ['1.5', 'not_an_integer'],
    ['99.99', 'not_an_integer'],
    ['100.00000000000000000001', 'too_precise'],
    ['1000000001', 'too_large'],
    ['1e300', 'too_large'],
  ])('refuses the reward_amount %s', async (literal, code) => {
    const text = JSON.stringify(survey()).replace(
      '"reward_amount":100',
      `"reward_amount":${literal}`,
    );
    expectInvalid(await company.api.post('/svc/survey/create', text), { reward_amount: code });
  });

  it('stores nothing of a refused request', async () => {
    const count = async () =>
      (await service.dataSource.query('SELECT count(*)::int AS count FROM campaign'))[0].count;
    const before = await count();
    expect((await create({ reward_amount: 0 })).status).toBe(400);
    expect(await count()).toBe(before);
  });
});
