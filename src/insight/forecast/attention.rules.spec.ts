import * as fc from 'fast-check';
import {
  cohortsOfBeta,
  countOutcomes,
  drawOutcome,
  isBeta,
  OutcomeCounts,
  outcomeLimits,
  Shares,
  roundedShares,
  sharesOfBeta,
} from './attention.rules';
import { checkShares } from '../../campaigns/cohort-rewards/preview.rules';
import { streamsOf } from '../../platform/statistics/random.rules';

const BANDS = [0, 0.2, 0.4, 0.6, 0.8, 1];

/** The shares by a distribution function. */
const between = (below: (x: number) => number) =>
  BANDS.slice(1).map((end, index) => below(end) - below(BANDS[index]!));

function expectShares(shares: Shares, expected: readonly number[], digits = 11): void {
  shares.forEach((share, cohort) => {
    expect(share).toBeCloseTo(expected[cohort]!, digits);
  });
}

describe('the cohorts of a beta distribution', () => {
  it.each<[string, number, number, (x: number) => number]>([
    ['uniform scores', 1, 1, (x) => x],
    ['a parabola', 2, 2, (x) => 3 * x ** 2 - 2 * x ** 3],
    ['a power', 3, 1, (x) => x ** 3],
    ['a reflected power', 1, 4.5, (x) => 1 - (1 - x) ** 4.5],
    ['the arcsine law', 0.5, 0.5, (x) => (2 / Math.PI) * Math.asin(Math.sqrt(x))],
    [
      'a polynomial',
      2,
      5,
      (x) => 15 * x ** 2 - 40 * x ** 3 + 45 * x ** 4 - 24 * x ** 5 + 5 * x ** 6,
    ],
  ])('agree with the closed form of %s', (_, a, b, below) => {
    expectShares(cohortsOfBeta(a, b), between(below));
  });

  it('have the given mean and standard deviation, by numerical integration', () => {
    for (const [mean, spread] of [
      [6.5, 2],
      [2, 1],
      [9, 0.8],
      [5, 0.1],
    ] as const) {
      const size = ((mean / 10) * (1 - mean / 10)) / (spread / 10) ** 2 - 1;
      const [a, b] = [(mean / 10) * size, (1 - mean / 10) * size];
      const steps = 200_000;
      const logs = Array.from({ length: steps }, (_, index) => {
        const x = (index + 0.5) / steps;
        return (a - 1) * Math.log(x) + (b - 1) * Math.log(1 - x);
      });
      const largest = logs.reduce((most, each) => Math.max(most, each));
      const sums = [0, 0, 0, 0, 0];
      logs.forEach((log, index) => {
        sums[Math.floor((5 * index) / steps)]! += Math.exp(log - largest);
      });
      const whole = sums.reduce((sum, each) => sum + each);
      expectShares(
        sharesOfBeta(mean, spread),
        sums.map((sum) => sum / whole),
        7,
      );
    }
  });

  it('are parts of 1 for every mean and spread that a request can have', () => {
    const scores = fc
      .tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 10, max: 499 }))
      .map(([mean, spread]) => [mean / 100, spread / 100] as const)
      .filter(([mean, spread]) => isBeta(mean, spread));
    fc.assert(
      fc.property(scores, ([mean, spread]) => {
        const shares = sharesOfBeta(mean, spread);
        expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
        expect(shares.reduce((sum, share) => sum + share)).toBeCloseTo(1, 10);
        const mirrored = sharesOfBeta(Number((10 - mean).toFixed(2)), spread).toReversed();
        expectShares(shares, mirrored, 8);
      }),
      { numRuns: 500 },
    );
  });

  it('are these very numbers, on every machine', () => {
    expect(sharesOfBeta(6.5, 2)).toMatchInlineSnapshot(`
      [
        0.01769873644734138,
        0.11123633040698552,
        0.2493962281307447,
        0.353236072604923,
        0.2684326324100054,
      ]
    `);
  });
});

describe('a mean and a standard deviation of scores', () => {
  it('belong to a beta distribution if not all scores would have to be 0 or 10', () => {
    expect(isBeta(5, 4.99)).toBe(true);
    expect(isBeta(9, 2.99)).toBe(true);
    expect(isBeta(9, 3)).toBe(false);
    expect(isBeta(0.01, 0.31)).toBe(true);
    expect(isBeta(0.01, 0.32)).toBe(false);
  });
});

describe('the outcomes of respondents', () => {
  const outcomesOf = (completionRate: number, shares: Shares, count: number, seed = 1) => {
    const draws = streamsOf(seed).next().value;
    const limits = outcomeLimits(completionRate, shares);
    return Uint8Array.from({ length: count }, () => drawOutcome(draws, limits));
  };

  it('never include what has no share', () => {
    const cases: [number, Shares, number[]][] = [
      [1, [0, 0, 1, 0, 0], [3]],
      [1, [0.1, 0.2, 0.3, 0.4, 0], [1, 2, 3, 4]],
      [1, [0, 0, 0, 0, 1], [5]],
      [0.5, [0, 0.5, 0, 0.5, 0], [0, 2, 4]],
    ];
    for (const [completionRate, shares, expected] of cases) {
      const found = new Set(outcomesOf(completionRate, shares, 20_000));
      expect([...found].sort()).toEqual(expected);
    }
  });

  it('have the given likelihoods', () => {
    const shares: Shares = [0.05, 0.15, 0.3, 0.3, 0.2];
    const count = 200_000;
    const outcomes = outcomesOf(0.8, shares, count, 7);
    const likelihoods = [0.2, ...shares.map((share) => share * 0.8)];
    likelihoods.forEach((likelihood, outcome) => {
      const found = outcomes.filter((each) => each === outcome).length;
      const deviation = Math.sqrt(count * likelihood * (1 - likelihood));
      expect(Math.abs(found - count * likelihood)).toBeLessThan(4 * deviation);
    });
  });

  it('are counted as they are drawn, in whatever portions', () => {
    const shares: Shares = [0.05, 0.15, 0.3, 0.3, 0.2];
    const portions = [1, 0, 2_000, 1, 7];
    const counts: OutcomeCounts = [0, 0, 0, 0, 0, 0];
    const draws = streamsOf(3).next().value;
    for (const portion of portions) {
      countOutcomes(draws, outcomeLimits(0.8, shares), portion, counts);
    }
    const outcomes = outcomesOf(0.8, shares, 2_009, 3);
    expect(counts).toEqual(
      [0, 1, 2, 3, 4, 5].map((each) => outcomes.filter((outcome) => outcome === each).length),
    );
  });

  it('are the same for the same seed, whatever their number, and differ from stream to stream', () => {
    const shares: Shares = [0.2, 0.2, 0.2, 0.2, 0.2];
    const few = outcomesOf(0.8, shares, 30, 42);
    expect(few.join('')).toBe('235342242501454305241110131304');
    expect(outcomesOf(0.8, shares, 500, 42).slice(0, 30)).toEqual(few);
    expect(outcomesOf(0.8, shares, 30, 43)).not.toEqual(few);
    const [first, second] = streamsOf(42);
    expect(first!.next()).not.toBe(second!.next());
  });
});

describe('rounded shares', () => {
  it('can be sent back: they sum to 1, and each is within its last digit', () => {
    expect(roundedShares([1 / 3, 1 / 3, 1 / 3, 0, 0])).toEqual([0.3334, 0.3333, 0.3333, 0, 0]);
    expect(roundedShares([0.05, 0.15, 0.3, 0.3, 0.2])).toEqual([0.05, 0.15, 0.3, 0.3, 0.2]);
    const counts = fc
      .array(fc.nat(5_000), { minLength: 5, maxLength: 5 })
      .filter((each) => each.some((count) => count > 0));
    fc.assert(
      fc.property(counts, (each) => {
        const total = each.reduce((sum, count) => sum + count, 0);
        const shares = each.map((count) => count / total) as unknown as Shares;
        const found = roundedShares(shares);
        expect(checkShares(found)).toEqual([]);
        found.forEach((share, index) => {
          expect(Math.abs(share - shares[index]!)).toBeLessThan(0.0001);
          expect(share).toBe(Number(share.toFixed(4)));
        });
      }),
    );
  });
});
