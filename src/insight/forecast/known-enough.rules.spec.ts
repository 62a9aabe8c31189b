import { emptySpread, MeanSequence } from '../../platform/statistics/mean-sequence.rules';
import { drawBelow, streamsOf } from '../../platform/statistics/random.rules';
import { likelihoodsOfMean, likelihoodsOfShare, sampleKnownAfter } from './known-enough.rules';

const turn = () => Promise.resolve();
const drawsOf = (seed: number) => streamsOf(seed).next().value;
const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);
const at = (values: readonly number[], part: number) => sorted(values)[part * values.length]!;

describe('the responses until enough is known', () => {
  it.each([
    ['a share', 'share', likelihoodsOfShare(0.3), 0.2],
    ['a mean', 'scale', likelihoodsOfMean({ mean: 0.7, spread: 0.2 }), 0.12],
  ] as const)('are those of campaigns that look after each response (%s)', async (...given) => {
    const [, of, likelihoods, width] = given;
    const sequence = new MeanSequence(width, 0.95, of);
    const wanted = { sequence, counted: emptySpread(), likelihoods };
    const samples = await sampleKnownAfter([wanted], 100_000, drawsOf(1), turn);
    const draws = drawsOf(2);
    const step = 60 / (likelihoods.length - 1);
    const each = Array.from({ length: 60 }, () => {
      const spread = emptySpread();
      let n = 0;
      for (; !sequence.isNarrow(spread); n++) {
        let left = drawBelow(draws, 1e6) / 1e6;
        const place = likelihoods.findIndex((likelihood) => (left -= likelihood) < 0);
        spread[step * Math.max(0, place)]! += 1;
      }
      return n;
    });
    for (const part of [0.25, 0.5, 0.75]) {
      expect(at(samples, part) / at(each, part)).toBeCloseTo(1, 1);
    }
  });

  it('are fewer for those that are counted already, and endless if the limit is too low', async () => {
    const sequence = new MeanSequence(0.2, 0.95, 'share');
    const likelihoods = likelihoodsOfShare(0.5);
    const sample = async (done: number, limit: number) => {
      const counted = emptySpread();
      counted[0] = counted[60] = done / 2;
      return at(
        await sampleKnownAfter([{ sequence, counted, likelihoods }], limit, drawsOf(1), turn),
        0.5,
      );
    };
    const whole = await sample(0, 10_000);
    expect(await sample(100, 10_000)).toBeCloseTo(whole - 100, -1);
    expect(await sample(0, whole - 30)).toBe(Infinity);
    expect(whole).toBeGreaterThan(200);
  });

  it('are drawn from a scale with the mean and the standard deviation that are expected', () => {
    const likelihoods = likelihoodsOfMean({ mean: 0.6, spread: 0.2 });
    const mean = likelihoods.reduce((sum, each, step) => sum + (each * step) / 20, 0);
    const variance = likelihoods.reduce(
      (sum, each, step) => sum + each * (step / 20 - mean) ** 2,
      0,
    );
    expect([mean, Math.sqrt(variance)]).toEqual([expect.closeTo(0.6, 3), expect.closeTo(0.2, 2)]);
  });
});
