import { outcomeLimits, Shares } from './attention.rules';
import { Draws, streamsOf } from '../../platform/statistics/random.rules';
import { PORTION, RUN, summaryOfRuns, Task } from './runs.rules';

const SHARES: Shares = [0.05, 0.15, 0.3, 0.3, 0.2];

const TASK: Omit<Task, 'streams' | 'runs' | 'respondents'> = {
  terms: { rewards: [300, 4_000, 6_000, 8_000, 10_000], places: Infinity, money: Infinity },
  start: { minorUnits: 100, answered: 0, spent: 0, budget: null },
  limits: outcomeLimits(0.8, SHARES),
  concurrent: 20,
  crowd: null,
};

/** Counts the work of a forecast between two turns of other requests. */
async function workOf(size: Pick<Task, 'runs' | 'respondents'>, terms = TASK.terms) {
  let [draws, runs] = [0, 0];
  function* counted(): Generator<Draws, never> {
    const streams = streamsOf(1);
    for (;;) {
      const stream = streams.next().value;
      runs += 1;
      yield {
        ...stream,
        next: () => {
          draws += 1;
          return stream.next();
        },
      };
    }
  }
  const portions: { draws: number; runs: number }[] = [];
  await summaryOfRuns({ ...TASK, ...size, terms, streams: counted() }, () => {
    portions.push({ draws, runs });
    [draws, runs] = [0, 0];
    return Promise.resolve();
  });
  expect({ draws, runs }).toEqual({ draws: 0, runs: 0 });
  return portions;
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

describe('the work of a forecast', () => {
  it.each([
    { runs: 100, respondents: 200_000 },
    { runs: 200, respondents: 20_000 },
    { runs: 1_000, respondents: 2_000 },
    { runs: 10_000, respondents: 1 },
  ])('is done in portions, with a turn of other requests after each: %o', async (size) => {
    const portions = await workOf(size);
    expect(sum(portions.map(({ runs }) => runs))).toBe(size.runs);
    expect(sum(portions.map(({ draws }) => draws))).toBe(size.runs * size.respondents);
    for (const { draws, runs } of portions) {
      expect(draws + RUN * runs).toBeLessThan(PORTION + size.respondents + RUN);
    }
  });

  it('draws nobody who cannot begin', async () => {
    const portions = await workOf(
      { runs: 100, respondents: 200_000 },
      { ...TASK.terms, places: 10 },
    );
    // 12.5 begin on average until 10 have submitted.
    expect(sum(portions.map(({ draws }) => draws))).toBeLessThan(100 * 20);
  });

  it('ends with the error of a turn', async () => {
    const streams = streamsOf(1);
    const given = jest.spyOn(streams, 'next');
    const error = new Error('interrupted');
    const task = { ...TASK, runs: 10_000, respondents: 2_000, streams };
    await expect(summaryOfRuns(task, () => Promise.reject(error))).rejects.toBe(error);
    expect(given.mock.calls.length).toBeLessThanOrEqual(Math.ceil(PORTION / (RUN + 2_000)));
  });
});
