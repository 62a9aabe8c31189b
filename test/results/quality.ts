import { choice, createImageSurvey, images } from '../support/builders';
import { begun, liveQuestionnaire, NO_QUALITY, start, submit } from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import { recount, resultsOf, tallied } from '../support/recount';
import { service } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

const TEXTS = [
  { type: 'text', question: 'Which beans?', required: false },
  { type: 'descriptive', question: 'Why?', required: false },
];

const STORED = `
  SELECT num_nonnulls(answer_percentile, longest_run, compared_answers, consistency, text_repeats,
    quality_flags) AS signals FROM participation WHERE participation_id = stored_id($1)`;

describe('quality signals', () => {
  const platform = platformForAll();
  const company = companyForEach();
  let respondents = 0;

  const questionnaire = (questions: unknown[]) => liveQuestionnaire(company, questions);

  async function imageSurvey(path: 'slider' | 'round-robin'): Promise<string> {
    const { post_id } = await createImageSurvey(company.api, path, { images: images(5) });
    await start(company.api, post_id);
    return post_id;
  }

  /** Submits answers, as if they had taken some seconds. */
  async function respond(postId: string, answers: unknown[], seconds = 0) {
    respondents += 1;
    const respondent_id = `quality ${respondents}`;
    const part = await begun(platform, postId, respondent_id);
    if (seconds > 0) {
      await service.dataSource.query(
        `UPDATE participation SET begun_at = now() - $3 * interval '1 second'
         WHERE company_id = $1 AND participation_id = stored_id($2)`,
        [storedEnvironment(company.companyId), part.participation_id, seconds],
      );
    }
    const { data } = await submit(platform, part, 9, answers);
    return { ...data, respondent_id };
  }

  const saying = (...texts: string[]) =>
    texts.map((value, index) => ({ question: index + 1, value }));

  const results = (postId: string, query = '') =>
    resultsOf(service.dataSource, company, postId, query);

  async function signals(postId: string, query = ''): Promise<Record<string, unknown>> {
    const { quality } = await results(postId, query);
    return Object.fromEntries(
      quality.map(({ signal, measured, flagged }: any) => [signal, [measured, flagged]]),
    );
  }

  it('are in the submission, the participation, the responses and the export', async () => {
    const postId = await imageSurvey('slider');
    const straight = [1, 2, 3, 4, 5].map((image) => ({ image, value: 7 }));
    const expected = {
      ...NO_QUALITY,
      longest_run: 5,
      compared_answers: 5,
      flags: ['straight_lining'],
    };
    const { quality, participation_id, respondent_id } = await respond(postId, straight);
    expect(quality).toEqual(expected);
    const again = await submit(platform, { post_id: postId, participation_id }, 9, straight);
    expect(again.body.data.quality).toEqual(expected);
    const read = await platform.get(`/svc/fielding/participation/${participation_id}`);
    expect(read.body.data.quality).toEqual(expected);
    const list = await platform.get(`/svc/fielding/respondent?respondent_id=${respondent_id}`);
    expect(list.body.data.items[0].quality).toEqual(expected);
    const { body } = await company.api.get(`/svc/campaign/${postId}/responses`);
    expect(body.data.items[0].quality).toEqual(expected);
    await results(postId);
    const path = `/svc/campaign/${postId}/responses/export`;
    const download = async (query: string) => {
      const { url, headers } = company.api;
      return (await fetch(`${url}${path}${query}`, { headers })).text();
    };
    expect(JSON.parse((await download('')).split('\n')[0]!).quality).toEqual(expected);
    const [head, line] = (await download('?format=csv')).split('\r\n').map((row) => row.split(','));
    const cells = Object.fromEntries(head!.map((name, index) => [name, line![index]]));
    expect(cells).toMatchObject({
      answer_percentile: '',
      longest_run: '5',
      compared_answers: '5',
      consistency: '',
      text_repeats: '',
      flags: 'straight_lining',
      'Image 5': '7',
    });
  });

  it('never change the reward', async () => {
    const postId = await imageSurvey('slider');
    const straight = await respond(
      postId,
      [1, 2, 3, 4, 5].map((image) => ({ image, value: 7 })),
    );
    const varied = await respond(
      postId,
      [1, 2, 3, 4, 5].map((image) => ({ image, value: image })),
    );
    expect(varied.quality.flags).toEqual([]);
    expect([straight.cohort, straight.reward]).toEqual([varied.cohort, varied.reward]);
  });

  it('measure the consistency of pairs', async () => {
    const postId = await imageSurvey('round-robin');
    const pairs = [1, 2, 3, 4].flatMap((a) => [2, 3, 4, 5].filter((b) => b > a).map((b) => [a, b]));
    const circular = pairs.map(([a, b]) => ({ images: [a, b], value: b! - a! <= 2 ? a : b }));
    const ranked = pairs.map(([a, b]) => ({ images: [b, a], value: a }));
    expect((await respond(postId, circular)).quality).toEqual({
      ...NO_QUALITY,
      consistency: 0,
      flags: ['inconsistent'],
    });
    expect((await respond(postId, ranked)).quality).toEqual({ ...NO_QUALITY, consistency: 1 });
    const { quality } = await results(postId);
    expect(quality).toContainEqual({
      signal: 'inconsistent',
      measured: 2,
      flagged: 1,
      share: 0.5,
      interval: [expect.any(Number), expect.any(Number)],
    });
  });

  it('count the earlier responses with the same text, also to another question', async () => {
    const postId = await questionnaire(TEXTS);
    const repeats = async (...texts: string[]) => {
      const { quality } = await respond(postId, saying(...texts));
      return [quality.text_repeats, quality.flags];
    };
    expect(await repeats('Arabica', 'Because it tastes of chocolate.')).toEqual([0, []]);
    expect(await repeats('Robusta', 'because it tastes of CHOCOLATE')).toEqual([
      1,
      ['repeated_text'],
    ]);
    expect(await repeats('Because it tastes of chocolate!', 'No')).toEqual([2, ['repeated_text']]);
    expect(await repeats('Arabica', 'Because it tastes of caramel.')).toEqual([0, []]);
    expect(await repeats('Arabica', 'No')).toEqual([null, []]);
    const other = await questionnaire(TEXTS);
    const { quality } = await respond(other, saying('a', 'Because it tastes of chocolate.'));
    expect(quality.text_repeats).toBe(0);
  });

  it('flag all but one of the same texts that arrive at once', async () => {
    const postId = await questionnaire(TEXTS);
    const found = await Promise.all(
      Array.from({ length: 8 }, () => respond(postId, saying('The same text for everyone'))),
    );
    expect(found.map(({ quality }) => quality.text_repeats).toSorted()).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7,
    ]);
  });

  it('do not compare with a text that was erased', async () => {
    const postId = await questionnaire(TEXTS);
    const text = saying('Something that names a person');
    const first = await respond(postId, text);
    expect((await respond(postId, text)).quality.text_repeats).toBe(1);
    expect(await signals(postId)).toMatchObject({ repeated_text: [2, 1] });
    await platform.post('/svc/fielding/erase-respondent', { respondent_id: first.respondent_id });
    expect((await respond(postId, text)).quality.text_repeats).toBe(1);
    expect(await signals(postId)).toMatchObject({ repeated_text: [2, 2] });
    const [{ rows }] = await service.dataSource.query(
      'SELECT count(*)::integer AS rows FROM participation WHERE company_id = $1 AND text_hash IS NOT NULL',
      [storedEnvironment(company.companyId)],
    );
    expect(rows).toBe(2);
  });

  it('compare answering times with the earlier ones, from 30 responses on', async () => {
    const postId = await questionnaire([choice()]);
    const answers = [{ question: 1, value: 'dark' }];
    for (let response = 1; response <= 30; response += 1) {
      const { quality } = await respond(postId, answers, 100 * response);
      expect(quality).toEqual(NO_QUALITY);
    }
    expect(await signals(postId)).toMatchObject({ fast: [0, 0] });
    const percentile = async (seconds: number) => {
      const { quality } = await respond(postId, answers, seconds);
      return [quality.answer_percentile, quality.flags];
    };
    expect(await percentile(1_550)).toEqual([50, []]);
    expect(await percentile(3_400)).toEqual([100, []]);
    expect(await percentile(50)).toEqual([0, ['fast']]);
    expect(await signals(postId)).toMatchObject({ fast: [3, 1] });
    expect(await signals(postId, '?cohorts=1')).toMatchObject({ fast: [0, 0] });
    // The numbers of the questions begin anew with a set of their own.
    await company.api.post('/svc/survey/questions', { post_id: postId, questions: [choice()] });
    expect(await percentile(50)).toEqual([null, []]);
  });

  it('leave the results with a reversal, and everything with an erasure', async () => {
    const postId = await imageSurvey('slider');
    const straight = [1, 2, 3, 4, 5].map((image) => ({ image, value: 7 }));
    const [reversed, erased] = [
      await respond(postId, straight),
      await respond(postId, straight),
      await respond(postId, straight),
    ];
    expect(await signals(postId)).toMatchObject({ straight_lining: [3, 3] });
    const { participation_id } = reversed;
    await platform.post('/svc/fielding/reverse', {
      post_id: postId,
      participation_id,
      reason: 'Fraud',
    });
    expect(await signals(postId)).toMatchObject({ straight_lining: [2, 2] });
    await platform.post('/svc/fielding/erase-respondent', { respondent_id: erased.respondent_id });
    expect(await signals(postId)).toMatchObject({ straight_lining: [1, 1] });
    const { body } = await company.api.get(`/svc/campaign/${postId}/responses`);
    expect(
      body.data.items.map(({ quality }: any) => quality?.longest_run ?? null).toReversed(),
    ).toEqual([5, null, 5]);
    const read = await platform.get(`/svc/fielding/participation/${erased.participation_id}`);
    expect(read.body.data.quality).toBeNull();
    const [{ signals: left }] = await service.dataSource.query(STORED, [erased.participation_id]);
    expect(left).toBe(0);
  });

  it('leave nothing of an erased response in the times that others are compared with', async () => {
    const postId = await questionnaire([choice()]);
    const answers = [{ question: 1, value: 'dark' }];
    const all = await Promise.all(
      Array.from({ length: 31 }, (_, index) => respond(postId, answers, index < 1 ? 9 : 1_000)),
    );
    await results(postId);
    const percentiles = async () => {
      const rows = await service.dataSource.query(
        'SELECT responses, percentiles FROM answer_times WHERE company_id = $1',
        [storedEnvironment(company.companyId)],
      );
      return rows.map((row: any) => [Number(row.responses), new Set(row.percentiles).size > 1]);
    };
    const erase = (index: number) =>
      platform.post('/svc/fielding/erase-respondent', {
        respondent_id: all[index]!.respondent_id,
      });
    const [[counted] = []] = await percentiles();
    expect([30, 31]).toContain(counted);
    await erase(0);
    const [[left] = []] = await percentiles();
    expect(left).toBe(30);
    await erase(1);
    expect(await percentiles()).toEqual([]);
    const expected = await recount(service.dataSource, company.companyId);
    expect(await tallied(service.dataSource, company.companyId)).toEqual(expected);
  });
});
