import fc from 'fast-check';
import { netPromoterInterval } from './net-promoter.rules';
import { DRAWS, streamsOf } from './random.rules';

describe('the interval of a net promoter score', () => {
  it('has the standard error of a multinomial sample with three more answers', () => {
    // 16 promoters and 7 detractors of 36: p = 16.75/39, d = 7.75/39, and a difference of 9/39 with
    // a standard error of √((24.5/39 − (9/39)²) / 39) = 0.121416.
    const [low, high] = netPromoterInterval(16, 7, 36);
    expect(low).toBeCloseTo(9 / 39 - 1.959964 * 0.121416, 5);
    expect(high).toBeCloseTo(9 / 39 + 1.959964 * 0.121416, 5);
  });

  // J. R. Lewis and J. Sauro, NPS confidence intervals, MeasuringU 2021, state the interval of
  // Rocks: three more answers, ¾ of a promoter and of a detractor each. These bounds come from
  // another form of it, with 40 decimal digits: there are p + ¾ scores of 100, n - p - d + 1½ of 0,
  // and d + ¾ of -100, n + 3 in all. Their mean is m, and the bounds are
  // m ± 1.9599639845 · √(Σ (score - m)²) / (n + 3).
  it.each([
    [16, 7, 36, -0.720563, 46.874409],
    [450, 150, 1_000, 25.489639, 34.3309],
    [50, 20, 100, 14.05113, 44.201297],
    [3, 1, 5, -29.782659, 79.782659],
    [9, 0, 40, 7.550744, 34.309721],
  ])('has reference bounds for %d promoters and %d detractors of %d', (p, d, n, low, high) => {
    const interval = netPromoterInterval(p, d, n);
    expect(interval[0] * 100).toBeCloseTo(low, 4);
    expect(interval[1] * 100).toBeCloseTo(high, 4);
  });

  it('is that of the mean of scores, for all counts', () => {
    const counts = fc.tuple(fc.nat(500), fc.nat(500), fc.nat(500));
    fc.assert(
      fc.property(counts, ([promoters, passives, detractors]) => {
        const n = promoters + passives + detractors;
        fc.pre(n > 0);
        const given = [
          [1, promoters + 3 / 4],
          [0, passives + 3 / 2],
          [-1, detractors + 3 / 4],
        ] as const;
        const mean = given.reduce((sum, [score, times]) => sum + score * times, 0) / (n + 3);
        const squares = given.reduce((sum, [score, times]) => sum + times * (score - mean) ** 2, 0);
        const half = (1.959964 * Math.sqrt(squares)) / (n + 3);
        const score = (promoters - detractors) / n;
        const [low, high] = netPromoterInterval(promoters, detractors, n);
        expect(low).toBeCloseTo(Math.max(-1, Math.min(score, mean - half)), 5);
        expect(high).toBeCloseTo(Math.min(1, Math.max(score, mean + half)), 5);
      }),
    );
  });

  it('stays in its bounds, contains the score, and has a width where all agree', () => {
    expect(netPromoterInterval(0, 0, 0)).toEqual([-1, 1]);
    const [low, high] = netPromoterInterval(10, 0, 10);
    expect(low).toBeLessThan(0.8);
    expect(high).toBe(1);
    expect(netPromoterInterval(0, 10, 10)).toEqual([-high, -low]);
  });

  it.each([
    [0.5, 0.2, 20],
    [0.7, 0.05, 20],
    [0.3, 0.3, 100],
    [0.9, 0.02, 50],
  ])('contains the score of promoters %d, detractors %d in 95 %% of samples of %d', (p, d, n) => {
    const stream = streamsOf(7).next().value;
    const random = () => (stream.next() >>> 0) / DRAWS;
    const runs = 2_000;
    let contained = 0;
    for (let run = 0; run < runs; run++) {
      const draws = Array.from({ length: n }, () => random());
      const promoters = draws.filter((each) => each < p).length;
      const detractors = draws.filter((each) => each > 1 - d).length;
      const [low, high] = netPromoterInterval(promoters, detractors, n);
      contained += Number(low <= p - d && p - d <= high);
    }
    expect(contained / runs).toBeGreaterThan(0.93);
    expect(contained / runs).toBeLessThan(0.99);
  });
});
