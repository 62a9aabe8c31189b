import * as fc from 'fast-check';
import { circularMaximum, circularTriads, consistency } from './consistency.rules';

const choose3 = (k: number) => (k * (k - 1) * (k - 2)) / 6;

/** A respondent's comparisons of every pair, as `preferred[i][j]` for i < j. */
const comparisons = fc.integer({ min: 3, max: 9 }).chain((k) =>
  fc.array(fc.array(fc.boolean(), { minLength: k, maxLength: k }), {
    minLength: k,
    maxLength: k,
  }),
);

const prefers = (choices: boolean[][], i: number, j: number) =>
  i < j ? choices[i]![j]! : !choices[j]![i]!;

const winsOf = (choices: boolean[][]) =>
  choices.map((_, i) => choices.filter((__, j) => i !== j && prefers(choices, i, j)).length);

describe('circular triads', () => {
  it('of a dog that compared six foods are 5, a consistence of 0.375 (Kendall)', () => {
    // M. G. Kendall, Rank Correlation Methods, chapter 11: the wins of each food.
    const wins = [4, 2, 4, 1, 2, 2];
    expect(circularTriads(wins)).toBe(5);
    expect(consistency(5, 1, 6)).toBe(0.375);
  });

  it('are at most as many as Kendall and Babington Smith found', () => {
    expect([3, 4, 5, 6, 7, 8].map(circularMaximum)).toEqual([1, 2, 5, 8, 14, 20]);
  });

  it('equal a count of all triads', () => {
    fc.assert(
      fc.property(comparisons, (choices) => {
        let circular = 0;
        for (let a = 0; a < choices.length; a++) {
          for (let b = a + 1; b < choices.length; b++) {
            for (let c = b + 1; c < choices.length; c++) {
              const round = [
                prefers(choices, a, b),
                prefers(choices, b, c),
                prefers(choices, c, a),
              ];
              circular += Number(new Set(round).size === 1);
            }
          }
        }
        const wins = winsOf(choices);
        expect(circularTriads(wins)).toBe(circular);
        expect(circular).toBeLessThanOrEqual(circularMaximum(wins.length));
        expect(circular).toBeLessThanOrEqual(choose3(wins.length));
      }),
    );
  });
});

describe('consistency', () => {
  it('is 1 for a ranking, 0 for as many contradictions as are possible', () => {
    expect(consistency(circularTriads([3, 2, 1, 0]), 1, 4)).toBe(1);
    expect(consistency(circularTriads([2, 2, 2, 2, 2]), 1, 5)).toBe(0);
  });

  it("is the mean of the respondents' coefficients", () => {
    fc.assert(
      fc.property(
        comparisons.chain((first) =>
          fc.array(
            fc
              .constant(first)
              .chain((each) => fc.shuffledSubarray(each, { minLength: each.length })),
            {
              minLength: 1,
              maxLength: 5,
            },
          ),
        ),
        (respondents) => {
          const circular = respondents.map((each) => circularTriads(winsOf(each)));
          const images = respondents[0]!.length;
          const sum = circular.reduce((total, each) => total + each, 0);
          const mean =
            circular.reduce((total, each) => total + consistency(each, 1, images)!, 0) /
            circular.length;
          expect(consistency(sum, circular.length, images)).toBeCloseTo(mean, 12);
        },
      ),
    );
  });

  it('is null without triads and without responses', () => {
    expect(consistency(0, 10, 2)).toBeNull();
    expect(consistency(0, 0, 5)).toBeNull();
  });
});
