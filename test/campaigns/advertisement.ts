import { advertisement, createAdvertisement } from '../support/builders';
import { companyForAll } from '../support/fixtures';
import { expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { storedCampaign, storedRewards } from '../support/stored';
import { DRAFT } from '../support/life';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

const MINIMUM = 1;
const MAXIMUM = 31_536_000;

describe('POST /svc/advertisement/create (sections 2.2 and 4.7)', () => {
  const company = companyForAll();

  const create = (fields: Record<string, unknown> = {}) =>
    company.api.post('/svc/advertisement/create', advertisement(fields));

  it('returns exactly the campaign, its state and has_feedback', async () => {
    const { status, body } = await create({ has_feedback: true });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: 'Advertisement campaign created.',
      data: {
        id: expect.any(Number),
        post_id: expect.stringMatching(/^post_[0-9a-z]{26}$/),
        type: 'advertisement',
        title: 'Coffee habits',
        ...DRAFT,
        has_feedback: true,
      },
    });
  });

  it('stores every field, not live, with the default cohort rewards (section 2.3)', async () => {
    const { post_id } = await createAdvertisement(company.api, {
      content_url: 'https://example.com/about',
      video_url: ' https://example.com/spot.webm ',
      thumbnail_url: 'http://example.com/spot.png',
      duration_seconds: 45,
      has_feedback: true,
      reward_amount: 33,
    });
    expect(await storedCampaign(service.dataSource, post_id)).toMatchObject({
      company_id: storedEnvironment(company.companyId),
      type: 'advertisement',
      title: 'Coffee habits',
      content_url: 'https://example.com/about',
      video_url: 'https://example.com/spot.webm',
      thumbnail_url: 'http://example.com/spot.png',
      duration_seconds: 45,
      has_feedback: true,
      is_live: false,
      question_set_version: null,
    });
    expect(await storedRewards(service.dataSource, post_id)).toEqual([
      '33.00',
      '33.00',
      '26.40',
      '19.80',
      '13.20',
      '3.00',
    ]);
  });

  it('reports every missing required field at once (section 7)', async () => {
    expectInvalid(await company.api.post('/svc/advertisement/create', {}), {
      title: 'required',
      description: 'required',
      category: 'required',
      tagline: 'required',
      reward_amount: 'required',
      video_url: 'required',
    });
  });

  it.each([MINIMUM, MAXIMUM])('accepts duration_seconds %i', async (seconds) => {
    const { post_id } = await createAdvertisement(company.api, { duration_seconds: seconds });
    const row = await storedCampaign(service.dataSource, post_id);
    expect(row.duration_seconds).toBe(seconds);
  });

  it.each<[string, string, unknown]>([
    ['video_url', 'null_not_allowed', null],
    ['video_url', 'invalid_url', 'rtsp://example.com/spot'],
    ['thumbnail_url', 'null_not_allowed', null],
    ['thumbnail_url', 'invalid_url', 'spot.png'],
    ['duration_seconds', 'null_not_allowed', null],
    ['duration_seconds', 'too_small', MINIMUM - 1],
    ['duration_seconds', 'not_an_integer', 1.5],
    ['duration_seconds', 'too_large', MAXIMUM + 1],
    ['has_feedback', 'null_not_allowed', null],
    ['is_live', 'unknown_field', true],
  ])('refuses %s as %s', async (field, code, value) => {
    expectInvalid(await create({ [field]: value }), { [field]: code });
  });
});
