import { choice, createAdvertisement, createSurvey, question } from '../support/builders';
import { companyForAll } from '../support/fixtures';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { currentQuestionSet, storedCampaign, storedQuestionSets } from '../support/stored';

const SURVEY = '/svc/survey/questions';
const ADVERTISEMENT = '/svc/advertisement/questions';

describe('setting questions (sections 4.2 and 4.3)', () => {
  const company = companyForAll();

  const setSurvey = (post_id: string, questions: unknown) =>
    company.api.post(SURVEY, { post_id, questions });
  const setAdvertisement = (post_id: string, questions: unknown) =>
    company.api.post(ADVERTISEMENT, { post_id, questions });
  const sets = (postId: string) => storedQuestionSets(service.dataSource, postId);
  const currentSet = (postId: string) => currentQuestionSet(service.dataSource, postId);

  it('returns exactly the question-set result of a survey (section 2.5)', async () => {
    const { id, post_id } = await createSurvey(company.api);
    const { status, body } = await setSurvey(post_id, [question(), choice()]);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: 'Survey questions stored.',
      data: {
        question_id: expect.stringMatching(/^qset_[0-9a-z]{26}$/),
        post_id,
        ad_id: id,
        question_type: 'survey',
        total_questions: 2,
      },
    });
  });

  it('returns exactly the question-set result of an advertisement (section 2.5)', async () => {
    const { id, post_id } = await createAdvertisement(company.api, { has_feedback: true });
    const { status, body } = await setAdvertisement(post_id, [question()]);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: 'Feedback questions stored.',
      data: {
        question_id: expect.stringMatching(/^qset_[0-9a-z]{26}$/),
        post_id,
        ad_id: id,
        question_type: 'ad',
        total_questions: 1,
      },
    });
  });

  it('stores questions of every type exactly, in order (section 2.4)', async () => {
    const { post_id } = await createSurvey(company.api);
    const questions = [
      { type: 'descriptive', question: 'Why?\n\n"Because" – \\n 😀 <b>' },
      { type: 'text', question: 'Which?' },
      { type: 'single_choice', question: 'One', options: ['z', 'a', 'Z', 'm', '10', '9'] },
      { type: 'multiple_choice', question: 'Many', options: ['ä', "o'ne", '$1'] },
      { type: 'text', question: 'Which?' },
    ];
    const { body } = await setSurvey(post_id, questions);
    expect(await sets(post_id)).toEqual([
      { question_id: body.data.question_id, questions, total_questions: 5 },
    ]);
  });

  it('trims texts and options', async () => {
    const { post_id } = await createSurvey(company.api);
    await setSurvey(post_id, [choice({ question: ' Roast? ', options: [' light', 'dark\t'] })]);
    expect((await sets(post_id))[0]?.questions).toEqual([
      { type: 'single_choice', question: 'Roast?', options: ['light', 'dark'] },
    ]);
  });

  it('accepts absent or empty options for questions without choices, and stores none', async () => {
    const { post_id } = await createSurvey(company.api);
    const questions = ['descriptive', 'text'].flatMap((type) => [
      question({ type }),
      question({ type, options: [] }),
    ]);
    expect((await setSurvey(post_id, questions)).body.data.total_questions).toBe(4);
    const [stored] = await sets(post_id);
    expect(stored?.questions).toHaveLength(4);
    stored?.questions.forEach((each) =>
      expect(Object.keys(each).toSorted()).toEqual(['question', 'type']),
    );
  });

  it.each([
    ['a survey', SURVEY, createSurvey],
    ['an advertisement', ADVERTISEMENT, createAdvertisement],
  ])(
    'replaces the questions of %s and keeps the earlier set (section 4.2)',
    async (_, path, make) => {
      const { post_id } = await make(company.api, path === SURVEY ? {} : { has_feedback: true });
      const first = await company.api.post(path, { post_id, questions: [question(), choice()] });
      const second = await company.api.post(path, { post_id, questions: [choice()] });
      const again = await company.api.post(path, { post_id, questions: [choice()] });
      const ids = [first, second, again].map(({ body }) => body.data.question_id);
      expect(new Set(ids).size).toBe(3);
      expect(second.body.data.total_questions).toBe(1);
      expect(await currentSet(post_id)).toBe(ids[2]);
      expect(await sets(post_id)).toEqual([
        { question_id: ids[0], questions: [question(), choice()], total_questions: 2 },
        { question_id: ids[1], questions: [choice()], total_questions: 1 },
        { question_id: ids[2], questions: [choice()], total_questions: 1 },
      ]);
    },
  );

  it('leaves the rest of the campaign unchanged, is_live above all (section 3)', async () => {
    const { post_id } = await createSurvey(company.api);
    for (const isLive of [true, false]) {
      await company.api.patch('/svc/campaign/toggle-live', { post_id, is_live: isLive });
      const before = await storedCampaign(service.dataSource, post_id);
      await setSurvey(post_id, [question()]);
      expect(before.is_live).toBe(isLive);
      expect(await storedCampaign(service.dataSource, post_id)).toEqual({
        ...before,
        question_set_version: (before.question_set_version ?? 0) + 1,
        version: before.version + 1,
        updated_at: expect.any(Date),
      });
    }
  });

  it('leaves other campaigns unchanged', async () => {
    const one = await createSurvey(company.api);
    const other = await createSurvey(company.api);
    await setSurvey(other.post_id, [question()]);
    const before = await currentSet(other.post_id);
    await setSurvey(one.post_id, [choice()]);
    expect(await currentSet(other.post_id)).toBe(before);
    expect(await sets(other.post_id)).toHaveLength(1);
  });

  it('refuses feedback questions where has_feedback is not true (sections 4.3 and 7)', async () => {
    const { post_id } = await createAdvertisement(company.api, { has_feedback: false });
    expectError(await setAdvertisement(post_id, [question()]), 422, 'feedback_not_enabled');
    expect(await sets(post_id)).toEqual([]);
  });

  it('accepts only surveys at 4.2 and only advertisements at 4.3', async () => {
    const survey = await createSurvey(company.api);
    const withFeedback = await createAdvertisement(company.api, { has_feedback: true });
    const without = await createAdvertisement(company.api);
    for (const answer of [
      await setAdvertisement(survey.post_id, [question()]),
      await setSurvey(withFeedback.post_id, [question()]),
      await setSurvey(without.post_id, [question()]),
    ]) {
      expectError(answer, 422, 'wrong_campaign_type');
    }
    for (const { post_id } of [survey, withFeedback, without]) {
      expect(await sets(post_id)).toEqual([]);
      expect(await currentSet(post_id)).toBeNull();
    }
  });

  it('keeps the current set when a replacement is refused', async () => {
    const { post_id } = await createSurvey(company.api);
    const { body } = await setSurvey(post_id, [question()]);
    expectInvalid(await setSurvey(post_id, []), { questions: 'too_few' });
    expect(await currentSet(post_id)).toBe(body.data.question_id);
    expect(await sets(post_id)).toHaveLength(1);
  });
});
