import { choice, createAdvertisement, createSurvey, question } from '../support/builders';
import { companyForAll } from '../support/fixtures';
import { expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { storedQuestionSets } from '../support/stored';

const many = (length: number) => Array.from({ length }, (_, index) => `option ${index}`);

describe.each(['survey', 'advertisement'])(
  'a set of questions for one %s (sections 2.4 and 8)',
  (type) => {
    const company = companyForAll();
    let postId: string;

    beforeAll(async () => {
      const create = type === 'survey' ? createSurvey : createAdvertisement;
      const fields = type === 'survey' ? {} : { has_feedback: true };
      postId = (await create(company.api, fields)).post_id;
    });

    const send = (body: unknown) => company.api.post(`/svc/${type}/questions`, body);
    const set = (questions: unknown) => send({ post_id: postId, questions });

    it('requires post_id and questions, both reported at once (section 7)', async () => {
      expectInvalid(await send({}), { post_id: 'required', questions: 'required' });
    });

    it('has at least one question', async () => {
      expectInvalid(await set([]), { questions: 'too_few' });
    });

    it('is in NFC before it is compared and stored (UAX #15)', async () => {
      expectInvalid(await set([choice({ options: ['Caf\u00e9', 'Tea', 'Cafe\u0301'] })]), {
        'questions[0].options[2]': 'duplicate',
      });
      const { status } = await set([
        choice({ question: 'Cafe\u0301?', options: ['Cafe\u0301', 'Tea'] }),
      ]);
      expect(status).toBe(200);
      const { body } = await company.api.get(`/svc/campaign/${postId}/questions`);
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

    it('has at most 100 questions', async () => {
      const { status, body } = await set(Array.from({ length: 100 }, () => question()));
      expect([status, body.data.total_questions]).toEqual([200, 100]);
      expectInvalid(await set(Array.from({ length: 101 }, () => question())), {
        questions: 'too_many',
      });
    });

    it.each(['single_choice', 'multiple_choice'])(
      'has 2 to 250 options for %s',
      async (choiceType) => {
        for (const length of [2, 250]) {
          expect((await set([choice({ type: choiceType, options: many(length) })])).status).toBe(
            200,
          );
        }
        for (const [options, code] of [
          [undefined, 'required'],
          [null, 'null_not_allowed'],
          [[], 'too_few'],
          [['only'], 'too_few'],
          [many(251), 'too_many'],
          ['a, b', 'invalid_type'],
          [{ 0: 'a', 1: 'b' }, 'invalid_type'],
        ] as const) {
          expectInvalid(await set([question(), choice({ type: choiceType, options })]), {
            'questions[1].options': code,
          });
        }
      },
    );

    it.each(['descriptive', 'text'])('has no options for %s', async (plain) => {
      for (const [options, code] of [
        [['a', 'b'], 'not_allowed'],
        [['a'], 'not_allowed'],
        [null, 'null_not_allowed'],
        ['', 'invalid_type'],
      ] as const) {
        expectInvalid(await set([question({ type: plain, options })]), {
          'questions[0].options': code,
        });
      }
    });

    it.each<[string, unknown[], Record<string, string>]>([
      ['distinct', ['a', 'b', 'a'], { '[2]': 'duplicate' }],
      ['distinct after trimming', ['a', ' a '], { '[1]': 'duplicate' }],
      ['not empty', ['a', ' '], { '[1]': 'empty' }],
      [
        'strings',
        ['a', 1, null, ['b']],
        { '[1]': 'invalid_type', '[2]': 'invalid_type', '[3]': 'invalid_type' },
      ],
    ])('requires options that are %s', async (_, options, wrong) => {
      const fields = Object.entries(wrong).map(([at, code]) => [`questions[0].options${at}`, code]);
      expectInvalid(await set([choice({ options })]), Object.fromEntries(fields));
    });

    it('distinguishes options by case and accepts 200 characters', async () => {
      const options = ['a', 'A', '😀'.repeat(200)];
      expect((await set([choice({ options })])).status).toBe(200);
      const stored = await storedQuestionSets(service.dataSource, postId);
      expect(stored.at(-1)?.questions).toEqual([choice({ options })]);
    });

    it.each<[string, string, unknown]>([
      ['type', 'required', undefined],
      ['type', 'not_allowed', 'radio'],
      ['type', 'not_allowed', 'Text'],
      ['question', 'required', undefined],
      ['question', 'empty', ' '],
      ['required', 'invalid_type', 'true'],
      ['obligatory', 'unknown_field', true],
    ])('is refused for a question with %s %s', async (field, code, value) => {
      expectInvalid(await set([question(), question({ [field]: value })]), {
        [`questions[1].${field}`]: code,
      });
    });

    it('has texts of at most 1,000 characters', async () => {
      expect((await set([question({ question: '😀'.repeat(1000) })])).status).toBe(200);
    });

    it.each<[unknown]>([[{}], ['text'], [5], [question()]])(
      'is refused as %j, which is not an array',
      async (value) => {
        expectInvalid(await set(value), { questions: 'invalid_type' });
      },
    );

    it('is refused as null', async () => {
      expectInvalid(await set(null), { questions: 'null_not_allowed' });
    });

    it.each<[unknown]>([['text'], [5], [null], [true], [[]], [[question()]]])(
      'is refused with %j, which is not an object',
      async (value) => {
        expectInvalid(await set([question(), value]), { 'questions[1]': 'invalid_type' });
      },
    );

    it('is reported with every wrong field at once', async () => {
      const answer = await send({
        post_id: postId,
        questions: [
          choice({ options: ['one'] }),
          question({ type: 'video', question: '' }),
          {},
          question({ options: ['a', 'b'], hint: 'x' }),
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
        replace: 'unknown_field',
      });
    });
  },
);
