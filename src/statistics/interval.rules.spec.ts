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
  // Two-sided 95% and 99%, from the usual table.
  it.each([
    [1, 12.706, 63.657],
    [2, 4.303, 9.925],
    [3, 3.182, 5.841],
    [4, 2.776, 4.604],
    [5, 2.571, 4.032],
    [10, 2.228, 3.169],
    [30, 2.042, 2.75],
    [120, 1.98, 2.617],
    [1e6, 1.96, 2.576],
  ])('of %d degrees of freedom is %d, and %d for 99%%', (degrees, at95, at99) => {
    expect(Math.abs(studentErrors(degrees) / at95 - 1)).toBeLessThan(0.005);
    expect(Math.abs(studentErrors(degrees, 0.99) / at99 - 1)).toBeLessThan(0.03);
  });

  it('ignores parts of a degree, but not an error of rounding', () => {
    expect(studentErrors(4.9)).toBe(studentErrors(4));
    expect(studentErrors(0.1 * 3 * 10)).toBe(studentErrors(3));
    expect(studentErrors(5 - 1e-15)).toBe(studentErrors(5));
  });
});
