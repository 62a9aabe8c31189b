import { createAdvertisement, createImageSurvey, images } from '../support/builders';
import { eventually } from '../support/eventually';
import {
  begun,
  expectReconciled,
  expire,
  liveQuestionnaire,
  liveSurvey,
  ScoredAnswers,
  start,
  submit,
  submitAll,
} from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import { generateKey } from '../support/keys';
import { expectError, expectInvalid } from '../support/refusals';
import { resultsOf } from '../support/recount';
import { service } from '../support/service';
import { MEN, quota, setTargeting, targetedSurvey, WOMEN } from '../support/targeting';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

const MOMENT = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

describe('GET /svc/campaign/{post_id}/results', () => {
  const platform = platformForAll();
  const company = companyForEach();

  const respond = (postId: string, ...responses: ScoredAnswers[]) =>
    submitAll(platform, postId, responses);

  const results = (postId: string, query?: string) =>
    resultsOf(service.dataSource, company, postId, query);

  const questionnaire = (questions: unknown[]) => liveQuestionnaire(company, questions);

  const QUESTION = { type: 'single_choice', question: 'How often?', options: ['Daily', 'Never'] };

  it('returns everything of an empty campaign', async () => {
    const post_id = await liveSurvey(company);
    expect(await results(post_id)).toEqual({
      post_id,
      version: null,
      as_of_seq: expect.any(Number),
      behind: 0,
      as_of: MOMENT,
      cohorts_counted: [1, 2, 3, 4, 5],
      quota: null,
      margins: null,
      currency: 'USD',
      responses: { submitted: 0, reversed: 0, erased: 0, counted: 0 },
      funnel: {
        begun: 0,
        submitted: 0,
        abandoned: 0,
        expired: 0,
        open: 0,
        completion_rate: null,
        interval: [0, 1],
      },
      answer_seconds: { median: null, p10: null, p90: null },
      attention: { mean: null, standard_deviation: null, interval: null },
      cohorts: [1, 2, 3, 4, 5].map((cohort) => ({
        cohort,
        responses: 0,
        share: null,
        interval: [0, 1],
        paid: 0,
      })),
      quality: ['fast', 'straight_lining', 'inconsistent', 'repeated_text'].map((signal) => ({
        signal,
        measured: 0,
        flagged: 0,
        share: null,
        interval: [0, 1],
      })),
      spending: {
        spent: 0,
        held: 0,
        screened_out: 0,
        screen_out_spent: 0,
        bonus_spent: 0,
        mean_reward: null,
      },
      stop_when: [],
      timeline: [],
      questions: [],
    });
  });

  it('refuses a quota that the campaign does not have, or no longer has', async () => {
    const post_id = await targetedSurvey(company, { quotas: [quota('women', WOMEN, 9)] });
    const read = () => company.api.get(`/svc/campaign/${post_id}/results?quota=women`);
    expect((await read()).data.quota).toBe('women');
    await setTargeting(company.api, post_id, { quotas: [quota('men', MEN, 9)] });
    expectError(await read(), 404, 'quota_not_found');
  });

  it('returns cohorts, money and times of a campaign without questions', async () => {
    const post_id = await liveSurvey(company);
    await respond(post_id, [9, []], [9, []], [1, []]);
    await begun(platform, post_id, 'open');
    const abandoned = await begun(platform, post_id, 'abandoned');
    const { participation_id } = abandoned;
    await platform.post('/svc/fielding/abandon', { post_id, participation_id });
    const found = await results(post_id);
    expect(found).toMatchObject({
      responses: { submitted: 3, reversed: 0, erased: 0, counted: 3 },
      funnel: { begun: 5, submitted: 3, abandoned: 1, expired: 0, open: 1, completion_rate: 0.75 },
      attention: { mean: 6.333333, standard_deviation: 4.618802 },
      spending: { spent: 203, held: 100, mean_reward: 67.67 },
      timeline: [{ from: MOMENT, to: MOMENT, submitted: 3, spent: 203 }],
      questions: [],
    });
    expect(found.cohorts[4]).toEqual({
      cohort: 5,
      responses: 2,
      share: 0.666667,
      interval: [0.20766, 0.938508],
      paid: 200,
    });
    expect(found.answer_seconds.median).toBeGreaterThan(0);
  });

  it('is in short in reads and lists of campaigns, as `progress`', async () => {
    const post_id = await liveSurvey(company);
    const [reversed] = await respond(post_id, [9, []], [1, []]);
    await begun(platform, post_id, 'open');
    for (const who of ['abandoned', 'expired']) {
      const { participation_id } = await begun(platform, post_id, who);
      if (who === 'expired') {
        await expire(service.dataSource, participation_id);
      } else {
        await platform.post('/svc/fielding/abandon', { post_id, participation_id });
      }
    }
    const { participation_id } = reversed!;
    await platform.post('/svc/fielding/reverse', { post_id, participation_id, reason: 'Fraud' });
    const progress = {
      begun: 5,
      open: 1,
      submitted: 2,
      reversed: 1,
      abandoned: 1,
      expired: 1,
      spent: 3,
      held: 100,
      screened_out: 0,
      screen_out_spent: 0,
      bonus_spent: 0,
      disputed: 0,
    };
    await eventually(async () => {
      const read = await company.api.get(`/svc/campaign/${post_id}`);
      const listed = await company.api.get('/svc/campaign/list');
      expect(read.body.data.progress).toEqual(progress);
      expect(listed.body.data.items[0].progress).toEqual(progress);
    });
    await expectReconciled(company.api);
  });

  it('counts each type of question, with shares of those who answered', async () => {
    const post_id = await questionnaire([
      { ...QUESTION, options: ['Daily', 'Weekly', 'Never'] },
      { type: 'multiple_choice', question: 'Which?', options: ['x', 'y'], required: false },
      { type: 'text', question: 'Favourite bean?' },
      { type: 'descriptive', question: 'Why?', required: false },
    ]);
    const text = { question: 3, value: 'Xylophone' };
    await respond(
      post_id,
      [9, [{ question: 1, value: 'Daily' }, { question: 2, value: ['x', 'y'] }, text]],
      [9, [{ question: 1, value: 'Daily' }, { question: 2, value: ['x'] }, text]],
      [5, [{ question: 1, value: 'Never' }, text, { question: 4, value: 'Because' }]],
    );
    const found = await results(post_id);
    expect(found.version).toBe(1);
    expect(found.questions).toEqual([
      {
        question: 1,
        type: 'single_choice',
        text: 'How often?',
        asked: 3,
        not_shown: 0,
        answered: 3,
        effective_size: 3,
        options: [
          { value: 'Daily', count: 2, share: 0.666667, interval: [0.20766, 0.938508] },
          { value: 'Weekly', count: 0, share: 0, interval: [0, 0.561497] },
          { value: 'Never', count: 1, share: 0.333333, interval: [0.061492, 0.79234] },
        ],
      },
      expect.objectContaining({
        question: 2,
        answered: 2,
        options: [
          expect.objectContaining({ value: 'x', count: 2, share: 1 }),
          expect.objectContaining({ value: 'y', count: 1, share: 0.5 }),
        ],
      }),
      {
        question: 3,
        type: 'text',
        text: 'Favourite bean?',
        asked: 3,
        not_shown: 0,
        answered: 3,
      },
      { question: 4, type: 'descriptive', text: 'Why?', asked: 3, not_shown: 0, answered: 1 },
    ]);
    expect(JSON.stringify(found)).not.toContain('Xylophone');
  });

  it('counts the feedback to an advertisement', async () => {
    const { post_id } = await createAdvertisement(company.api, { has_feedback: true });
    const questions = [QUESTION];
    await company.api.post('/svc/advertisement/questions', { post_id, questions });
    await start(company.api, post_id);
    await respond(post_id, [9, [{ question: 1, value: 'Never' }]]);
    const [question] = (await results(post_id)).questions;
    expect(question.options).toMatchObject([{ count: 0 }, { count: 1, share: 1 }]);
  });

  it('weighs cohorts, and leaves cohorts out', async () => {
    const post_id = await questionnaire([QUESTION]);
    const answer = (value: string) => [{ question: 1, value }];
    await respond(
      post_id,
      [9, answer('Daily')],
      [9, answer('Daily')],
      [1, answer('Never')],
      [3, answer('Never')],
    );
    const share = async (query?: string) => {
      const { questions, cohorts_counted, responses } = await results(post_id, query);
      const [{ answered, effective_size, options }] = questions;
      const [{ count, share: daily }] = options;
      return {
        cohorts_counted,
        counted: responses.counted,
        answered,
        effective_size,
        count,
        daily,
      };
    };
    const all = { cohorts_counted: [1, 2, 3, 4, 5], counted: 4, answered: 4, count: 2 };
    expect(await share()).toEqual({ ...all, effective_size: 4, daily: 0.5 });
    expect(await share('?weights=1,1,1,1,1')).toEqual({ ...all, effective_size: 4, daily: 0.5 });
    expect(await share('?weights=0.5,0.5,1,1,1')).toEqual({
      ...all,
      effective_size: 3.6,
      daily: 0.666667,
    });
    expect(await share('?weights=0.5,0.5,0,0,0')).toEqual({ ...all, effective_size: 2, daily: 0 });
    expect(await share('?cohorts=5,1')).toEqual({
      cohorts_counted: [1, 5],
      counted: 3,
      answered: 3,
      count: 2,
      effective_size: 3,
      daily: 0.666667,
    });
  });

  it('counts a version by itself, the current one by default', async () => {
    const post_id = await questionnaire([QUESTION]);
    await respond(post_id, [9, [{ question: 1, value: 'Daily' }]]);
    const questions = [{ ...QUESTION, question: 'Again?' }];
    await company.api.post('/svc/survey/questions', { post_id, questions });
    const part = await begun(platform, post_id, 'later');
    await submit(platform, part, 9, [{ question: 1, value: 'Never' }]);
    const first = await results(post_id, '?version=1');
    const second = await results(post_id);
    expect([first.version, second.version]).toEqual([1, 2]);
    expect(first.questions).toMatchObject([{ text: 'How often?', options: [{ count: 1 }, {}] }]);
    expect(second.questions).toMatchObject([{ text: 'Again?', options: [{ count: 0 }, {}] }]);
    for (const { responses, funnel, timeline } of [first, second]) {
      expect([responses.submitted, funnel.submitted, timeline[0].submitted]).toEqual([1, 2, 2]);
    }
    expectError(
      await company.api.get(`/svc/campaign/${post_id}/results?version=3`),
      404,
      'question_set_not_found',
    );
  });

  it('rates the images of a slider', async () => {
    const { post_id } = await createImageSurvey(company.api, 'slider', {
      scale: { min: -1, max: 1, step: 0.5 },
      images: [{ url: 'https://example.com/a.png', label: 'A' }],
    });
    await start(company.api, post_id);
    await respond(post_id, [9, [{ image: 1, value: -1 }]], [9, [{ image: 1, value: 0.5 }]]);
    const { version, questions } = await results(post_id);
    expect(version).toBeNull();
    expect(questions).toEqual([
      {
        question: 1,
        type: 'image_slider',
        text: 'Which one?',
        images: [
          {
            image: 1,
            url: 'https://example.com/a.png',
            label: 'A',
            n: 2,
            effective_size: 2,
            mean: -0.25,
            standard_deviation: 1.06066,
            interval: null,
            histogram: [
              { value: -1, count: 1 },
              { value: -0.5, count: 0 },
              { value: 0, count: 0 },
              { value: 0.5, count: 1 },
              { value: 1, count: 0 },
            ],
          },
        ],
      },
    ]);
  });

  it('rates what is left after ratings that came to 0', async () => {
    const { post_id } = await createImageSurvey(company.api, 'slider', {
      scale: { min: -5, max: 5, step: 1 },
      images: images(1),
    });
    await start(company.api, post_id);
    const [, second, third] = await respond(
      post_id,
      ...[5, -5, 0].map((value): [number, unknown[]] => [9, [{ image: 1, value }]]),
    );
    const reverse = ({ participation_id }: { participation_id: string }) =>
      platform.post('/svc/fielding/reverse', { post_id, participation_id, reason: 'Bot' });
    const rated = async () => (await results(post_id)).questions[0].images[0];
    expect(await rated()).toMatchObject({ n: 3, mean: 0 });
    await reverse(third!);
    expect(await rated()).toMatchObject({ n: 2, mean: 0 });
    await reverse(second!);
    expect(await rated()).toMatchObject({ n: 1, mean: 5 });
  });

  it('has at most 101 steps for a slider with a fine scale', async () => {
    const { post_id } = await createImageSurvey(company.api, 'slider', {
      scale: { min: 0, max: 1_000, step: 0.01 },
      images: images(1),
    });
    await start(company.api, post_id);
    await respond(post_id, [9, [{ image: 1, value: 1_000 }]], [9, [{ image: 1, value: 9.91 }]]);
    const [{ histogram }] = (await results(post_id)).questions[0].images;
    expect(histogram).toHaveLength(101);
    expect(histogram.filter(({ count }: { count: number }) => count > 0)).toEqual([
      { value: 9.91, count: 1 },
      { value: 991, count: 1 },
    ]);
  });

  it('compares two images', async () => {
    const { post_id } = await createImageSurvey(company.api, 'binary');
    await start(company.api, post_id);
    await respond(post_id, [9, [{ value: 2 }]], [9, [{ value: 2 }]], [1, [{ value: 1 }]]);
    expect((await results(post_id)).questions).toMatchObject([
      {
        type: 'binary',
        answered: 3,
        images: [
          { image: 1, count: 1, share: 0.333333 },
          { image: 2, count: 2, share: 0.666667 },
        ],
      },
    ]);
  });

  it('ranks the images of a round robin, and tells contradictions', async () => {
    const { post_id } = await createImageSurvey(company.api, 'round-robin');
    await start(company.api, post_id);
    const larger = (await createImageSurvey(company.api, 'round-robin')).post_id;
    await start(company.api, larger);
    const choices = (...[a, b, c]: number[]) => [
      { images: [1, 2], value: a },
      { images: [1, 3], value: b },
      { images: [2, 3], value: c },
    ];
    // Two agree on 1, 2, 3; the third one runs in a circle: 1 before 2 before 3 before 1.
    await respond(post_id, [9, choices(1, 1, 2)], [9, choices(1, 1, 2)], [1, choices(1, 3, 2)]);
    const [question] = (await results(post_id)).questions;
    expect(question).toMatchObject({ type: 'round_robin', answered: 3, consistency: 0.666667 });
    expect(question.pairs).toEqual([
      { images: [1, 2], wins: [3, 0] },
      { images: [1, 3], wins: [2, 1] },
      { images: [2, 3], wins: [3, 0] },
    ]);
    expect(question.images).toMatchObject([
      { wins: 5, rank: 1 },
      { wins: 3, rank: 2 },
      { wins: 1, rank: 3 },
    ]);
    const strengths = question.images.map(({ strength }: { strength: number }) => strength);
    expect(strengths.reduce((sum: number, each: number) => sum + each, 0)).toBeCloseTo(1, 5);
    expect(question.images.map(({ interval }: any) => interval)).toEqual([null, null, null]);
    const five = [2, 2, 2, 2, 3].map((c): [number, unknown[]] => [9, choices(1, 1, c)]);
    await respond(larger, ...five);
    for (const { strength, interval } of (await results(larger)).questions[0].images) {
      expect(interval[0]).toBeLessThan(strength);
      expect(interval[1]).toBeGreaterThan(strength);
    }
  });

  it('takes out what is reversed or erased, before and after it was counted', async () => {
    const post_id = await questionnaire([QUESTION]);
    const daily: [number, unknown[]] = [9, [{ question: 1, value: 'Daily' }]];
    const parts = await respond(post_id, daily, daily, daily, [
      1,
      [{ question: 1, value: 'Never' }],
    ]);
    await results(post_id);
    const reverse = (participation_id: string) =>
      platform.post('/svc/fielding/reverse', { post_id, participation_id, reason: 'Fraud' });
    await reverse(parts[0]!.participation_id);
    await platform.post('/svc/fielding/erase-respondent', { respondent_id: `${post_id} 3` });
    const found = await results(post_id);
    expect(found).toMatchObject({
      responses: { submitted: 4, reversed: 1, erased: 1, counted: 2 },
      spending: { spent: 203 },
      timeline: [{ submitted: 4, spent: 203 }],
    });
    expect(found.questions[0].options).toMatchObject([
      { value: 'Daily', count: 2 },
      { value: 'Never', count: 0 },
    ]);
    // No row has the erased answer.
    const rows = await service.dataSource.query(
      "SELECT key FROM tally WHERE company_id = $1 AND kind = 'option'",
      [storedEnvironment(company.companyId)],
    );
    expect(rows).toEqual([{ key: 'Daily' }]);
    // A response that was erased and then reversed is a reversed one.
    await reverse(parts[3]!.participation_id);
    expect((await results(post_id)).responses).toEqual({
      submitted: 4,
      reversed: 2,
      erased: 0,
      counted: 2,
    });
  });

  it('never mixes test and live data', async () => {
    const { api } = await generateKey(company.account, service.client, { mode: 'test' });
    const post_id = await liveSurvey({ api });
    await submit(api, await begun(api, post_id, 'ann'), 9);
    const test = { api, companyId: company.companyId.replace('co_', 'test_') };
    const found = await resultsOf(service.dataSource, test, post_id);
    expect(found.responses.counted).toBe(1);
    expectError(
      await company.api.get(`/svc/campaign/${post_id}/results`),
      404,
      'campaign_not_found',
    );
  });

  it.each([
    ['version=0', { version: 'too_small' }],
    ['cohorts=6', { cohorts: 'not_allowed' }],
    ['cohorts=', { cohorts: 'not_allowed' }],
    ...['1,1,1,1', '1,1,1,1,1,1', '1,1,1,1,2', '1,1,1,1,-1', '1,1,1,1,x', '0,0,0.0,0,0'].map(
      (weights): [string, Record<string, string>] => [
        `weights=${weights}`,
        { weights: 'not_allowed' },
      ],
    ),
  ])('refuses %s', async (query, wrong) => {
    const post_id = await liveSurvey(company);
    expectInvalid(await company.api.get(`/svc/campaign/${post_id}/results?${query}`), wrong);
  });
});
