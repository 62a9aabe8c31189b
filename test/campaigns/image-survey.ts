import { images, imageSurvey, survey } from '../support/builders';
import { Answer } from '../support/client';
import { companyForAll } from '../support/fixtures';
import { DRAFT } from '../support/life';

const DEFAULT_SCALE = { min: 0, max: 10, step: 1 };

describe('POST /svc/image-survey/*, the campaign and its content in one call (section 4.7)', () => {
  const company = companyForAll();

  type Path = 'round-robin' | 'binary' | 'slider';

  const create = (path: Path, fields: Record<string, unknown> = {}): Promise<Answer> =>
    company.api.post(`/svc/image-survey/${path}`, imageSurvey(fields));

  /** The details of a refusal: `field code` for each wrong field. */
  async function refusal(path: Path, fields: Record<string, unknown>): Promise<string[]> {
    const { status, body } = await create(path, fields);
    expect([status, body.error?.code]).toEqual([400, 'validation_failed']);
    return body.error!.details.map(({ field, code }) => `${field} ${code}`);
  }

  const created = {
    id: expect.any(Number),
    post_id: expect.stringMatching(/^post_[0-9a-z]{26}$/),
    type: 'survey',
    title: 'Coffee habits',
    ...DRAFT,
  };

  it('returns exactly the campaign, not live, with total_images and total_pairs of a round-robin', async () => {
    const { status, body } = await create('round-robin', { images: images(4) });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: 'Round-robin survey created.',
      data: { ...created, format: 'round_robin', total_images: 4, total_pairs: 6 },
    });
  });

  it('returns exactly the campaign, not live, with total_images of a binary', async () => {
    const { data } = await create('binary');
    expect(data).toEqual({ ...created, format: 'binary', total_images: 2 });
  });

  it('returns exactly the campaign, not live, with total_images and the scale of a slider', async () => {
    const { data } = await create('slider', { images: images(1) });
    expect(data).toEqual({
      ...created,
      format: 'image_slider',
      total_images: 1,
      scale: DEFAULT_SCALE,
    });
  });

  it.each([
    [3, 3],
    [5, 10],
    [20, 190],
  ])('pairs every two images: %i images make %i pairs', async (count, pairs) => {
    const { body } = await create('round-robin', { images: images(count) });
    expect(body.data).toMatchObject({ total_images: count, total_pairs: pairs });
  });

  it.each<[Path, number]>([
    ['round-robin', 0],
    ['round-robin', 2],
    ['binary', 1],
    ['slider', 0],
  ])('refuses too few images: %s with %i', async (path, count) => {
    expect(await refusal(path, { images: images(count) })).toEqual(['images too_few']);
  });

  it.each<[Path, number]>([
    ['round-robin', 21],
    ['binary', 3],
    ['slider', 21],
  ])('refuses too many images: %s with %i', async (path, count) => {
    expect(await refusal(path, { images: images(count) })).toEqual(['images too_many']);
  });

  it('accepts 20 images on a slider', async () => {
    const { body } = await create('slider', { images: images(20) });
    expect(body.data.total_images).toBe(20);
  });

  it('refuses the same image twice, whatever the whitespace around it', async () => {
    const [image] = images(1);
    expect(await refusal('binary', { images: [image, image] })).toEqual([
      'images[1].url duplicate',
    ]);
    expect(
      await refusal('binary', { images: [image, { url: `  ${image!.url} `, label: 'B' }] }),
    ).toEqual(['images[1].url duplicate']);
  });

  it('accepts the same label twice', async () => {
    const labelled = images(2).map((image) => ({ ...image, label: 'Same' }));
    expect((await create('binary', { images: labelled })).status).toBe(200);
  });

  it('reports every wrong field at once', async () => {
    expect(
      await refusal('slider', {
        reward_amount: 2.5,
        question: '   ',
        images: [
          { url: 'ftp://example.com/a' },
          'b',
          { label: '' },
          { url: 'https://e.com', x: 1 },
        ],
        scale: { step: 0, min: '0' },
        format: 'binary',
      }),
    ).toEqual(
      expect.arrayContaining([
        'format unknown_field',
        'reward_amount not_an_integer',
        'question empty',
        'images[0].url invalid_url',
        'images[1] invalid_type',
        'images[2].url required',
        'images[2].label empty',
        'images[3].x unknown_field',
        'scale.min invalid_type',
        'scale.step too_small',
      ]),
    );
  });

  it.each<[Path]>([['round-robin'], ['binary'], ['slider']])(
    'requires question and images: %s',
    async (path) => {
      const { status, body } = await company.api.post(`/svc/image-survey/${path}`, survey());
      expect(status).toBe(400);
      expect(body.error?.details.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
        'images required',
        'question required',
      ]);
    },
  );

  it.each<[Path]>([['round-robin'], ['binary']])('refuses a scale on a %s', async (path) => {
    expect(await refusal(path, { images: images(3), scale: DEFAULT_SCALE })).toContain(
      'scale unknown_field',
    );
  });

  describe('the scale of a slider', () => {
    it.each([
      [{}, DEFAULT_SCALE],
      [{ max: 5 }, { min: 0, max: 5, step: 1 }],
      [{ min: -10 }, { min: -10, max: 10, step: 1 }],
      [{ step: 2.5 }, { min: 0, max: 10, step: 2.5 }],
      [{ step: 10 }, { min: 0, max: 10, step: 10 }],
      [
        { min: 0, max: 0.3, step: 0.1 },
        { min: 0, max: 0.3, step: 0.1 },
      ],
      [
        { min: 0.01, max: 1.15, step: 0.06 },
        { min: 0.01, max: 1.15, step: 0.06 },
      ],
      [
        { min: -1_000_000, max: 1_000_000, step: 0.01 },
        { min: -1_000_000, max: 1_000_000, step: 0.01 },
      ],
      [
        { min_label: ' bad ', max_label: 'good' },
        { ...DEFAULT_SCALE, min_label: 'bad', max_label: 'good' },
      ],
    ])('accepts %j as %j', async (scale, stored) => {
      const { data } = await create('slider', { scale });
      expect(data.scale).toEqual(stored);
    });

    it.each([
      [{ min: 10 }, 'scale.max too_small'],
      [{ min: 11 }, 'scale.max too_small'],
      [{ max: 0 }, 'scale.max too_small'],
      [{ min: 5, max: 4, step: 3 }, 'scale.max too_small'],
      [{ step: 3 }, 'scale.step uneven_step'],
      [{ step: 11 }, 'scale.step uneven_step'],
      [{ max: 0.5 }, 'scale.step uneven_step'],
      [{ min: 0, max: 1, step: 0.3 }, 'scale.step uneven_step'],
      [{ step: -1 }, 'scale.step too_small'],
      [{ step: 0.001 }, 'scale.step too_small'],
      [{ step: 1.001 }, 'scale.step too_precise'],
      [{ max: 1_000_001 }, 'scale.max too_large'],
      [{ min: null }, 'scale.min null_not_allowed'],
      [{ min_label: '' }, 'scale.min_label empty'],
      [{ steps: 1 }, 'scale.steps unknown_field'],
      [[], 'scale invalid_type'],
      ['0-10', 'scale invalid_type'],
      [null, 'scale null_not_allowed'],
    ])('refuses %j: %s', async (scale, problem) => {
      expect(await refusal('slider', { scale })).toEqual([problem]);
    });
  });

  it('creates everything or nothing', async () => {
    const count = async () =>
      (await company.api.get('/svc/campaign/list?limit=100')).data.items.length;
    const before = await count();
    await refusal('slider', { images: [...images(2), { url: 'nonsense' }] });
    await refusal('round-robin', { images: images(3), reward_amount: 0 });
    expect(await count()).toBe(before);
    await create('binary');
    expect(await count()).toBe(before + 1);
  });
});
