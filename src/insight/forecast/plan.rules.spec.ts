import { countOutcomes, drawOutcome, outcomeLimits, Shares } from './attention.rules';
import { runCampaign, Terms } from './model.rules';
import { sizeOf } from './plan.rules';
import { streamsOf } from '../../platform/statistics/random.rules';

const REWARDS = [300, 4_000, 6_000, 8_000, 10_000];
const SHARES: Shares = [0.05, 0.15, 0.3, 0.3, 0.2];
const UNLIMITED: Terms = { rewards: REWARDS, places: Infinity, money: Infinity };

const size = (asked: object, terms: Partial<Terms>, shares = SHARES, completionRate = 0.8) =>
  sizeOf(asked, { ...UNLIMITED, ...terms }, { shares, completionRate });

const error = (code: string) => expect.objectContaining({ code }) as Error;

describe('the size of a forecast', () => {
  it('has enough respondents for a limit to end every run', () => {
    const cases: [Partial<Terms>, Shares, number][] = [
      [{ places: 1 }, SHARES, 0.01],
      [{ places: 1 }, SHARES, 1],
      [{ places: 1_000 }, SHARES, 0.8],
      [{ money: 10_000 }, SHARES, 0.8],
      [{ money: 10_000 }, [1, 0, 0, 0, 0], 0.5],
      [{ money: 1_000_000 }, [0.999, 0, 0, 0, 0.001], 0.3],
      [{ places: 50, money: 100_000 }, SHARES, 0.8],
    ];
    for (const [limits, shares, completionRate] of cases) {
      const terms = { ...UNLIMITED, ...limits };
      const { respondents: number } = sizeOf({ runs: 100 }, terms, { shares, completionRate });
      const outcomes = outcomeLimits(completionRate, shares);
      const streams = streamsOf(1);
      for (let run = 0; run < 100; run += 1) {
        const draws = streams.next().value;
        const respondents = {
          number,
          next: drawOutcome.bind(null, draws, outcomes),
          count: countOutcomes.bind(null, draws, outcomes),
        };
        expect(runCampaign(terms, respondents, 20).endedBy).not.toBe('respondents');
      }
    }
  });

  it('is 2,000 runs, or as many as are affordable', () => {
    expect(size({}, { places: 1_000 }).runs).toBe(2_000);
    expect(size({ respondents: 10_000 }, {})).toEqual({ runs: 2_000, respondents: 10_000 });
    expect(size({ respondents: 10_001 }, {}).runs).toBe(1_999);
    expect(size({ respondents: 200_000 }, {}).runs).toBe(100);
    const { runs, respondents } = size({}, { places: 50_000 });
    expect(runs).toBe(Math.floor(20_000_000 / respondents));
  });

  it('is refused if the request asks for more than 20 million respondents', () => {
    expect(size({ runs: 10_000, respondents: 2_000 }, {}).runs).toBe(10_000);
    expect(() => size({ runs: 10_000, respondents: 2_001 }, {})).toThrow(
      error('validation_failed'),
    );
  });

  it('is refused without a limit that ends the campaign soon enough', () => {
    expect(() => size({}, {})).toThrow(error('respondents_required'));
    expect(() => size({}, { places: 200_000 })).toThrow(error('respondents_required'));
    expect(() => size({ runs: 10_000 }, { places: 5_000 })).toThrow(error('respondents_required'));
    // A reward of 0 spends no budget.
    const unpaid: Shares = [0, 1, 0, 0, 0];
    const rewards = [300, 0, 6_000, 8_000, 10_000];
    expect(() => size({}, { rewards, money: 50_000 }, unpaid)).toThrow(
      error('respondents_required'),
    );
  });

  it('advises fewer runs only where a request with the advised number is accepted', () => {
    expect(() => size({ runs: 10_000 }, {})).toThrow(/limit that ends it\. Send respondents\.$/);
    expect(() => size({ runs: 10_000 }, { places: 200_000 })).toThrow(
      /for 100 runs\. Send respondents\.$/,
    );
    const terms = { places: 5_000 };
    expect(() => size({ runs: 10_000 }, terms)).toThrow(/or at most 2778 runs\.$/);
    expect(size({ runs: 2_778 }, terms).runs).toBe(2_778);
  });
});
