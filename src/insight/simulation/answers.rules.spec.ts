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
          "value": "river",
        },
        {
          "question": 4,
          "value": "bridge bridge table village village river summer morning river.",
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
