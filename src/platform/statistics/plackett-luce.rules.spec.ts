import { plackettLuce, Ranking } from './plackett-luce.rules';
import { DRAWS, streamsOf } from './random.rules';

/**
 * 588 users of Netflix ranked four films: how many gave each order. J. Bennett and S. Lanning, The
 * Netflix Prize (2007), in PrefLib 00004-00000138.
 */
const NETFLIX = `
  68: 2,1,4,3  53: 1,2,4,3  49: 2,1,3,4  44: 1,2,3,4  39: 2,4,1,3  37: 3,2,1,4
  37: 2,3,1,4  36: 2,3,4,1  31: 3,2,4,1  29: 2,4,3,1  22: 1,3,2,4  19: 3,1,2,4
  17: 3,4,2,1  17: 4,2,3,1  16: 4,2,1,3  14: 1,4,2,3  10: 1,3,4,2  10: 4,1,2,3
  9: 4,3,1,2  8: 3,4,1,2  8: 1,4,3,2  7: 3,1,4,2  7: 4,3,2,1  1: 4,1,3,2`;

const RANKINGS = [...NETFLIX.matchAll(/(\d+): ([\d,]+)/g)].map(
  ([, count, order = '']): Ranking => ({
    order: order.split(',').map((film) => Number(film) - 1),
    count: Number(count),
  }),
);

describe('Plackett–Luce strengths', () => {
  it('are the published ones of four films', () => {
    // H. L. Turner, J. van Etten, D. Firth and I. Kosmidis, Modelling rankings in R, Computational
    // Statistics 35 (2020), 1027–1057; in the introduction to the package PlackettLuce, which adds
    // half a comparison of each film with one that does not exist: that moves the third decimal
    // by less than one.
    const published = [0.2306285, 0.4510655, 0.1684719, 0.1498342];
    const found = plackettLuce(4, RANKINGS, { shape: 1 });
    published.forEach((strength, film) => {
      expect(found[film]?.strength).toBeCloseTo(strength, 3);
    });
    expect(found.map(({ rank }) => rank)).toEqual([2, 1, 3, 4]);
  });

  it('are the shares of first places where only the best is ranked', () => {
    const rankings = [
      { order: [0], count: 6 },
      { order: [1], count: 3 },
      { order: [2], count: 1 },
    ];
    plackettLuce(3, rankings, { shape: 1 }).forEach(({ strength }, option) => {
      expect(strength).toBeCloseTo([0.6, 0.3, 0.1][option] ?? 0, 6);
    });
  });

  it.each([3, 6])('are found again from the first %d places of simulated rankings', (places) => {
    const true_ = [0.4, 0.25, 0.15, 0.1, 0.06, 0.04];
    const stream = streamsOf(11).next().value;
    const rankings = Array.from({ length: 4_000 }, () => {
      const order: number[] = [];
      while (order.length < places) {
        const left = true_.flatMap((strength, option) =>
          order.includes(option) ? [] : [{ strength, option }],
        );
        let at =
          ((stream.next() >>> 0) / DRAWS) * left.reduce((sum, each) => sum + each.strength, 0);
        const next = left.find(({ strength }) => (at -= strength) < 0) ?? left.at(-1);
        order.push(next?.option ?? 0);
      }
      return { order, count: 1 };
    });
    plackettLuce(6, rankings).forEach(({ strength }, option) => {
      expect(Math.abs(strength / (true_[option] ?? 1) - 1)).toBeLessThan(0.1);
    });
  });

  it('are equal without rankings, and never 0', () => {
    expect(plackettLuce(2, [])).toEqual([
      { strength: 0.5, rank: 1 },
      { strength: 0.5, rank: 1 },
    ]);
    const [, last] = plackettLuce(2, [{ order: [0, 1], count: 5 }]);
    expect(last?.strength).toBeCloseTo(0.5 / 6, 6);
  });
});
