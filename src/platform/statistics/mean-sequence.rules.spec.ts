import * as fc from 'fast-check';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { CELLS, MeanSequence, Spread } from './mean-sequence.rules';
import { meanWithInterval } from './mean.rules';
import { wilson } from './share.rules';

/** TEST_THOROUGH runs the simulation whose figures docs/guardrails.md states. */
const [CAMPAIGNS, LOOKS] = process.env.TEST_THOROUGH === undefined ? [100, 200] : [10_000, 1_000];

const ofShare = (ones: number, all: number): Spread =>
  Array.from({ length: CELLS + 1 }, (_, cell) =>
    cell === 0 ? all - ones : cell === CELLS ? ones : 0,
  );

/** How often each value of a scale with equal steps is answered by so many. */
const ofScale = (likelihoods: readonly number[], all: number): number[] => {
  const spread = Array.from({ length: CELLS + 1 }, () => 0);
  for (const [step, likelihood] of likelihoods.entries()) {
    spread[(step * CELLS) / (likelihoods.length - 1)] = likelihood * all;
  }
  return spread;
};

const meanOf = (likelihoods: readonly number[]) =>
  likelihoods.reduce((sum, each, step) => sum + each * step, 0) / (likelihoods.length - 1);

const STARS = [0.05, 0.1, 0.25, 0.4, 0.2];
const TOP_HEAVY = [0, 0.02, 0.08, 0.2, 0.7];
const NPS = [0.02, 0.01, 0.02, 0.03, 0.04, 0.1, 0.1, 0.15, 0.2, 0.15, 0.18];
const EVEN = Array.from({ length: 21 }, () => 1 / 21);

describe('a confidence sequence', () => {
  it.each([0.5, 0.1, 0.02])('contains a share of %d at every look (exactly)', (share) => {
    const sequence = new MeanSequence(0.1, 0.95, 'share');
    // The probability of each number of ones, if no look has excluded the share so far.
    let alive = [1];
    for (let n = 1; n <= 300; n++) {
      alive = Array.from({ length: n + 1 }, (_, ones) => {
        const reached = (alive[ones] ?? 0) * (1 - share) + (alive[ones - 1] ?? 0) * share;
        return reached > 0 && sequence.contains(ofShare(ones, n), share) ? reached : 0;
      });
    }
    const covered = alive.reduce((sum, each) => sum + each, 0);
    expect(covered).toBeGreaterThan(0.95);
    expect(covered).toBeLessThan(0.995);
  });

  it.each([
    ['share of 0.5', 'share', [0.5, 0.5]],
    ['share of 0.1', 'share', [0.9, 0.1]],
    ['share of 0.02', 'share', [0.98, 0.02]],
    ['mean of stars', 'scale', STARS],
    ['mean at the top', 'scale', TOP_HEAVY],
    ['mean from 0 to 10', 'scale', NPS],
    ['mean of any number', 'scale', EVEN],
  ] as const)(
    'contains a %s in 95 %% of campaigns that look after each response',
    (_, of, values) => {
      const sequence = new MeanSequence(0.06, 0.95, of);
      const random = xoroshiro128plus(2026);
      const mean = meanOf(values);
      const cumulative = values.map((_each, step) =>
        values.slice(0, step + 1).reduce((sum, likelihood) => sum + likelihood, 0),
      );
      let missed = 0;
      for (let campaign = 0; campaign < CAMPAIGNS; campaign++) {
        const spread = ofScale(values, 0);
        for (let look = 0; look < LOOKS; look++) {
          const drawn = (random.next() >>> 0) / 2 ** 32;
          const step = Math.max(
            0,
            cumulative.findIndex((each) => drawn < each),
          );
          const cell = (step * CELLS) / (values.length - 1);
          spread[cell] = (spread[cell] ?? 0) + 1;
          if (!sequence.contains(spread, mean)) {
            missed += 1;
            break;
          }
        }
      }
      if (process.env.TEST_THOROUGH !== undefined) {
        process.stdout.write(`${_}: ${((100 * missed) / CAMPAIGNS).toFixed(2)} % missed\n`);
      }
      expect(missed / CAMPAIGNS).toBeLessThanOrEqual(0.05);
    },
  );

  it.each([
    [0.5, 0.0955],
    [0.1, 0.0575],
    [0.02, 0.0275],
  ])('is at most 1.6 times as wide as one look at 1,000 (share %d)', (share, width) => {
    const ones = share * 1_000;
    const [low, high] = new MeanSequence(width, 0.95, 'share').interval(ofShare(ones, 1_000));
    const [from, to] = wilson(ones, 1_000);
    expect((high - low) / (to - from)).toBeLessThan(1.6);
    expect(high - low).toBeLessThan(width);
  });

  it.each([
    ['stars', STARS],
    ['at the top', TOP_HEAVY],
    ['from 0 to 10', NPS],
    ['any number', EVEN],
  ])('is at most 1.6 times as wide as one look at 1,000 (mean, %s)', (_, values) => {
    const n = 1_000;
    const spread = ofScale(values, n);
    const mean = meanOf(values);
    const squaredDeviations = spread.reduce(
      (sum, count, cell) => sum + count * (cell / CELLS - mean) ** 2,
      0,
    );
    const once = meanWithInterval(
      { n, sum: n * mean, squaredDeviations },
      { responses: n, size: n, scale: [0, 1] },
    ).interval!;
    const [low, high] = new MeanSequence(0.05, 0.95, 'scale').interval(spread);
    expect((high - low) / (once[1] - once[0])).toBeLessThan(1.6);
  });

  it('is an interval around the mean, and narrow where it says so', () => {
    const counts = fc.oneof(
      fc.integer({ min: 0, max: 20 }),
      fc.integer({ min: 0, max: 100_000 }),
      fc.double({ min: 0, max: 3, noNaN: true }),
    );
    const spreads = fc
      .uniqueArray(fc.tuple(fc.integer({ min: 0, max: CELLS }), counts), {
        selector: ([cell]) => cell,
        maxLength: 8,
      })
      .map((filled) => {
        const spread = ofScale([0, 0], 0);
        for (const [cell, count] of filled) {
          spread[cell] = count;
        }
        return spread;
      });
    fc.assert(
      fc.property(
        spreads,
        fc.double({ min: 0.001, max: 1, noNaN: true }),
        fc.constantFrom(0.5, 0.95, 0.99999),
        fc.constantFrom('share' as const, 'scale' as const),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (spread, width, confidence, of, mean) => {
          const sequence = new MeanSequence(width, confidence, of);
          const [low, high] = sequence.interval(spread);
          const n = spread.reduce((sum, each) => sum + each, 0);
          const own = spread.reduce((sum, each, cell) => sum + each * (cell / CELLS), 0) / (n || 1);
          expect(low).toBeGreaterThanOrEqual(0);
          expect(high).toBeLessThanOrEqual(1);
          expect(low <= own + 1e-12 && (n === 0 || own - 1e-12 <= high)).toBe(true);
          // At the bounds themselves, the last digits decide.
          fc.pre(Math.min(Math.abs(mean - low), Math.abs(mean - high)) > 1e-8);
          expect(sequence.contains(spread, mean)).toBe(low <= mean && mean <= high);
          fc.pre(Math.abs(high - low - width) > 1e-8);
          expect(sequence.isNarrow(spread)).toBe(high - low < width);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is everything without responses, and narrow after a million', () => {
    const sequence = new MeanSequence(0.01, 0.95, 'share');
    expect(sequence.interval(ofShare(0, 0))).toEqual([0, 1]);
    const [low, high] = sequence.interval(ofShare(300_000, 1_000_000));
    expect(low).toBeGreaterThan(0.298);
    expect(high).toBeLessThan(0.302);
    expect(sequence.interval(ofShare(0, 1_000_000))[1]).toBeLessThan(2e-4);
    expect(sequence.interval(ofShare(1_000_000, 1_000_000))[0]).toBeGreaterThan(1 - 2e-4);
  });
});
