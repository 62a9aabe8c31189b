import { plainToInstance } from 'class-transformer';
import * as fc from 'fast-check';
import { choice, question, survey } from '../../../test/support/builders';
import { accept, refuse } from '../../../test/support/validate';
import { CreateSurveyDto, UpdateCampaignDto } from '../../campaigns/campaign/campaign.dto';
import { CampaignDocumentDto } from '../../campaigns/document/campaign-document.dto';
import { SubmitDto } from '../../fielding/participations/fielding.dto';
import { SetQuestionsDto } from '../../campaigns/questions/questions.dto';
import { ApiError } from '../protocol/api-error';
import { toInstance } from './dto-rules';
import { RequestValidationPipe } from './validation.pipe';

const withBuiltInName = () => ({ constructor: 0 });

/** A value within objects that have one field each, of the given name. */
function nested(name: string, levels: number, value: object): object {
  return levels === 0 ? value : { [name]: nested(name, levels - 1, value) };
}

describe('a request body', () => {
  it.each([null, 'text', '', 5, NaN, true, false, [], [survey()]])(
    'is refused as %j, which is not an object',
    async (body) => {
      expect(await refuse(CreateSurveyDto, body)).toEqual([' invalid_type']);
    },
  );

  it('is an empty object if absent', async () => {
    expect(await refuse(UpdateCampaignDto, undefined)).toEqual(['post_id required']);
  });

  it('becomes an instance of its class with the sent fields and no others', async () => {
    const update = await accept(UpdateCampaignDto, { post_id: 'p', title: ' A title ' });
    expect(update).toBeInstanceOf(UpdateCampaignDto);
    const sent = Object.entries(update).filter(([, value]) => value !== undefined);
    expect(Object.fromEntries(sent)).toEqual({ post_id: 'p', title: 'A title' });
  });
});

describe('an instance of a DTO', () => {
  const names = [
    ...['post_id', 'title', 'content_url', 'starts_at', 'cohort_rewards', 'cohort_1_reward'],
    ...['questions', 'options', 'type', 'answers', 'question', 'choices', 'targeting', 'unknown'],
  ];
  const text = fc.constantFrom(' e\u0301 ', '', '2030-01-31T12:00:00Z', '2030-01-31', 'survey');
  const { object } = fc.letrec<{ object: object; value: unknown }>((tie) => ({
    object: fc.dictionary(fc.constantFrom(...names), tie('value'), {
      maxKeys: 6,
      noNullPrototype: true,
    }),
    value: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.constantFrom(null, true, 5),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('object'),
    ),
  }));

  it.each([CreateSurveyDto, UpdateCampaignDto, SetQuestionsDto, CampaignDocumentDto, SubmitDto])(
    'is what class-transformer makes of a body: %p',
    (type: new () => object) => {
      fc.assert(
        fc.property(object, (body) => {
          expect(toInstance(type, body)).toStrictEqual(plainToInstance(type, body));
        }),
        { numRuns: 300 },
      );
    },
  );
});

describe('a validation error', () => {
  it('names every wrong field at once: unknown fields first, the others in the order of the DTO', async () => {
    const body = survey({ reward_amount: '5', colour: 'red', title: '', tagline: null });
    expect(await refuse(CreateSurveyDto, body)).toEqual([
      'colour unknown_field',
      'title empty',
      'tagline null_not_allowed',
      'reward_amount invalid_type',
    ]);
  });

  it('names unknown fields of every level with their paths', async () => {
    const body = { post_id: 'p', survey: 1, questions: [question(), question({ option: ['a'] })] };
    expect(await refuse(SetQuestionsDto, body)).toEqual([
      'survey unknown_field',
      'questions[1].option unknown_field',
    ]);
  });

  it('names the wrong entries of options with their paths (section 2.4)', async () => {
    const questions = [question(), choice({ options: ['a', 'a', ''] }), choice({ options: ['a'] })];
    expect(await refuse(SetQuestionsDto, { post_id: 'p', questions })).toEqual([
      'questions[1].options[1] duplicate',
      'questions[1].options[2] empty',
      'questions[2].options too_few',
    ]);
  });

  it('repeats the first problem in the message and counts the others', async () => {
    const refusal = (body: unknown) =>
      accept(CreateSurveyDto, body).catch((error: unknown) => (error as ApiError).message);
    expect(await refusal(survey({ title: '' }))).toBe('title must not be empty.');
    expect(await refusal(survey({ title: '', category: '', tagline: '' }))).toBe(
      'title must not be empty, and 2 more fields are invalid.',
    );
    expect(await refusal([])).toBe('The request body must be a JSON object.');
  });

  it('states the path in words too', async () => {
    const error: ApiError = await accept(SetQuestionsDto, {
      post_id: 'p',
      questions: [choice({ options: ['a'] })],
    }).catch((reason: unknown) => reason);
    expect(error.details).toEqual([
      {
        field: 'questions[0].options',
        code: 'too_few',
        message: 'questions[0].options must have at least 2 entries.',
      },
    ]);
  });

  it.each([
    ['long', { ['k'.repeat(8_000)]: Array.from({ length: 440 }, withBuiltInName) }],
    ['of many levels', nested('k'.repeat(1_000), 14, Array.from({ length: 440 }, withBuiltInName))],
  ])('stays small when the path of many built-in names is %s', async (_, body) => {
    const error: ApiError = await accept(UpdateCampaignDto, body).catch(
      (reason: unknown) => reason,
    );
    expect(JSON.stringify(error.details).length).toBeLessThan(256 * 1024);
    expect(error.details.length).toBeGreaterThanOrEqual(440);
    expect(error.details[0]!.field).toMatch(/^k{100}….*\.constructor$/);
  });

  it('names a built-in name with its path', async () => {
    const body = JSON.parse('{"post_id":"p","questions":[{"__proto__":{}}]}') as object;
    expect(await refuse(SetQuestionsDto, body)).toContain('questions[0].__proto__ unknown_field');
  });
});

describe('a set of questions (sections 2.4 and 8)', () => {
  const set = (...questions: unknown[]) => ({ post_id: 'p', questions });

  it('has 1 to 300 questions', async () => {
    expect(await refuse(SetQuestionsDto, set())).toEqual(['questions too_few']);
    expect(await accept(SetQuestionsDto, set(...Array(300).fill(question())))).toBeDefined();
    expect(await refuse(SetQuestionsDto, set(...Array(301).fill(question())))).toEqual([
      'questions too_many',
    ]);
  });

  it.each(['single_choice', 'multiple_choice'])(
    'has 2 to 2,000 options in a question of type %s',
    async (type) => {
      const numbered = (count: number) =>
        set(choice({ type, options: Array.from({ length: count }, (_, i) => `option ${i}`) }));
      expect(await refuse(SetQuestionsDto, set(question({ type })))).toEqual([
        'questions[0].options required',
      ]);
      expect(await refuse(SetQuestionsDto, numbered(1))).toEqual(['questions[0].options too_few']);
      expect(await accept(SetQuestionsDto, numbered(2))).toBeDefined();
      expect(await accept(SetQuestionsDto, numbered(2_000))).toBeDefined();
      expect(await refuse(SetQuestionsDto, numbered(2_001))).toEqual([
        'questions[0].options too_many',
      ]);
    },
  );

  it.each(['text', 'descriptive'])('has no options in a question of type %s', async (type) => {
    const options = (value: unknown) => set(question({ type, options: value }));
    expect(await accept(SetQuestionsDto, options([]))).toBeDefined();
    expect(await refuse(SetQuestionsDto, options(['a', 'b']))).toEqual([
      'questions[0].options not_allowed',
    ]);
    expect(await refuse(SetQuestionsDto, options(null))).toEqual([
      'questions[0].options null_not_allowed',
    ]);
    expect(await refuse(SetQuestionsDto, options('a'))).toEqual([
      'questions[0].options invalid_type',
    ]);
  });

  it('is refused for a wrong type alone, without a check of the rest of the question', async () => {
    expect(await refuse(SetQuestionsDto, set(choice({ type: 'single-choice' })))).toEqual([
      'questions[0].type not_allowed',
    ]);
  });
});

it('passes on values that do not come from the request', () => {
  const pipe = new RequestValidationPipe();
  expect(pipe.transform('company', { type: 'custom', metatype: String })).toBe('company');
});

it('refuses values without a class', () => {
  const pipe = new RequestValidationPipe();
  expect(() => pipe.transform({ any: 1 }, { type: 'body' })).toThrow(/without a class/);
  expect(() => pipe.transform({ any: 1 }, { type: 'body', metatype: Object })).toThrow(ApiError);
});
