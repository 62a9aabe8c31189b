import fc from 'fast-check';
import { questionSets } from '../../../test/support/question-sets';
import type { ImageSurvey } from '../../campaigns/campaign/image-survey.rules';
import { streamsOf } from '../../platform/statistics/random.rules';
import type { Asked, Question } from '../../campaigns/questions/question.types';
import { Answer, checkAnswers } from '../../campaigns/questions/answer.rules';
import { answering } from './answers.rules';

const OPTIONS = ['one', 'two', 'three', 'four'];

const QUESTIONS: Question[] = [
  { type: 'single_choice', question: 'Which?', options: OPTIONS },
  { type: 'multiple_choice', question: 'Which ones?', options: OPTIONS },
  { type: 'text', question: 'What?' },
  { type: 'descriptive', question: 'Why?' },
  { type: 'text', question: 'Anything else?', required: false },
];

const questionnaire = (questions: Question[] | null): Asked => ({
  format: 'questionnaire',
  questions,
  imageSurvey: null,
});

const aboutImages = (
  format: 'round_robin' | 'binary' | 'image_slider',
  count: number,
  scale?: ImageSurvey['scale'],
): Asked => ({
  format,
  questions: null,
  imageSurvey: {
    question: 'Which one?',
    images: Array.from({ length: count }, (_, index) => ({ url: `https://example.com/${index}` })),
    ...(scale && { scale }),
  },
});

/** The answers of so many respondents. */
function answersTo(asked: Asked, seed: number, respondents = 300): Answer[][] {
  const streams = streamsOf(seed);
  const answer = answering(asked, streams.next().value);
  return Array.from({ length: respondents }, () => answer(streams.next().value));
}

const countOf = (answers: Answer[][], value: unknown) =>
  answers.flat().filter((answer) => answer.value === value).length;

describe('made-up answers', () => {
  it.each<[string, Asked]>([
    ['every type of question', questionnaire(QUESTIONS)],
    ['no questions', questionnaire(null)],
    ['an advertisement without feedback', { format: null, questions: null, imageSurvey: null }],
    ['the largest round robin', aboutImages('round_robin', 20)],
    ['two images', aboutImages('binary', 2)],
    ['sliders', aboutImages('image_slider', 5, { min: 0, max: 10, step: 1 })],
    ['sliders with decimals', aboutImages('image_slider', 2, { min: -0.3, max: 0.6, step: 0.1 })],
    ['sliders of two values', aboutImages('image_slider', 2, { min: 1, max: 2, step: 1 })],
    [
      'sliders of two million values',
      aboutImages('image_slider', 1, { min: -1_000_000, max: 1_000_000, step: 1 }),
    ],
  ])('are valid for %s', (_, asked) => {
    for (const seed of [0, 1, 4711, 4_294_967_295]) {
      for (const answers of answersTo(asked, seed)) {
        expect(checkAnswers(asked, answers)).toEqual([]);
      }
    }
  });

  it('are valid for random sets of all types, and the same for the same seed', () => {
    const seeds = fc.nat(4_294_967_295);
    fc.assert(
      fc.property(questionSets(8), seeds, (questions, seed) => {
        const asked = questionnaire(questions);
        const all = answersTo(asked, seed, 10);
        for (const answers of all) {
          expect(checkAnswers(asked, answers)).toEqual([]);
        }
        expect(answersTo(asked, seed, 10)).toEqual(all);
      }),
      { numRuns: 200 },
    );
  });

  it.each<[string, object]>([
    ['the longest email address', { type: 'text', format: 'email', minimum_length: 254 }],
    ['the shortest email address', { type: 'text', format: 'email', maximum_length: 6 }],
    ['the shortest URL', { type: 'text', format: 'url', maximum_length: 8 }],
    [
      'a URL of one length',
      { type: 'text', format: 'url', minimum_length: 99, maximum_length: 99 },
    ],
    ['a whole number', { type: 'text', format: 'integer', minimum_length: 9, maximum_length: 9 }],
    ['texts of one length', { type: 'descriptive', minimum_length: 40, maximum_length: 40 }],
    ['the longest texts', { type: 'descriptive', minimum_length: 5_000 }],
    ['numbers between whole ones', { type: 'number', minimum: -1.5, maximum: 1.5 }],
    ['numbers below none', { type: 'number', maximum: -1_000_000_000_000 }],
    ['numbers above none', { type: 'number', minimum: 1_000_000_000_000, decimals: 6 }],
    ['numbers without limits', { type: 'number', decimals: 6 }],
    [
      'dates in one month',
      { type: 'date', precision: 'month', minimum: '1987-02', maximum: '1987-02' },
    ],
    ['dates before any others', { type: 'date', maximum: '0000-01-01' }],
    ['days after all others', { type: 'date', minimum: '9999-12-31' }],
    ['times of day', { type: 'text', format: 'time' }],
    ['one number', { type: 'number', minimum: 0.3, maximum: 0.3, decimals: 1 }],
    [
      'more ticks than go together',
      {
        type: 'multiple_choice',
        options: ['a', { text: 'b', exclusive: true }],
        minimum_choices: 2,
      },
    ],
    ['names of options in another form', { type: 'single_choice', options: ['e\u0301', 'n'] }],
    [
      'a row that objects have a member for',
      { type: 'matrix', rows: ['__proto__', 'b'], options: ['a', 'b'], several: true },
    ],
  ])('are valid for %s', (_, fields) => {
    const asked = questionnaire([{ question: 'What?', ...fields } as Question]);
    for (const answers of answersTo(asked, 1, 100)) {
      expect(checkAnswers(asked, answers)).toEqual([]);
    }
  });

  it('follow the conditions, and have texts of their own and comments now and then', () => {
    const questions: Question[] = [
      {
        type: 'multiple_choice',
        question: 'Which?',
        key: 'which',
        options: ['a', { text: 'b', other: true }, { text: 'c', exclusive: true }],
        comment: true,
      },
      {
        type: 'text',
        question: 'Why a?',
        show_if: { all: [{ question: 'which', op: 'includes', value: 'a' }] },
      },
      { type: 'statement', question: 'Thanks.' },
    ];
    const seeds = [1, 2, 3, 4, 5, 6];
    const all = seeds.flatMap((seed) => answersTo(questionnaire(questions), seed, 50));
    const whose = (test: (answers: Answer[]) => boolean) => all.filter(test).length;
    const ticksOf = ([first]: Answer[]) => first?.value as string[];
    const isOther = (answers: Answer[]) => ticksOf(answers).includes('b');
    expect(whose((answers) => answers.length === 2)).toBe(
      whose((answers) => ticksOf(answers).includes('a')),
    );
    expect(whose(isOther)).toBe(whose(([first]) => first?.other !== undefined));
    for (const some of [
      whose(isOther),
      whose((answers) => ticksOf(answers).includes('c')),
      whose(([first]) => first?.comment !== undefined),
      whose((answers) => answers.length === 2),
    ]) {
      expect(some).toBeGreaterThan(10);
      expect(some).toBeLessThan(290);
    }
  });

  it('differ between options, rows, ranks, numbers, dates and boxes', () => {
    const options = ['a', 'b', 'c'];
    const asked = questionnaire([
      { type: 'ranking', question: 'Which first?', options },
      {
        type: 'matrix',
        question: 'How?',
        rows: ['x', 'y'],
        scale: { min: 1, max: 5, step: 1 },
      },
      { type: 'number', question: 'How many?', minimum: 0, maximum: 50 },
      { type: 'date', question: 'When?', precision: 'year' },
      { type: 'checkbox', question: 'Yes?' },
    ]);
    const drawn = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => answersTo(asked, seed));
    const spread = (valueOf: (answers: Answer[]) => number) => {
      const means = drawn.map((all) => all.reduce((sum, each) => sum + valueOf(each), 0) / 300);
      return Math.max(...means) - Math.min(...means);
    };
    expect(spread(([ranks]) => (ranks?.value as string[]).indexOf('a'))).toBeGreaterThan(0.5);
    expect(spread((answers) => (answers[1]?.value as { y: number }).y)).toBeGreaterThan(0.5);
    expect(spread((answers) => answers[2]?.value as number)).toBeGreaterThan(10);
    expect(spread((answers) => Number(answers[3]?.value))).toBeGreaterThan(5);
    expect(spread((answers) => Number(answers[4]?.value))).toBeGreaterThan(0.3);
    for (const [at, least] of [
      [2, 10],
      [3, 8],
    ] as const) {
      const values = drawn[0]!.map((answers) => answers[at]?.value);
      expect(new Set(values).size).toBeGreaterThan(least);
    }
  });

  it('are the same for the same seed, and others for another one', () => {
    const asked = questionnaire(QUESTIONS);
    const answers = answersTo(asked, 5);
    expect(answersTo(asked, 5)).toEqual(answers);
    expect(answersTo(asked, 6)).not.toEqual(answers);
    expect(answers[0]).toMatchInlineSnapshot(`
      [
        {
          "question": 1,
          "value": "two",
        },
        {
          "question": 2,
          "value": [
            "three",
          ],
        },
        {
          "question": 3,
          "value": "price",
        },
        {
          "question": 4,
          "value": "I noticed that the text is hard to read most of the time. It took me a while, but I expected more in the end.",
        },
        {
          "question": 5,
          "value": "morning price morning",
        },
      ]
    `);
  });

  it('prefer some options, images and ratings to others', () => {
    const seeds = [1, 2, 3, 4, 5, 6, 7, 8];
    const spreadOf = (asked: Asked, values: readonly unknown[]) =>
      Math.max(
        ...seeds.map((seed) => {
          const answers = answersTo(asked, seed);
          const counts = values.map((value) => countOf(answers, value));
          return Math.max(...counts) - Math.min(...counts);
        }),
      );
    // Without preferences, four options of 300 respondents differ by about 20.
    expect(spreadOf(questionnaire(QUESTIONS.slice(0, 1)), OPTIONS)).toBeGreaterThan(100);
    expect(spreadOf(aboutImages('binary', 2), [1, 2])).toBeGreaterThan(100);
    const scale = { min: 0, max: 4, step: 1 };
    expect(spreadOf(aboutImages('image_slider', 1, scale), [0, 1, 2, 3, 4])).toBeGreaterThan(60);
  });

  it('leave out some optional questions, and no others', () => {
    const answered = answersTo(questionnaire(QUESTIONS), 9).map((answers) => answers.length);
    expect([...new Set(answered)].sort()).toEqual([4, 5]);
  });
});
