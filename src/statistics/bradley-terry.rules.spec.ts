import * as fc from 'fast-check';
import { bradleyTerry, Comparisons } from './bradley-terry.rules';

const NO_PRIOR = { shape: 1 };

/** Comparisons of one respondent, which count as independent. */
const only = (wins: number[][]): Comparisons[] => [
  { weight: 1, responses: 1, wins, products: wins },
];

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
    const [first] = bradleyTerry(
      only([
        [0, 60],
        [40, 0],
      ]),
      NO_PRIOR,
    );
    const half = 1.959964 * Math.sqrt(1 / 60 + 1 / 40);
    const logit = Math.log(60 / 40);
    expect(first!.strength).toBeCloseTo(0.6, 9);
    expect(first!.interval[0]).toBeCloseTo(1 / (1 + Math.exp(half - logit)), 6);
    expect(first!.interval[1]).toBeCloseTo(1 / (1 + Math.exp(-half - logit)), 6);
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
      expect(strengths.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5]);
      for (const { strength, interval } of strengths) {
        expect(strength).toBeGreaterThan(0);
        expect(strength).toBeLessThan(1);
        expect(interval[0]).toBeGreaterThan(0);
        expect(interval[1]).toBeLessThan(1);
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
          expect(interval[0]).toBeGreaterThanOrEqual(0);
          expect(interval[0]).toBeLessThanOrEqual(strength);
          expect(interval[1]).toBeGreaterThanOrEqual(strength);
          expect(interval[1]).toBeLessThanOrEqual(1);
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
        for (const [index, { strength, interval, rank }] of there.entries()) {
          expect(back[index]!.strength).toBeCloseTo(strength, 9);
          expect(back[index]!.interval[0]).toBeCloseTo(interval[0], 9);
          expect(back[index]!.interval[1]).toBeCloseTo(interval[1], 9);
          expect(back[index]!.rank).toBe(rank);
        }
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
        for (const [index, { strength, interval }] of whole.entries()) {
          expect(parts[index]!.strength).toBeCloseTo(strength, 9);
          expect(parts[index]!.interval[0]).toBeCloseTo(interval[0], 9);
          expect(parts[index]!.interval[1]).toBeCloseTo(interval[1], 9);
        }
      }),
    );
  });

  it('ignore responses of weight 0', () => {
    const [a, b] = [winsOf((i, j) => i < j, 4), winsOf((i, j) => i > j, 4)];
    const some = bradleyTerry([collect([a, a, a], 4), collect([b, b], 4, 0)]);
    const without = bradleyTerry([collect([a, a, a], 4)]);
    for (const [index, { strength, interval }] of without.entries()) {
      expect(some[index]!.strength).toBeCloseTo(strength, 9);
      expect(some[index]!.interval[0]).toBeCloseTo(interval[0], 9);
    }
  });

  it('have wider intervals if the comparisons of a respondent resemble each other', () => {
    const up = winsOf((i, j) => i < j, 6);
    const down = winsOf((i, j) => i > j, 6);
    const responses = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? up : down));
    const comparisons = collect(responses, 6);
    const width = ({ interval: [low, high] }: { interval: [number, number] }) => high - low;
    const clustered = bradleyTerry([comparisons]);
    const plain = bradleyTerry([{ ...comparisons, responses: 1 }]);
    // The first image wins all or nothing: 5² instead of 5 times the variance of one comparison.
    expect(width(clustered[0]!) / width(plain[0]!)).toBeGreaterThan(2);
    expect(width(clustered[2]!)).toBeGreaterThanOrEqual(width(plain[2]!));
  });

  it('are covered by about 95% of the intervals, whatever respondents have in common', () => {
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
    for (let round = 0; round < 200; round++) {
      for (const [index, { interval }] of bradleyTerry([survey(60)]).entries()) {
        const { strength } = truth[index]!;
        covered += Number(interval[0] <= strength && strength <= interval[1]);
      }
    }
    expect(covered / 800).toBeGreaterThan(0.93);
    expect(covered / 800).toBeLessThan(0.98);
  });
});

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
