import { createImageSurvey, images } from '../support/builders';
import { eventually } from '../support/eventually';
import { begun, start, submit } from '../support/fielding';
import { companyForAll, platformForAll } from '../support/fixtures';
import { expectInvalid } from '../support/refusals';

describe('ties and skips of images in pairs', () => {
  const company = companyForAll();
  const platform = platformForAll();
  const undecided = { allow_ties: true, allow_skips: true };

  async function live(
    path: 'round-robin' | 'binary',
    fields: Record<string, unknown>,
  ): Promise<string> {
    const { post_id } = await createImageSurvey(company.api, path, fields);
    await start(company.api, post_id);
    return post_id;
  }

  const pairs = (...[first, second, third]: (number | string)[]) => [
    { images: [1, 2], value: first },
    { images: [1, 3], value: second },
    { images: [2, 3], value: third },
  ];

  async function respond(post_id: string, ...all: object[][]): Promise<void> {
    for (const [index, answers] of all.entries()) {
      const place = await begun(platform, post_id, `${post_id} ${index}`);
      expect((await submit(platform, place, 9, answers)).status).toBe(200);
    }
  }

  /** The result of the only question, once it counts so many responses. */
  const resultOf = (post_id: string, counted: number) =>
    eventually(async () => {
      const { data } = await company.api.get(`/svc/campaign/${post_id}/results`);
      expect(data.responses.counted).toBe(counted);
      return data.questions[0];
    });

  it('are refused unless the survey allows them', async () => {
    const neither = await live('round-robin', {});
    const ties = await live('binary', { allow_ties: true });
    const place = await begun(platform, neither, 'refused');
    expectInvalid(await submit(platform, place, 9, pairs(1, 'tie', 'skip')), {
      'answers[1].value': 'invalid_type',
      'answers[2].value': 'invalid_type',
    });
    const other = await begun(platform, ties, 'refused');
    expectInvalid(await submit(platform, other, 9, [{ value: 'skip' }]), {
      'answers[0].value': 'not_allowed',
    });
    expect(place.content.image_survey).not.toHaveProperty('allow_ties');
    expect(other.content.image_survey).toMatchObject({ allow_ties: true });
    expect(other.content.image_survey).not.toHaveProperty('allow_skips');
  });

  it('count half for both images, and not at all', async () => {
    const tied = await live('round-robin', undecided);
    const split = await live('round-robin', {});
    await respond(tied, pairs('tie', 1, 2), pairs('tie', 1, 2), pairs('skip', 1, 2));
    await respond(split, pairs(1, 1, 2), pairs(2, 1, 2));
    const found = await resultOf(tied, 3);
    expect(found).toMatchObject({ answered: 3, consistency: null });
    expect(found.pairs).toEqual([
      { images: [1, 2], wins: [0, 0], ties: 2, skips: 1 },
      { images: [1, 3], wins: [3, 0], ties: 0, skips: 0 },
      { images: [2, 3], wins: [3, 0], ties: 0, skips: 0 },
    ]);
    expect(found.images).toMatchObject([
      { wins: 3, rank: 1 },
      { wins: 3, rank: 1 },
      { wins: 0, rank: 3 },
    ]);
    // Two ties are as strong as one preference each way.
    const other = await live('round-robin', undecided);
    await respond(other, pairs('tie', 1, 2), pairs('tie', 1, 2));
    const strengths = async (post_id: string) =>
      (await resultOf(post_id, 2)).images.map(({ strength }: { strength: number }) => strength);
    expect(await strengths(other)).toEqual(await strengths(split));
    expect((await resultOf(split, 2)).pairs[0]).toEqual({ images: [1, 2], wins: [1, 1] });
  });

  it('leave the consistency to those who decide every pair', async () => {
    const post_id = await live('round-robin', undecided);
    // The second runs in a circle, and the third does not decide.
    await respond(post_id, pairs(1, 1, 2), pairs(1, 3, 2), pairs('tie', 1, 2));
    expect((await resultOf(post_id, 3)).consistency).toBe(0.5);
  });

  it('are counted beside the shares of two images', async () => {
    const post_id = await live('binary', undecided);
    const values = [1, 1, 2, 'tie', 'skip', 'skip'];
    await respond(post_id, ...values.map((value) => [{ value }]));
    const found = await resultOf(post_id, 6);
    expect(found).toMatchObject({ answered: 4, ties: { count: 1, share: 0.25 }, skips: 2 });
    expect(found.images).toMatchObject([
      { count: 2, share: 0.5 },
      { count: 1, share: 0.25 },
    ]);
    const { body } = await company.api.get(`/svc/campaign/${post_id}/responses?answer=tie`);
    expect(body.data.items).toHaveLength(1);
  });

  it('are part of a document, of what is read, and of a copy', async () => {
    const document = {
      external_ref: 'pairs-with-ties',
      type: 'survey',
      format: 'round_robin',
      title: 'Which?',
      description: 'Pairs.',
      category: 'design',
      tagline: 'Compare.',
      reward_amount: 10,
      question: 'Which do you prefer?',
      images: images(3),
      ...undecided,
    };
    const apply = (fields: object) =>
      company.api.put('/svc/campaign/apply', { ...document, ...fields });
    const { post_id } = (await apply({})).body.data;
    expect((await apply({})).body.data.result).toBe('unchanged');
    expect((await apply({ allow_ties: false })).body.error!.code).toBe('questions_fixed');
    const copy = await company.api.post('/svc/campaign/duplicate', { post_id });
    for (const id of [post_id, copy.body.data.post_id]) {
      const { body } = await company.api.get(`/svc/campaign/${id}`);
      expect(body.data.image_survey).toMatchObject(undecided);
    }
    const slider = { external_ref: 'slider', format: 'image_slider' };
    expect((await apply(slider)).body.error!.details).toMatchObject([
      { field: 'allow_ties', code: 'not_for_this_campaign' },
      { field: 'allow_skips', code: 'not_for_this_campaign' },
    ]);
  });
});
