import { normalQuantile, standardErrors, studentErrors } from './interval.rules';

describe('the normal quantile', () => {
  it.each([
    [0.5, 0],
    [0.9, 1.2815516],
    [0.95, 1.6448536],
    [0.975, 1.959964],
    [0.995, 2.5758293],
    [0.9995, 3.2905267],
    [0.001, -3.0902323],
    [1e-12, -7.0344838],
  ])('of %d is %d', (probability, quantile) => {
    expect(normalQuantile(probability)).toBeCloseTo(quantile, 6);
  });

  it('gives 1.96 for a confidence of 95% and 2.576 for 99%', () => {
    expect(standardErrors()).toBeCloseTo(1.96, 3);
    expect(standardErrors(0.99)).toBeCloseTo(2.576, 3);
  });
});

describe("the quantile of Student's distribution", () => {
  // Two-sided 95%, 99% and 99.9%, from the usual table, which has three places.
  it.each([
    [1, 12.706, 63.657, 636.619],
    [2, 4.303, 9.925, 31.599],
    [3, 3.182, 5.841, 12.924],
    [4, 2.776, 4.604, 8.61],
    [5, 2.571, 4.032, 6.869],
    [10, 2.228, 3.169, 4.587],
    [30, 2.042, 2.75, 3.646],
    [31, 2.04, 2.744, 3.633],
    [120, 1.98, 2.617, 3.373],
    [1e6, 1.96, 2.576, 3.291],
  ])('of %d degrees of freedom is %d, %d for 99%%, and %d for 99.9%%', (degrees, ...quantiles) => {
    [0.95, 0.99, 0.999].forEach((confidence, index) => {
      expect(Math.abs(studentErrors(degrees, confidence) - quantiles[index]!)).toBeLessThan(6e-4);
    });
  });

  it('has parts of a degree, down to none', () => {
    // By another library.
    expect(studentErrors(4.9)).toBeCloseTo(2.5864413, 6);
    expect(studentErrors(0.5)).toBeCloseTo(164.5576758, 4);
    expect(studentErrors(5 - 1e-6)).toBeCloseTo(studentErrors(5), 5);
    expect(studentErrors(0)).toBe(Infinity);
  });
});
