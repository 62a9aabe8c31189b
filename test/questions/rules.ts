import { choice, createAdvertisement, createSurvey, question } from '../support/builders';
import { companyForAll } from '../support/fixtures';
import { expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { storedQuestionSets } from '../support/stored';

describe('a set of questions (sections 2.4 and 8)', () => {
  const company = companyForAll();
  const postIds = { survey: '', advertisement: '' };

  beforeAll(async () => {
    postIds.survey = (await createSurvey(company.api)).post_id;
    postIds.advertisement = (
      await createAdvertisement(company.api, { has_feedback: true })
    ).post_id;
  });

  const set = (questions: unknown) =>
    company.api.post('/svc/survey/questions', { post_id: postIds.survey, questions });

  it('is in NFC before it is compared and stored (UAX #15)', async () => {
    expectInvalid(await set([choice({ options: ['Caf\u00e9', 'Tea', 'Cafe\u0301'] })]), {
      'questions[0].options[2]': 'duplicate',
    });
    const { status } = await set([
      choice({ question: 'Cafe\u0301?', options: ['Cafe\u0301', 'Tea'] }),
    ]);
    expect(status).toBe(200);
    const { body } = await company.api.get(`/svc/campaign/${postIds.survey}/questions`);
    expect(body.data.questions).toMatchObject([
      { question: 'Caf\u00e9?', options: ['Caf\u00e9', 'Tea'] },
    ]);
  });

  it('has no question and no option without a visible character', async () => {
    const questions = [
      question({ question: '\u200b\u2060' }),
      choice({ options: ['\ufe0f', '\u3164 \u00ad'] }),
    ];
    expectInvalid(await set(questions), {
      'questions[0].question': 'empty',
      'questions[1].options[0]': 'empty',
      'questions[1].options[1]': 'empty',
    });
  });

  it.each(['survey', 'advertisement'] as const)(
    'has at most 300 questions of 1,000 characters for one %s',
    async (type) => {
      const longest = Array.from({ length: 301 }, () => question({ question: '😀'.repeat(1000) }));
      const send = (questions: unknown) =>
        company.api.post(`/svc/${type}/questions`, { post_id: postIds[type], questions });
      expect((await send(longest.slice(1))).data.total_questions).toBe(300);
      expectInvalid(await send(longest), { questions: 'too_many' });
      expectInvalid(await send([question({ question: 'x'.repeat(1001) })]), {
        'questions[0].question': 'too_long',
      });
    },
  );

  it('distinguishes options by case and accepts 2,000 of them, of 500 characters', async () => {
    const numbered = Array.from({ length: 1_997 }, (_, index) => `option ${index}`);
    const options = ['a', 'A', '😀'.repeat(500), ...numbered];
    expect((await set([choice({ options })])).status).toBe(200);
    const stored = await storedQuestionSets(service.dataSource, postIds.survey);
    expect(stored.at(-1)?.questions).toEqual([choice({ options })]);
    expectInvalid(await set([choice({ options: ['a', 'x'.repeat(501)] })]), {
      'questions[0].options[1]': 'too_long',
    });
  });

  it('has no question that nobody can answer', async () => {
    const number = { type: 'number', question: 'How many?' };
    const questions = [
      question({ format: 'email', maximum_length: 5 }),
      question({ format: 'email', maximum_length: 6 }),
      question({ format: 'email', minimum_length: 255 }),
      question({ format: 'url', maximum_length: 7 }),
      question({ format: 'integer', minimum_length: 9, maximum_length: 8 }),
      { ...number, minimum: 0.2, maximum: 0.7 },
      { ...number, minimum: -0.7, maximum: -0.2 },
      { ...number, minimum: -0.7, maximum: 0.2 },
      { ...number, minimum: 0.2, maximum: 0.7, decimals: 1 },
    ];
    expectInvalid(await set(questions), {
      'questions[0].maximum_length': 'too_small',
      'questions[2].minimum_length': 'too_large',
      'questions[3].maximum_length': 'too_small',
      'questions[4].maximum_length': 'too_small',
      'questions[5].maximum': 'too_small',
      'questions[6].maximum': 'too_small',
    });
  });

  it.each(['survey', 'advertisement'] as const)(
    'is reported with every wrong field at once for one %s',
    async (type) => {
      const path = `/svc/${type}/questions`;
      expectInvalid(await company.api.post(path, {}), {
        post_id: 'required',
        questions: 'required',
      });
      const answer = await company.api.post(path, {
        post_id: postIds[type],
        questions: [
          choice({ options: ['one'] }),
          question({ type: 'video', question: '' }),
          {},
          question({ options: ['a', 'b'], hint: 'x', required: 'true' }),
          'text',
          choice({ options: ['a', ' a ', null], type: 'multiple_choice' }),
        ],
        replace: true,
      });
      expectInvalid(answer, {
        'questions[0].options': 'too_few',
        'questions[1].type': 'not_allowed',
        'questions[1].question': 'empty',
        'questions[2].type': 'required',
        'questions[2].question': 'required',
        'questions[3].options': 'not_allowed',
        'questions[3].hint': 'unknown_field',
        'questions[3].required': 'invalid_type',
        'questions[4]': 'invalid_type',
        'questions[5].options[1]': 'duplicate',
        'questions[5].options[2]': 'invalid_type',
        replace: 'unknown_field',
      });
    },
  );
});
