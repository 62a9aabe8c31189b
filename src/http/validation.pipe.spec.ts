import { choice, question, survey } from '../../test/support/builders';
import { accept, refuse } from '../../test/support/validate';
import { CreateSurveyDto, UpdateCampaignDto } from '../campaign/campaign.dto';
import { SetQuestionsDto } from '../questions/questions.dto';
import { ApiError } from './api-error';
import { RequestValidationPipe } from './validation.pipe';

describe('a request body as a whole', () => {
  it.each([null, 'text', '', 5, NaN, true, false, [], [survey()]])(
    'is an object, not %j',
    async (body) => {
      expect(await refuse(CreateSurveyDto, body)).toEqual([' invalid_type']);
    },
  );

  it('is an empty object where it is absent', async () => {
    expect(await refuse(UpdateCampaignDto, undefined)).toEqual(['post_id required']);
  });

  it('is made into its class, with the fields that were sent and no others', async () => {
    const update = await accept(UpdateCampaignDto, { post_id: 'p', title: ' A title ' });
    expect(update).toBeInstanceOf(UpdateCampaignDto);
    expect(Object.entries(update).filter(([, value]) => value !== undefined)).toEqual([
      ['post_id', 'p'],
      ['title', 'A title'],
    ]);
  });
});

describe('the details of a refusal', () => {
  it('hold every wrong field at once: unknown fields first, the others in the order of the DTO', async () => {
    const body = survey({ reward_amount: '5', colour: 'red', title: '', tagline: null });
    expect(await refuse(CreateSurveyDto, body)).toEqual([
      'colour unknown_field',
      'title empty',
      'tagline null_not_allowed',
      'reward_amount invalid_type',
    ]);
  });

  it('hold unknown fields of every level with their paths', async () => {
    const body = { post_id: 'p', survey: 1, questions: [question(), question({ option: ['a'] })] };
    expect(await refuse(SetQuestionsDto, body)).toEqual([
      'survey unknown_field',
      'questions[1].option unknown_field',
    ]);
  });

  it('hold the wrong entries of options with their paths (section 2.4)', async () => {
    const questions = [question(), choice({ options: ['a', 'a', ''] }), choice({ options: ['a'] })];
    expect(await refuse(SetQuestionsDto, { post_id: 'p', questions })).toEqual([
      'questions[1].options[1] duplicate',
      'questions[1].options[2] empty',
      'questions[2].options too_few',
    ]);
  });

  it('name the first problem and count the others in the message', async () => {
    const refusal = (body: unknown) =>
      accept(CreateSurveyDto, body).catch((error: unknown) => (error as ApiError).message);
    expect(await refusal(survey({ title: '' }))).toBe('title must not be empty.');
    expect(await refusal(survey({ title: '', category: '', tagline: '' }))).toBe(
      'title must not be empty. (and 2 more)',
    );
    expect(await refusal([])).toBe('The request body must be a JSON object.');
  });

  it('say the path in words too', async () => {
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
});

describe('the questions of a set (sections 2.4 and 8)', () => {
  const set = (...questions: unknown[]) => ({ post_id: 'p', questions });

  it('are 1 to 100', async () => {
    expect(await refuse(SetQuestionsDto, set())).toEqual(['questions too_few']);
    expect(await accept(SetQuestionsDto, set(...Array(100).fill(question())))).toBeDefined();
    expect(await refuse(SetQuestionsDto, set(...Array(101).fill(question())))).toEqual([
      'questions too_many',
    ]);
  });

  it.each(['single_choice', 'multiple_choice'])(
    'of type %s have 2 to 250 options',
    async (type) => {
      const numbered = (count: number) =>
        set(choice({ type, options: Array.from({ length: count }, (_, i) => `option ${i}`) }));
      expect(await refuse(SetQuestionsDto, set(question({ type })))).toEqual([
        'questions[0].options required',
      ]);
      expect(await refuse(SetQuestionsDto, numbered(1))).toEqual(['questions[0].options too_few']);
      expect(await accept(SetQuestionsDto, numbered(2))).toBeDefined();
      expect(await accept(SetQuestionsDto, numbered(250))).toBeDefined();
      expect(await refuse(SetQuestionsDto, numbered(251))).toEqual([
        'questions[0].options too_many',
      ]);
    },
  );

  it.each(['text', 'descriptive'])('of type %s have no options', async (type) => {
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

  it('of a wrong type are refused for the type alone', async () => {
    expect(await refuse(SetQuestionsDto, set(choice({ type: 'single-choice' })))).toEqual([
      'questions[0].type not_allowed',
    ]);
  });
});

it('takes what is not from the request as it is', () => {
  const pipe = new RequestValidationPipe();
  expect(pipe.transform('company', { type: 'custom', metatype: String })).toBe('company');
});

it('lets nothing through that it has no class for', () => {
  const pipe = new RequestValidationPipe();
  expect(() => pipe.transform({ any: 1 }, { type: 'body' })).toThrow(/without a class/);
  expect(() => pipe.transform({ any: 1 }, { type: 'body', metatype: Object })).toThrow(ApiError);
});
