import { LatestSums } from './latest-sums.rules';
import { emptyState, LogEntry, remember } from './watch-state.rules';

const NEEDS = {
  window: new Map([['reward' as const, 1_000]]),
  minutes: false,
  options: [],
  scales: [],
};

function respond(sums: LatestSums, state = emptyState(), rewards: number[] = []): void {
  for (const reward of rewards) {
    const response = { reward, reverses: null, cohort: 1 } as LogEntry;
    sums.add(state, response);
    remember(state, response, NEEDS, 0);
  }
}

describe('the sums of the latest responses', () => {
  it('add each response once and subtract it once, however many of them count', () => {
    const addend = jest.fn((value: number) => value);
    const state = emptyState();
    const sums = new LatestSums('reward', 1_000, [addend], false, state);
    const rewards = Array.from({ length: 5_000 }, (_, index) => index);
    respond(sums, state, rewards);
    expect(addend).toHaveBeenCalledTimes(5_000 + 4_000);
    expect([sums.count, sums.sums]).toEqual([1_000, [4_499_500]]);
  });

  it('are exact, also of the squares of the largest amounts', () => {
    const state = emptyState();
    const sums = new LatestSums('reward', 2, [(value) => value], true, state);
    respond(sums, state, [100_000_000_000, 99_999_999_999, 1, 2]);
    expect([sums.sums, sums.squares]).toEqual([[3], 5n]);
  });

  it('continue with what a window remembers', () => {
    const state = { ...emptyState(), window: { reward: [1, 10, 100] } };
    const sums = new LatestSums('reward', 2, [(value) => value], true, state);
    expect([sums.count, sums.sums, sums.squares]).toEqual([2, [110], 10_100n]);
    respond(sums, state, [1_000]);
    expect(sums.sums).toEqual([1_100]);
  });
});
