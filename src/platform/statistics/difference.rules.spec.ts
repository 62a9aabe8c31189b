import * as fc from 'fast-check';
import {
  holm,
  newcombe,
  normalTails,
  shareDifferenceProbability,
  studentTails,
  welch,
} from './difference.rules';

describe("Newcombe's interval", () => {
  // R. G. Newcombe, Statistics in Medicine 17 (1998), 873–890, table II, method 10.
  it.each([
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [6, 7, 2, 7, 0.0582, 0.8062],
    [5, 56, 0, 29, -0.0381, 0.1926],
    [0, 10, 0, 20, -0.1611, 0.2775],
    [0, 10, 0, 10, -0.2775, 0.2775],
    [10, 10, 0, 20, 0.6791, 1],
    [10, 10, 0, 10, 0.6075, 1],
  ])('of %d in %d less %d in %d is %d to %d', (a, n, b, m, low, high) => {
    const [lower, upper] = newcombe({ successes: a, n }, { successes: b, n: m });
    expect(lower).toBeCloseTo(low, 4);
    expect(upper).toBeCloseTo(high, 4);
  });

  it('is within [-1, 1], contains the difference, and mirrors', () => {
    const proportion = fc
      .tuple(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1e7, noNaN: true }),
      )
      .map(([share, n]) => ({ successes: share * n, n }));
    fc.assert(
      fc.property(proportion, proportion, (a, b) => {
        const share = ({ successes, n }: typeof a) => (n > 0 ? successes / n : 0);
        const [low, high] = newcombe(a, b);
        const difference = share(a) - share(b);
        expect(low).toBeGreaterThanOrEqual(-1 - 1e-9);
        expect(high).toBeLessThanOrEqual(1 + 1e-9);
        expect(low).toBeLessThanOrEqual(difference);
        expect(high).toBeGreaterThanOrEqual(difference);
        const [mirroredLow, mirroredHigh] = newcombe(b, a);
        expect(mirroredLow).toBeCloseTo(-high, 9);
        expect(mirroredHigh).toBeCloseTo(-low, 9);
      }),
    );
  });
});

describe('the test of two shares', () => {
  it("has Pearson's χ² of the aspirin study", () => {
    // A. Agresti, An Introduction to Categorical Data Analysis (1996), section 2.4.4: 25.01.
    const probability = shareDifferenceProbability(
      { successes: 189, n: 11_034 },
      { successes: 104, n: 11_037 },
    );
    expect(probability).toBeLessThan(normalTails(Math.sqrt(25.005)));
    expect(probability).toBeGreaterThan(normalTails(Math.sqrt(25.015)));
  });

  it('says nothing without trials or without differences', () => {
    expect(shareDifferenceProbability({ successes: 0, n: 0 }, { successes: 3, n: 9 })).toBe(1);
    expect(shareDifferenceProbability({ successes: 4, n: 4 }, { successes: 9, n: 9 })).toBe(1);
  });
});

describe('tails', () => {
  // M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions (1964), table 26.1.
  it.each([
    [0, 0.5],
    [0.5, 0.30853753873],
    [1, 0.15865525393],
    [1.96, 0.02499789515],
    [2.98, 0.00144124],
    [3, 0.00134989803],
    [4, 0.00003167124],
    [5, 0.00000028665],
  ])('of a normal variable beyond %d are %d', (z, half) => {
    expect(normalTails(z) / 2).toBeCloseTo(half, 8);
    expect(normalTails(-z)).toBe(normalTails(z));
  });

  // The same, table 26.10: the values that 5 % and 1 % are beyond.
  it.each([
    [12.706, 1, 0.05],
    [2.571, 5, 0.05],
    [3.169, 10, 0.01],
    [2.042, 30, 0.05],
  ])('of Student beyond %d with %d degrees are %d', (t, degrees, probability) => {
    expect(studentTails(t, degrees)).toBeCloseTo(probability, 4);
  });
});

describe("Welch's test", () => {
  it('has what R prints for the sleep of ten patients', () => {
    // example(t.test) of R 4: t.test(extra ~ group, data = sleep); data of Student (1908).
    const moments = (values: number[]) => {
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
      return {
        mean,
        standardDeviation: Math.sqrt(squares / (values.length - 1)),
        size: values.length,
      };
    };
    const first = moments([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2]);
    const second = moments([1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]);
    const found = welch(first, second);
    expect(found?.t).toBeCloseTo(-1.8608, 4);
    expect(found?.degreesOfFreedom).toBeCloseTo(17.776, 3);
    expect(found?.probability).toBeCloseTo(0.07939, 5);
    expect(found?.interval[0]).toBeCloseTo(-3.3654832, 6);
    expect(found?.interval[1]).toBeCloseTo(0.2054832, 6);
  });

  it('needs two values on each side, and some difference', () => {
    const same = { mean: 3, standardDeviation: 0, size: 9 };
    expect(welch(same, same)).toBeNull();
    expect(welch({ ...same, size: 1 }, { ...same, standardDeviation: 1 })).toBeNull();
  });
});

describe("Holm's correction", () => {
  it('has what R prints for the ozone of five months', () => {
    // example(pairwise.t.test) of R: the raw probabilities are those of "bonferroni" by 10.
    const raw = [0.000029, 0.010225, 0.000019, 0.008312, 0.000697, 0.000485, 0.2, 0.9, 0.8, 0.5];
    const printed = [0.00026, 0.05113, 0.00019, 0.04987, 0.00488, 0.00388, 0.8, 1, 1, 1];
    for (const [index, adjusted] of holm(raw).entries()) {
      expect(adjusted).toBeCloseTo(printed[index] ?? NaN, 4);
    }
  });

  it('keeps the order, lowers none, and is at most that of Bonferroni', () => {
    const probabilities = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 50 });
    fc.assert(
      fc.property(probabilities, (raw) => {
        const adjusted = holm(raw);
        for (const [index, each] of adjusted.entries()) {
          expect(each).toBeGreaterThanOrEqual(raw[index] ?? 0);
          expect(each).toBeLessThanOrEqual(Math.min(1, (raw[index] ?? 0) * raw.length));
          for (const [other, second] of adjusted.entries()) {
            if ((raw[index] ?? 0) < (raw[other] ?? 0)) {
              expect(each).toBeLessThanOrEqual(second);
            }
          }
        }
      }),
    );
  });
});
