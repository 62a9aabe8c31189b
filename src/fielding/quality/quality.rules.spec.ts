import * as fc from 'fast-check';
import type { Question } from '../../campaigns/questions/question.types';
import { longestRun } from './lines.rules';
import { circularByChance, measure, signalsIn } from './quality.rules';
import { QUALITY_SIGNALS } from '../../campaigns/questions/quality-signals.types';

const NONE = { format: null, questions: null, imageSurvey: null };

const imagesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ url: `https://example.com/${index}.png` }));

const slider = (images: number) =>
  ({
    ...NONE,
    format: 'image_slider',
    imageSurvey: { question: 'How?', images: imagesOf(images) },
  }) as const;

const pairs = (images: number) =>
  ({
    ...NONE,
    format: 'round_robin',
    imageSurvey: { question: 'Which?', images: imagesOf(images) },
  }) as const;

const rated = (values: number[]) => values.map((value, index) => ({ image: index + 1, value }));

const choice = (options: string[]): Question => ({
  type: 'single_choice',
  question: 'Which?',
  options,
});

/** Every pair of images, answered by what `prefers` returns. */
const compared = (images: number, prefers: (a: number, b: number) => number) =>
  Array.from({ length: images }, (_, first) =>
    Array.from({ length: images - first - 1 }, (__, offset) => {
      const [a, b] = [first + 1, first + offset + 2];
      return { images: [a, b], value: prefers(a, b) };
    }),
  ).flat();

describe('the longest run', () => {
  it('is 5 in the example of the R package careless', () => {
    expect(longestRun([2, 3, 3, 3, 3, 3, 1])).toBe(5);
    expect(longestRun([])).toBe(0);
  });

  it('is not shorter than any run, and one of them', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1 }), (values) => {
        const runs = values.map((value, from) => {
          const end = values.findIndex((each, index) => index > from && each !== value);
          return (end === -1 ? values.length : end) - from;
        });
        expect(longestRun(values)).toBe(Math.max(...runs));
      }),
    );
  });
});

describe('straight-lining', () => {
  it('is a run of four fifths of at least 5 ratings', () => {
    const flagsOf = (values: number[]) =>
      signalsIn(measure(slider(values.length), rated(values)).flags);
    expect(flagsOf([7, 7, 7, 7, 7])).toEqual(['straight_lining']);
    expect(flagsOf([7, 7, 7, 7, 1])).toEqual(['straight_lining']);
    expect(flagsOf([7, 7, 1, 7, 7])).toEqual([]);
    expect(flagsOf([7, 7, 7, 1, 1])).toEqual([]);
    expect(flagsOf([7, 7, 7, 7])).toEqual([]);
    expect(measure(slider(4), rated([7, 7, 7, 7]))).toMatchObject({
      longestRun: null,
      comparedAnswers: null,
    });
  });

  it('compares the places of options, whatever is asked in between', () => {
    const questions: Question[] = [
      choice(['a', 'b']),
      choice(['c', 'd']),
      { type: 'text', question: 'Why?' },
      choice(['e', 'e\u0301']),
      choice(['g', 'h']),
      { type: 'multiple_choice', question: 'Which?', options: ['x', 'y'] },
      choice(['i', 'j']),
    ];
    const asked = { ...NONE, format: 'questionnaire', questions } as const;
    const second = ['b', 'd', 'Because', '\u00e9', 'h', ['x'], 'j'];
    const answers = second.map((value, index) => ({ question: index + 1, value }));
    expect(measure(asked, answers)).toMatchObject({
      longestRun: 5,
      comparedAnswers: 5,
      flags: 2,
    });
    answers[3] = { question: 4, value: 'e' };
    expect(measure(asked, answers)).toMatchObject({
      longestRun: 2,
      comparedAnswers: 5,
      flags: 0,
    });
  });
});

describe('straight-lining in a matrix or a battery of ratings', () => {
  const scale = { min: 1, max: 5, step: 1 };
  const rate = (fields: object = {}): Question => ({
    type: 'rating',
    question: 'How?',
    scale,
    ...fields,
  });
  const rows = ['a', 'b', { text: 'c', key: 'third' }, 'd', 'e\u0301'];
  const matrix = (fields: object): Question => ({
    type: 'matrix',
    question: 'How?',
    rows,
    ...fields,
  });
  const names = ['a', 'b', 'third', 'd', '\u00e9'];
  const inRows = (cells: unknown[]) =>
    Object.fromEntries(names.flatMap((row, index) => (cells[index] ? [[row, cells[index]]] : [])));
  const measured = (questions: Question[], values: unknown[]) => {
    const answers = values.flatMap((value, index) =>
      value === undefined ? [] : [{ question: index + 1, value: value as number }],
    );
    const {
      longestRun: run,
      comparedAnswers,
      flags,
    } = measure({ ...NONE, format: 'questionnaire', questions }, answers);
    return [run, comparedAnswers, signalsIn(flags).length];
  };

  it.each<[string, object, unknown[], [number | null, number | null, number]]>([
    ['equal ratings', { scale }, [3, 3, 3, 3, 3], [5, 5, 1]],
    ['all ratings but one equal', { scale }, [3, 3, 3, 3, 4], [4, 5, 0]],
    ['the same option', { options: ['x', 'y'] }, ['y', 'y', 'y', 'y', 'y'], [5, 5, 1]],
    [
      'the same ticks in another order',
      { options: ['x', 'y'], several: true },
      [
        ['x', 'y'],
        ['y', 'x'],
        ['x', 'y'],
        ['x', 'y'],
        ['y', 'x'],
      ],
      [5, 5, 1],
    ],
    [
      'other ticks in a row',
      { options: ['x', 'y'], several: true },
      [['x', 'y'], ['x'], ['x', 'y'], ['x', 'y'], ['x', 'y']],
      [3, 5, 0],
    ],
    ['fewer than 5 rows', { scale, required: false }, [3, 3, 3, 3], [null, null, 0]],
  ])('is measured in a matrix with %s', (_, fields, cells, expected) => {
    expect(measured([matrix(fields)], [inRows(cells)])).toEqual(expected);
  });

  it('is measured in consecutive ratings with the same scale and section', () => {
    const five = Array.from({ length: 5 }, () => rate());
    expect(measured(five, [2, 2, 2, 2, 2])).toEqual([5, 5, 1]);
    expect(measured(five, [2, 2, 2, 2, 3])).toEqual([4, 5, 0]);
    expect(measured([...five, rate()], [2, 2, undefined, 2, 2, 2])).toEqual([5, 5, 1]);
    const between = [
      rate({ section: 'Taste' }),
      rate({ scale: { min: 1, max: 6, step: 1 } }),
      { type: 'statement', question: 'Now another thing.' } as const,
      { type: 'nps', question: 'How likely?' } as const,
    ];
    for (const other of between) {
      const values = [2, 2, 2, other.type === 'statement' ? undefined : 2, 2, 2];
      const questions = [...five.slice(2), other, ...five.slice(3)];
      expect(measured(questions, values)).toEqual([null, null, 0]);
    }
  });

  it('reports the straightest of several lines', () => {
    const questions = [
      ...Array.from({ length: 5 }, () => choice(['a', 'b'])),
      matrix({ scale }),
      ...Array.from({ length: 6 }, () => rate()),
    ];
    const choices = ['a', 'b', 'b', 'b', 'a'];
    const [few, many] = [inRows([1, 2, 3, 4, 5]), inRows([2, 2, 2, 2, 2])];
    expect(measured(questions, [...choices, few, 1, 2, 1, 2, 1, 2])).toEqual([3, 5, 0]);
    expect(measured(questions, [...choices, few, 1, 1, 1, 1, 1, 2])).toEqual([5, 6, 0]);
    expect(measured(questions, [...choices, many, 1, 1, 1, 1, 1, 2])).toEqual([5, 5, 1]);
    const four = ['b', 'b', 'b', 'b', 'a'];
    expect(measured(questions, [...four, few, 1, 1, 1, 1, 1, 2])).toEqual([4, 5, 1]);
  });
});

describe('inconsistency', () => {
  it('is as many circular triads as answers by chance have', () => {
    expect([3, 4, 5, 6].map(circularByChance)).toEqual([0.25, 1, 2.5, 5]);
    const lower = compared(5, (a) => a);
    expect(measure(pairs(5), lower)).toMatchObject({ consistency: 1, flags: 0 });
    // Each image beats the next two of a circle: all triads that can be circular are.
    const round = compared(5, (a, b) => (b - a <= 2 ? a : b));
    expect(measure(pairs(5), round)).toMatchObject({ consistency: 0, flags: 4 });
    expect(
      measure(
        pairs(4),
        compared(4, (a, b) => (b - a <= 2 ? a : b)),
      ),
    ).toMatchObject({
      consistency: null,
      flags: 0,
    });
  });

  it('is not a matter of how the images are numbered', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 5, max: 8 }).chain((k) =>
          fc.tuple(
            fc.constant(k),
            fc.array(fc.boolean(), { minLength: k * k, maxLength: k * k }),
            fc.shuffledSubarray(
              Array.from({ length: k }, (_, index) => index + 1),
              { minLength: k, maxLength: k },
            ),
          ),
        ),
        ([k, choices, names]) => {
          const prefers = (a: number, b: number) => (choices[a * k - k + b - 1] ? a : b);
          const before = measure(pairs(k), compared(k, prefers));
          const named = compared(k, prefers).map(({ images, value }) => ({
            images: images.map((image) => names[image - 1]!),
            value: names[value - 1]!,
          }));
          expect(measure(pairs(k), named)).toEqual(before);
        },
      ),
    );
  });
});

describe('the flags of a response', () => {
  it('are bits in the order of the signals', () => {
    fc.assert(
      fc.property(fc.subarray([...QUALITY_SIGNALS]), (signals) => {
        const bits = signals.map((signal) => 2 ** QUALITY_SIGNALS.indexOf(signal));
        expect(signalsIn(bits.reduce((sum, bit) => sum + bit, 0))).toEqual(signals);
      }),
    );
  });
});
