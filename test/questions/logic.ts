import { createSurvey } from '../support/builders';
import { begun, liveQuestionnaire, start, submit } from '../support/fielding';
import { LANGUAGES, QUESTIONS } from '../support/every-type';
import { companyForAll, platformForAll } from '../support/fixtures';
import { expectError, expectInvalid } from '../support/refusals';

const ANSWERS = [
  { question: 'agree', value: true },
  { question: 3, value: ['Milk', 'other'], other: ' Oat ', comment: 'Always' },
  { question: 'taste', value: 5 },
  { question: 'q5', value: 9 },
  { question: 6, value: 2.5 },
  { question: 7, value: '2020-02' },
  { question: 8, value: ['Price', 'Taste'] },
  { question: 9, value: { price: 'Good', Taste: 'Bad' } },
];

describe('a questionnaire with every type', () => {
  const company = companyForAll();
  const platform = platformForAll();
  let postId: string;

  beforeAll(async () => {
    postId = (await createSurvey(company.api)).post_id;
    const content = { post_id: postId, questions: QUESTIONS, ...LANGUAGES };
    const { status, body } = await company.api.post('/svc/survey/questions', content);
    expect([status, body.error]).toEqual([200, undefined]);
    await start(company.api, postId);
  });

  it('is read as it was sent, and applied and duplicated with its languages', async () => {
    const { body } = await company.api.get(`/svc/campaign/${postId}/questions`);
    expect(body.data).toMatchObject({ questions: QUESTIONS, ...LANGUAGES });
    const copy = await company.api.post('/svc/campaign/duplicate', { post_id: postId });
    const read = await company.api.get(`/svc/campaign/${copy.data.post_id}/questions`);
    expect(read.data).toMatchObject({ questions: QUESTIONS, ...LANGUAGES });
  });

  it('is served in the language that fits best, in the same order each time', async () => {
    const request = { post_id: postId, respondent_id: 'reader', language: 'de-at' };
    const first = (await platform.post('/svc/fielding/begin', request)).data.content;
    expect(first.language).toBe('de');
    expect(first.questions[2].question).toBe('Was nehmen Sie dazu?');
    expect(first.questions[2].options).toContainEqual({ text: 'Milch', key: 'Milk' });
    expect(first.questions[2].options[1]).toMatchObject({ key: 'other' });
    expect((await platform.post('/svc/fielding/begin', request)).data.content).toEqual(first);
    const english = await platform.post('/svc/fielding/begin', { ...request, language: 'fr' });
    expect(english.data.content.language).toBe('en');
  });

  it('is answered, and read with positions and keys', async () => {
    const part = await begun(platform, postId, 'answers');
    const { status, body } = await submit(platform, part, 9, ANSWERS);
    expect([status, body.error]).toEqual([200, undefined]);
    expect((await submit(platform, part, 9, ANSWERS.toReversed())).status).toBe(200);
    const read = await company.api.get(`/svc/campaign/${postId}/responses?limit=1`);
    expect(read.data.items[0].answers).toEqual([
      { question: 2, key: 'agree', value: true },
      { question: 3, key: 'milk', value: ['Milk', 'other'], other: 'Oat', comment: 'Always' },
      { question: 4, key: 'taste', value: 5 },
      { question: 5, value: 9 },
      { question: 6, value: 2.5 },
      { question: 7, value: '2020-02' },
      { question: 8, value: ['Price', 'Taste'] },
      { question: 9, value: { Taste: 'Bad', price: 'Good' } },
    ]);
    const results = await company.api.get(`/svc/campaign/${postId}/results`);
    expect(results.status).toBe(200);
  });

  it('refuses answers to what is hidden, and requires what is shown', async () => {
    const part = await begun(platform, postId, 'hidden');
    const without = ANSWERS.map((each) =>
      each.question === 3 ? { question: 3, value: ['none'] } : each,
    );
    expectInvalid(await submit(platform, part, 5, without), {
      'answers[2].question': 'not_shown',
    });
    const hidden = ANSWERS.filter(({ question }) => question !== 'taste');
    expectInvalid(await submit(platform, part, 5, hidden), { answers: 'required' });
  });

  it('refuses values that do not fit the types, all at once', async () => {
    const part = await begun(platform, postId, 'wrong');
    const answers = [
      { question: 1, value: 'x' },
      { question: 2, value: false },
      { question: 3, value: ['none', 'Milk'], other: 'x' },
      { question: 4, value: 6 },
      { question: 5, value: 1.5 },
      { question: 6, value: 1.25 },
      { question: 7, value: '2020-13' },
      { question: 8, value: ['Price'] },
      { question: 9, value: { Taste: 'So so' } },
      { question: 10, value: 'nobody' },
      { question: 'nobody', value: 'x' },
    ];
    expectInvalid(await submit(platform, part, 5, answers), {
      'answers[0].value': 'not_allowed',
      'answers[1].value': 'not_allowed',
      'answers[2].value': 'not_allowed',
      'answers[2].other': 'not_allowed',
      'answers[3].value': 'too_large',
      'answers[4].value': 'not_allowed',
      'answers[5].value': 'too_precise',
      'answers[6].value': 'invalid_date',
      'answers[7].value': 'too_few',
      'answers[8].value.Taste': 'not_allowed',
      'answers[9].value': 'invalid_email',
      'answers[10].question': 'not_allowed',
    });
  });

  it('is not for a platform that supports fewer types', async () => {
    const choices = await liveQuestionnaire(company, [{ type: 'text', question: 'Why?' }]);
    const request = { respondent_id: 'limited', supports: ['text'] };
    const refused = await platform.post('/svc/fielding/begin', { post_id: postId, ...request });
    expectError(refused, 422, 'not_supported');
    const begun = await platform.get('/svc/fielding/respondent?respondent_id=limited');
    expect(begun.data.items).toEqual([]);
    const begin = await platform.post('/svc/fielding/begin', { post_id: choices, ...request });
    expect(begin.status).toBe(200);
    const list = await platform.get(
      '/svc/fielding/list?respondent_id=other&supports=text&limit=100',
    );
    const listed = list.data.items.map(({ post_id }: { post_id: string }) => post_id);
    expect(listed).not.toContain(postId);
  });

  it('has a launch check with its doubts and paths', async () => {
    const { data } = await company.api.get(`/svc/campaign/${postId}/launch-check`);
    expect(data.paths).toEqual({ shortest: 9, longest: 10, exact: true });
    expect(data.warnings.map(({ code }: { code: string }) => code)).toContain('untranslated');
  });
});
