import * as fc from 'fast-check';
import { bradleyTerry, Comparisons, Strength } from './bradley-terry.rules';
import { studentErrors } from './interval.rules';

const NO_PRIOR = { shape: 1 };

/** Comparisons of one respondent, which count as independent. */
const only = (wins: number[][]): Comparisons[] => [
  { weight: 1, responses: 1, wins, products: wins },
];

const boundsOf = ({ interval }: Strength): [number, number] => interval ?? [NaN, NaN];

const logits = (strengths: { strength: number }[], reference: number) =>
  strengths.map(({ strength }) => Math.log(strength / strengths[reference]!.strength));

/** One respondent's comparisons: `order` ranks the images, and `flips` contradict it. */
const winsOf = (preferred: (i: number, j: number) => boolean, images: number) =>
  Array.from({ length: images }, (_, i) =>
    Array.from({ length: images }, (__, j) => Number(i !== j && preferred(i, j))),
  );

/** The sufficient statistic of responses: each a matrix of wins. */
function collect(responses: number[][][], images: number, weight = 1): Comparisons {
  const zero = () => Array.from({ length: images }, () => Array.from({ length: images }, () => 0));
  const wins = zero();
  const products = zero();
  for (const response of responses) {
    const counts = response.map((row) => row.reduce((sum, each) => sum + each, 0));
    for (let i = 0; i < images; i++) {
      for (let j = 0; j < images; j++) {
        wins[i]![j]! += response[i]![j]!;
        products[i]![j]! += counts[i]! * counts[j]!;
      }
    }
  }
  return { weight, responses: responses.length, wins, products };
}

/** Responses to 3 to 6 images: any preference for each pair. */
const surveys = fc.integer({ min: 3, max: 6 }).chain((images) =>
  fc.record({
    images: fc.constant(images),
    responses: fc.array(
      fc
        .array(fc.boolean(), { minLength: images * images, maxLength: images * images })
        .map((bits) =>
          winsOf((i, j) => (i < j ? bits[i * images + j]! : !bits[j * images + i]!), images),
        ),
      { maxLength: 12 },
    ),
  }),
);

describe('Bradley–Terry strengths without a prior', () => {
  it("of journals by Stigler's citations equal the published ones", () => {
    // S. M. Stigler, Statistical Science 9 (1994), 94–108; fitted by H. Turner and D. Firth,
    // Bradley-Terry Models in R, Journal of Statistical Software 48(9) (2012).
    const journals = bradleyTerry(
      only([
        [0, 730, 498, 221],
        [33, 0, 68, 17],
        [320, 813, 0, 142],
        [284, 276, 325, 0],
      ]),
      NO_PRIOR,
    );
    const [biometrika, communications, jasa, jrssB] = logits(journals, 0);
    expect(biometrika).toBe(0);
    expect(communications).toBeCloseTo(-2.94907, 5);
    expect(jasa).toBeCloseTo(-0.47957, 5);
    expect(jrssB).toBeCloseTo(0.26895, 5);
    expect(journals.map(({ rank }) => rank)).toEqual([2, 4, 3, 1]);
  });

  it('of the American League East of 1987 equal the published ones', () => {
    // A. Agresti, Categorical Data Analysis, 2nd edition (2002), section 10.6: Milwaukee, Detroit,
    // Toronto, New York, Boston, Cleveland, Baltimore.
    const teams = bradleyTerry(
      only([
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
      ]),
      NO_PRIOR,
    );
    const published = [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0];
    for (const [index, logit] of logits(teams, 6).entries()) {
      expect(logit).toBeCloseTo(published[index]!, 4);
    }
  });

  it('of two images have the share of the wins, with the standard error of its logit', () => {
    for (const [won, lost] of [
      [60, 40],
      [3, 2],
    ] as const) {
      const n = won + lost;
      const wins = [
        [0, won],
        [lost, 0],
      ];
      const products = [
        [won, 0],
        [0, lost],
      ];
      const [first] = bradleyTerry([{ weight: 1, responses: n, wins, products }], NO_PRIOR);
      const error = Math.sqrt((n / (n - 1)) * (1 / won + 1 / lost));
      const half = studentErrors(n - 1) * error;
      const logit = Math.log(won / lost);
      const [low, high] = boundsOf(first!);
      expect(first!.strength).toBeCloseTo(won / n, 9);
      expect(low).toBeCloseTo(1 / (1 + Math.exp(half - logit)), 6);
      expect(high).toBeCloseTo(1 / (1 + Math.exp(-half - logit)), 6);
    }
  });
});

describe('Bradley–Terry strengths', () => {
  it('are between 0 and 1 if one image always wins', () => {
    const always = winsOf((i, j) => i < j, 5);
    for (const count of [1, 10, 1_000_000]) {
      const { wins, products } = collect([always], 5);
      const times = (matrix: readonly (readonly number[])[]) =>
        matrix.map((row) => row.map((each) => each * count));
      const strengths = bradleyTerry([
        { weight: 1, responses: count, wins: times(wins), products: times(products) },
      ]);
      // Three of a million print as 0.
      expect(strengths.map(({ rank }) => rank)).toEqual(
        count > 10 ? [1, 2, 3, 3, 3] : [1, 2, 3, 4, 5],
      );
      for (const { strength, interval } of strengths) {
        expect(strength).toBeGreaterThan(0);
        expect(strength).toBeLessThan(1);
        expect(interval === null).toBe(count < 5);
        expect(interval?.[0] ?? 0.5).toBeGreaterThan(0);
        expect(interval?.[1] ?? 0.5).toBeLessThan(1);
      }
    }
  });

  it('are equal, and share rank 1, without responses', () => {
    const none = bradleyTerry([collect([], 4)]);
    expect(none.map(({ strength, rank }) => [strength, rank])).toEqual(
      Array.from({ length: 4 }, () => [0.25, 1]),
    );
  });

  it('sum to 1, and each is in its interval', () => {
    fc.assert(
      fc.property(surveys, ({ images, responses }) => {
        const strengths = bradleyTerry([collect(responses, images)]);
        expect(strengths.reduce((sum, { strength }) => sum + strength, 0)).toBeCloseTo(1, 9);
        for (const { strength, interval } of strengths) {
          expect(interval === null).toBe(responses.length < 5);
          const [low, high] = interval ?? [strength, strength];
          expect(low).toBeGreaterThanOrEqual(0);
          expect(low).toBeLessThanOrEqual(strength);
          expect(high).toBeGreaterThanOrEqual(strength);
          expect(high).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('do not depend on the order of images', () => {
    fc.assert(
      fc.property(surveys, ({ images, responses }) => {
        const reversed = responses.map((each) => each.toReversed().map((row) => row.toReversed()));
        const there = bradleyTerry([collect(responses, images)]);
        const back = bradleyTerry([collect(reversed, images)]).toReversed();
        expectAlike(back, there);
        expect(back.map(({ rank }) => rank)).toEqual(there.map(({ rank }) => rank));
      }),
    );
  });

  it('do not depend on how responses of the same weight are grouped, nor on the scale of weights', () => {
    fc.assert(
      fc.property(surveys, fc.nat({ max: 12 }), ({ images, responses }, cut) => {
        const whole = bradleyTerry([collect(responses, images)]);
        const parts = bradleyTerry([
          collect(responses.slice(0, cut), images, 0.3),
          collect(responses.slice(cut), images, 0.3),
        ]);
        expectAlike(parts, whole);
      }),
    );
  });

  it('ignore responses of weight 0', () => {
    const [a, b] = [winsOf((i, j) => i < j, 4), winsOf((i, j) => i > j, 4)];
    for (const count of [4, 5]) {
      const weighted = collect(
        Array.from({ length: count }, () => a),
        4,
      );
      const some = bradleyTerry([weighted, collect([b, b], 4, 0)]);
      expectAlike(some, bradleyTerry([weighted]));
    }
  });

  it('share a rank if they differ by less than their printed digits', () => {
    // The first responses rank all images but the first alike; the other one hardly counts.
    const circle = winsOf((i, j) => i === 0 || (j !== 0 && (j - i === 1 || i - j === 2)), 4);
    const order = winsOf((i, j) => i < j, 4);
    const strengths = bradleyTerry([
      collect(
        Array.from({ length: 9 }, () => circle),
        4,
      ),
      collect([order], 4, 0.000001),
    ]);
    const [, second, third] = strengths;
    expect(second!.strength).not.toBe(third!.strength);
    expect(strengths.map(({ rank }) => rank)).toEqual([1, 2, 2, 2]);
  });

  it('have no interval below 5 respondents, and one by the t distribution from then on', () => {
    const [up, down] = [winsOf((i, j) => i < j, 3), winsOf((i, j) => i > j, 3)];
    const respondents = (count: number) =>
      bradleyTerry([
        collect(
          Array.from({ length: count }, (_, n) => (n % 2 ? down : up)),
          3,
        ),
      ]);
    expect(respondents(4).map(({ interval }) => interval)).toEqual([null, null, null]);
    expect(bradleyTerry([collect([up, down, up, down, up], 3, 0.000001)])[0]!.interval).toEqual(
      respondents(5)[0]!.interval!.map((each) => expect.closeTo(each, 9)),
    );
  });

  it('have wider intervals if the comparisons of a respondent resemble each other', () => {
    const up = winsOf((i, j) => i < j, 6);
    const down = winsOf((i, j) => i > j, 6);
    const responses = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? up : down));
    const width = (strength: Strength) => boundsOf(strength)[1] - boundsOf(strength)[0];
    const clustered = bradleyTerry([collect(responses, 6)]);
    const random = randomNumbers(6);
    const tossed = responses.map(() => {
      const bits = Array.from({ length: 36 }, () => random() < 0.5);
      return winsOf((i, j) => (i < j ? bits[6 * i + j]! : !bits[6 * j + i]!), 6);
    });
    const plain = bradleyTerry([collect(tossed, 6)]);
    // The first image wins all or nothing: 5² instead of 5 times the variance of one comparison.
    expect(width(clustered[0]!) / width(plain[0]!)).toBeGreaterThan(2);
  });

  it.each([
    [60, 200],
    [5, 400],
  ])('of %d respondents are covered by about 95%% of the intervals', (respondents, rounds) => {
    const abilities = [0.6, 0.2, -0.2, -0.6];
    const random = randomNumbers(7);
    // The truth: the strengths that a very large survey finds.
    const ask = () => {
      const own = abilities.map((ability) => ability + normal(random));
      const bits = winsOf(() => false, 4);
      for (let i = 0; i < 4; i++) {
        for (let j = i + 1; j < 4; j++) {
          const wins = random() < 1 / (1 + Math.exp(own[j]! - own[i]!));
          bits[i]![j] = Number(wins);
          bits[j]![i] = Number(!wins);
        }
      }
      return bits;
    };
    const survey = (size: number) => collect(Array.from({ length: size }, ask), 4);
    const truth = bradleyTerry([survey(30_000)]);
    let covered = 0;
    for (let round = 0; round < rounds; round++) {
      for (const [index, found] of bradleyTerry([survey(respondents)]).entries()) {
        const { strength } = truth[index]!;
        const [low, high] = boundsOf(found);
        covered += Number(low <= strength && strength <= high);
      }
    }
    expect(covered / rounds / 4).toBeGreaterThan(0.93);
    // The prior and the larger of two variances make up for few respondents.
    expect(covered / rounds / 4).toBeLessThan(respondents < 10 ? 1 : 0.98);
  });
});

function expectAlike(found: readonly Strength[], expected: readonly Strength[]): void {
  expect(found.map(({ strength, interval }) => [strength, interval])).toEqual(
    expected.map(({ strength, interval }) => [
      expect.closeTo(strength, 9),
      interval?.map((each) => expect.closeTo(each, 9)) ?? null,
    ]),
  );
}

/** Numbers from 0 to 1, the same for a seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
