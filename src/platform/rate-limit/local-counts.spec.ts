import { LocalCounts } from './local-counts';
import type { Policy } from './policies';

const ADDRESS: Policy = { name: 'address', quota: 5, window: 60 };
const KEY: Policy = { name: 'key', quota: 5, window: 60 };

describe('counts in this process', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('are separate for each policy and client', () => {
    const counts = new LocalCounts();
    const used = [
      counts.count(ADDRESS, 'a'),
      counts.count(ADDRESS, 'a'),
      counts.count(ADDRESS, 'b'),
      counts.count(KEY, 'a'),
    ].map((each) => each.used);
    expect(used).toEqual([1, 2, 1, 1]);
  });

  it('start again when their window is over', () => {
    let now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const counts = new LocalCounts();
    expect(counts.count(ADDRESS, 'a')).toEqual({ used: 1, resetIn: 60_000 });
    now += 59_999;
    expect(counts.count(ADDRESS, 'a')).toEqual({ used: 2, resetIn: 1 });
    now += 1;
    expect(counts.count(ADDRESS, 'a')).toEqual({ used: 1, resetIn: 60_000 });
  });
});
