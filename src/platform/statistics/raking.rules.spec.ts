import * as fc from 'fast-check';
import { effectiveSize } from './share.rules';
import { JointCell, rake } from './raking.rules';

const cellsOf = (table: readonly (readonly number[])[]): JointCell[] =>
  table.flatMap((row, i) => row.map((count, j) => ({ count, values: [i + 1, j + 1] })));

describe('raking', () => {
  it('has the table of ProportionalFitting.jl', () => {
    // E.-J. van Kesteren, ProportionalFitting.jl, README: ipf(X, [u, v]) with this X, u and v.
    const table = [
      [40, 30, 20, 10],
      [35, 50, 100, 75],
      [30, 80, 70, 120],
      [20, 30, 40, 50],
    ];
    const printed = [
      [64.5585, 46.2325, 35.3843, 3.82473],
      [49.9679, 68.1594, 156.499, 25.3742],
      [56.7219, 144.428, 145.082, 53.7673],
      [28.7516, 41.18, 63.0347, 17.0337],
    ];
    const cells = cellsOf(table);
    const { weights, converged, missing } = rake(cells, [
      [0.15, 0.3, 0.4, 0.15],
      [0.2, 0.3, 0.4, 0.1],
    ]);
    expect([converged, missing]).toEqual([true, []]);
    // Their table has 1,000 in all, ours as many as the sample.
    const scale = 1_000 / 800;
    for (const [index, expected] of printed.flat().entries()) {
      const fitted = (weights[index] ?? 0) * (cells[index]?.count ?? 0) * scale;
      expect(Math.abs(fitted - expected)).toBeLessThan(0.002);
    }
  });

  it('says which values nobody has, and that others stand for them', () => {
    const { weights, missing, converged } = rake(cellsOf([[10, 30]]), [
      [0.4, 0.6],
      [0.5, 0.5],
    ]);
    expect(missing).toEqual([{ variable: 0, value: 2 }]);
    expect(converged).toBe(true);
    expect(weights).toEqual([2, 20 / 30]);
  });

  it('does not converge if no weights of the cells there are fit', () => {
    // Nobody has the second value of one without the second of the other.
    const cells = cellsOf([
      [10, 0],
      [0, 10],
    ]);
    const raking = rake(cells, [
      [0.5, 0.5],
      [0.3, 0.7],
    ]);
    expect(raking.converged).toBe(false);
    expect(raking.iterations).toBe(1_000);
    expect(raking.largestDifference).toBeCloseTo(0.2, 6);
  });

  it('keeps the part of those without a value, and meets every share that it can', () => {
    const count = fc.integer({ min: 1, max: 50 });
    const shares = (length: number) =>
      fc
        .array(fc.integer({ min: 1, max: 9 }), { minLength: length, maxLength: length })
        .map((parts) => parts.map((part) => part / parts.reduce((sum, each) => sum + each, 0)));
    fc.assert(
      fc.property(
        fc.array(count, { minLength: 12, maxLength: 12 }),
        shares(2),
        shares(3),
        (counts, first, second) => {
          // Values 0 to 2 of the one and 0 to 3 of the other.
          const cells = counts.map((each, index) => ({
            count: each,
            values: [Math.floor(index / 4), index % 4],
          }));
          const all = counts.reduce((sum, each) => sum + each, 0);
          const { weights, converged } = rake(cells, [first, second]);
          expect(converged).toBe(true);
          const weighted = (has: (values: readonly number[]) => boolean) =>
            cells.reduce(
              (sum, each, index) =>
                sum + (has(each.values) ? each.count * (weights[index] ?? 0) : 0),
              0,
            );
          expect(weighted(() => true)).toBeCloseTo(all, 3);
          for (const [variable, known] of [first, second].entries()) {
            const none = counts
              .filter((_, index) => cells[index]?.values[variable] === 0)
              .reduce((sum, each) => sum + each, 0);
            expect(weighted((values) => values[variable] === 0) / all).toBeCloseTo(none / all, 5);
            for (const [index, share] of known.entries()) {
              const found = weighted((values) => values[variable] === index + 1) / all;
              expect(found).toBeCloseTo((share * (all - none)) / all, 5);
            }
          }
        },
      ),
    );
  });
});

describe('the effective size of weights', () => {
  it('is that of Displayr', () => {
    // The tests of Displayr's R packages: EffectiveSampleSize(c(10, rep(1, 9))).
    const strata = [
      { weight: 10, count: 1 },
      { weight: 1, count: 9 },
    ];
    expect(effectiveSize(strata)).toBeCloseTo(3.311927, 5);
  });
});
