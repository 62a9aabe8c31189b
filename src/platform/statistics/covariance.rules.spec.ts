import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import {
  adjustedDifferences,
  correlationOf,
  emptySums,
  isConstant,
  JointSums,
  together,
} from './covariance.rules';

const sumsOf = (rows: readonly (readonly [y: number, ...x: number[]])[]): JointSums =>
  rows
    .map(([y, ...x]) => ({
      n: 1,
      y,
      yy: y * y,
      x,
      xy: x.map((each) => each * y),
      xx: x.map((a) => x.map((b) => a * b)),
    }))
    .reduce(together, emptySums((rows[0]?.length ?? 1) - 1));

describe('the correlation of two values', () => {
  it("is that of Anscombe's first quartet (cor.test in R)", () => {
    const x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
    const y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
    const { correlation, interval } = correlationOf(sumsOf(x.map((each, i) => [y[i]!, each])))!;
    expect(correlation).toBeCloseTo(0.8164205, 6);
    expect(interval).toEqual([expect.closeTo(0.4243912, 5), expect.closeTo(0.9506933, 5)]);
  });

  it('is null where nothing varies, or for few values', () => {
    expect(
      correlationOf(
        sumsOf([
          [1, 2],
          [2, 3],
          [4, 5],
        ]),
      ),
    ).toBeNull();
    expect(
      correlationOf(
        sumsOf([
          [1, 2],
          [2, 2],
          [4, 2],
          [3, 2],
        ]),
      ),
    ).toBeNull();
    expect(
      correlationOf(
        sumsOf([
          [0.1, 1],
          [0.1, 2],
          [0.1, 3],
          [0.1, 4],
        ]),
      ),
    ).toBeNull();
    expect(
      isConstant(
        [
          sumsOf([
            [1, 0.1],
            [2, 0.1],
            [3, 0.1],
          ]),
        ],
        0,
      ),
    ).toBe(true);
  });
});

/** Draws respondents: what a platform scores, and what it does not control. */
function respondents(random: () => number, n: number, { care = 0, added = 0 } = {}) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: n }, () => {
    const time = care + normal();
    const right = Math.min(1, Math.max(0, Math.round(2 + 0.7 * normal() + care) / 4));
    const score = 5 + 0.8 * time + 2 * (right - 0.5) + 1.2 * normal() + added;
    return [Math.min(10, Math.max(0, score)), time, right] as const;
  });
}

describe('the difference of a group beyond what is explained', () => {
  it('is that of an analysis of covariance, by hand', () => {
    // Each group has the slope 2 exactly but for one value, and the second is 3 above the first.
    const [a, b] = [
      sumsOf([
        [1, 0],
        [3, 1],
        [5, 2],
        [7.5, 3],
      ]),
      sumsOf([
        [8, 2],
        [10, 3],
        [12, 4],
        [14.5, 5],
      ]),
    ];
    const [first, second] = adjustedDifferences([a, b]);
    const slope = 2.15;
    const expected = 11.125 - 4.125 - slope * 2;
    expect(second!.difference).toBeCloseTo(expected, 9);
    expect(first!.difference).toBeCloseTo(-expected, 9);
    expect(second!.probability).toBeLessThan(1e-4);
  });

  it.each([
    ['two equal platforms', [{}, {}], 0.02, 0.08],
    ['five equal platforms', [{}, {}, {}, {}, {}], 0.02, 0.08],
    ['platforms of which one has more careful respondents', [{}, { care: 0.7 }], 0.02, 0.08],
    ['platforms of which one adds 2 to every score', [{}, { added: 2 }], 0.99, 1],
  ])('finds a difference as often as it should between %s', (_, platforms, least, most) => {
    const generator = xoroshiro128plus(2026);
    const random = () => (generator.next() >>> 0) / 2 ** 32;
    let found = 0;
    const draws = 400;
    for (let draw = 0; draw < draws; draw++) {
      const groups = platforms.map((each) => sumsOf(respondents(random, 60, each)));
      const adjusted = adjustedDifferences(groups).map((each) => each!.adjusted);
      found += Number(Math.min(...adjusted) < 0.05);
    }
    expect(found / draws).toBeGreaterThanOrEqual(least);
    expect(found / draws).toBeLessThanOrEqual(most);
  });
});
