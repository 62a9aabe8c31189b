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
