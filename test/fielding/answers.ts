import {
  choice,
  createAdvertisement,
  createImageSurvey,
  createSurvey,
  images,
  question,
} from '../support/builders';
import { Begun, begun, start, submit } from '../support/fielding';
import { companyForAll, platformForAll } from '../support/fixtures';
import { expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

type Wrong = Record<string, string>;

/** Answers with what is wrong about them; nothing for right ones. */
type Row = [string, unknown[], Wrong?];

const LONG = 'x'.repeat(1_001);

const QUESTIONS = [
  question({ type: 'descriptive' }),
  question(),
  choice(),
  choice({ type: 'multiple_choice', options: ['milk', 'sugar', 'honey', 'none\nat all'] }),
  question({ question: 'Anything else?', required: false }),
];

const RIGHT = [
  { question: 1, value: 'Hot and strong.' },
  { question: 2, value: 'Arabica' },
  { question: 3, value: 'dark' },
  { question: 4, value: ['sugar', 'milk'] },
];

/** The right answers, with another one in a place. */
const but = (index: number, value: unknown) =>
  RIGHT.map((each, at) => (at === index ? { ...each, value } : each));

const SURVEY: Row[] = [
  ['all that is required', RIGHT],
  ['an optional one too', [...RIGHT, { question: 5, value: 'No' }]],
  ['any order', RIGHT.toReversed()],
  ['blanks around text', but(1, '  Arabica ')],
  ['another kind of line break in an option', but(3, ['none\r\nat all'])],
  ['none', [], { answers: 'required' }],
  ['one missing', RIGHT.slice(1), { answers: 'required' }],
  ['a number for open text', but(0, 5), { 'answers[0].value': 'invalid_type' }],
  ['open text that is too long', but(0, 'x'.repeat(5_001)), { 'answers[0].value': 'too_long' }],
  ['blank text', but(1, '  '), { 'answers[1].value': 'empty' }],
  ['short text that is too long', but(1, LONG), { 'answers[1].value': 'too_long' }],
  ['an array for short text', but(1, ['Arabica']), { 'answers[1].value': 'invalid_type' }],
  ['no option', but(2, 'medium'), { 'answers[2].value': 'not_allowed' }],
  ['an array for one option', but(2, ['dark']), { 'answers[2].value': 'invalid_type' }],
  ['one of several options', but(3, ['milk', 'salt']), { 'answers[3].value[1]': 'not_allowed' }],
  ['an option twice', but(3, ['milk', 'milk']), { 'answers[3].value[1]': 'duplicate' }],
  ['a string for options', but(3, 'milk'), { 'answers[3].value': 'invalid_type' }],
  ['no options at all', but(3, []), { 'answers[3].value': 'too_few' }],
  ['null', but(3, null), { 'answers[3].value': 'null_not_allowed' }],
  [
    'an unknown question',
    [...RIGHT, { question: 6, value: 'x' }],
    { 'answers[4].question': 'not_allowed' },
  ],
  [
    'a question twice',
    [...RIGHT, { question: 2, value: 'Robusta' }],
    { 'answers[4].question': 'duplicate' },
  ],
  ['nothing that it is about', [...RIGHT, { value: 'x' }], { 'answers[4].question': 'required' }],
  [
    'an image',
    [...RIGHT, { question: 5, image: 1, value: 'x' }],
    { 'answers[4].image': 'not_for_this_campaign' },
  ],
  [
    'an unknown field',
    [...RIGHT, { question: 5, value: 'x', text: 'y' }],
    {
      'answers[4].text': 'unknown_field',
    },
  ],
];

const BINARY: Row[] = [
  ['the position of an image', [{ value: 2 }]],
  ['a third image', [{ value: 3 }], { 'answers[0].value': 'not_allowed' }],
  ['a string', [{ value: '2' }], { 'answers[0].value': 'invalid_type' }],
  ['two answers', [{ value: 1 }, { value: 2 }], { 'answers[1]': 'duplicate' }],
  ['none', [], { answers: 'required' }],
  ['an image', [{ image: 1, value: 1 }], { 'answers[0].image': 'not_for_this_campaign' }],
];

const SLIDER: Row[] = [
  [
    'a rating of each image',
    [
      { image: 2, value: -1 },
      { image: 1, value: 0.5 },
    ],
  ],
  ['one image missing', [{ image: 1, value: 1 }], { answers: 'required' }],
  [
    'a rating below the scale',
    [
      { image: 1, value: -1.5 },
      { image: 2, value: 1 },
    ],
    { 'answers[0].value': 'too_small' },
  ],
  [
    'a rating above the scale',
    [
      { image: 1, value: 1 },
      { image: 2, value: 1.5 },
    ],
    { 'answers[1].value': 'too_large' },
  ],
  [
    'a rating between two steps',
    [
      { image: 1, value: 0.25 },
      { image: 2, value: 1 },
    ],
    { 'answers[0].value': 'not_allowed' },
  ],
  [
    'a third image',
    [
      { image: 1, value: 1 },
      { image: 2, value: 1 },
      { image: 3, value: 1 },
    ],
    { 'answers[2].image': 'not_allowed' },
  ],
];

const pair = (first: number, second: number, value: unknown) => ({
  images: [first, second],
  value,
});

const ROUND_ROBIN: Row[] = [
  ['the winner of each pair', [pair(1, 2, 1), pair(3, 1, 3), pair(2, 3, 2)]],
  ['a pair missing', [pair(1, 2, 1), pair(1, 3, 1)], { answers: 'required' }],
  [
    'a pair twice, in either order',
    [pair(1, 2, 1), pair(1, 3, 3), pair(2, 3, 2), pair(2, 1, 1)],
    { 'answers[3].images': 'duplicate' },
  ],
  [
    'a winner outside the pair',
    [pair(1, 2, 3), pair(1, 3, 3), pair(2, 3, 2)],
    { 'answers[0].value': 'not_allowed' },
  ],
  [
    'an image against itself',
    [pair(1, 1, 1), pair(1, 2, 1), pair(1, 3, 3), pair(2, 3, 2)],
    { 'answers[0].images': 'not_allowed' },
  ],
  ['three images', [{ images: [1, 2, 3], value: 1 }], { 'answers[0].images': 'invalid_type' }],
];

describe('answers', () => {
  const company = companyForAll();
  const platform = platformForAll();

  const FORMATS: [string, Row[], () => Promise<string>][] = [
    [
      'a survey',
      SURVEY,
      async () => {
        const { post_id } = await createSurvey(company.api);
        await company.api.post('/svc/survey/questions', { post_id, questions: QUESTIONS });
        return post_id;
      },
    ],
    [
      'the feedback to an advertisement',
      // What is checked does not depend on the type of the campaign.
      SURVEY.slice(0, 6),
      async () => {
        const { post_id } = await createAdvertisement(company.api, { has_feedback: true });
        await company.api.post('/svc/advertisement/questions', { post_id, questions: QUESTIONS });
        return post_id;
      },
    ],
    [
      'a binary survey',
      BINARY,
      async () => (await createImageSurvey(company.api, 'binary')).post_id,
    ],
    [
      'an image slider',
      SLIDER,
      async () => {
        const scale = { min: -1, max: 1, step: 0.5 };
        return (await createImageSurvey(company.api, 'slider', { scale })).post_id;
      },
    ],
    [
      'a round robin',
      ROUND_ROBIN,
      async () =>
        (await createImageSurvey(company.api, 'round-robin', { images: images(3) })).post_id,
    ],
  ];

  describe.each(FORMATS)('to %s', (_, rows, create) => {
    let postId: string;
    let respondents = 0;

    beforeAll(async () => {
      postId = await create();
      await start(company.api, postId);
    });

    function respondent(): Promise<Begun> {
      respondents += 1;
      return begun(platform, postId, `respondent ${respondents}`);
    }

    const right = rows.filter(([, , wrong]) => wrong === undefined);
    const wrong = rows.filter((row): row is [string, unknown[], Wrong] => row.length === 3);

    it.each(right)('accept %s', async (__, answers) => {
      expect((await submit(platform, await respondent(), 5, answers)).status).toBe(200);
    });

    it.each(wrong)('do not accept %s, and cost nothing', async (__, answers, problems) => {
      const begin = await respondent();
      expectInvalid(await submit(platform, begin, 5, answers), problems);
      const [accepted] = right[0]!.slice(1, 2);
      expect((await submit(platform, begin, 5, accepted as unknown[])).status).toBe(200);
    });
  });

  it('match the options of a set that was stored before options were in NFC', async () => {
    const { post_id } = await createSurvey(company.api);
    const options = ['Cafe', 'Tea'];
    const questions = [
      choice({ options }),
      choice({ type: 'multiple_choice', options }),
      question(),
    ];
    await company.api.post('/svc/survey/questions', { post_id, questions });
    await service.dataSource.query(
      `UPDATE question_set SET questions = replace(questions::text, 'Cafe', $2)::jsonb
       WHERE company_id = $1`,
      [storedEnvironment(company.companyId), 'Cafe\u0301'],
    );
    await start(company.api, post_id);
    const answersIn = (form: 'NFC' | 'NFD') => [
      { question: 1, value: 'Caf\u00e9'.normalize(form) },
      { question: 2, value: ['Tea', 'Caf\u00e9'.normalize(form)] },
      { question: 3, value: 'A Caf\u00e9'.normalize(form) },
    ];
    const ann = await begun(platform, post_id, 'ann');
    const first = await submit(platform, ann, 5, answersIn('NFD'));
    expect(first.status).toBe(200);
    const again = await submit(platform, ann, 5, answersIn('NFC'));
    expect([again.status, again.body.data]).toEqual([200, first.body.data]);
    const { items } = (await company.api.get(`/svc/campaign/${post_id}/responses`)).body.data;
    expect(items[0].answers).toEqual(answersIn('NFC'));
    const bob = await begun(platform, post_id, 'bob');
    const [one, two, three] = answersIn('NFC');
    expectInvalid(
      await submit(platform, bob, 5, [
        one,
        { ...two, value: ['Caf\u00e9', 'Cafe\u0301'] },
        { ...three, value: '\u200b' },
      ]),
      { 'answers[1].value[1]': 'duplicate', 'answers[2].value': 'empty' },
    );
  });
});
