import type { OutcomeCounts } from './attention.rules';
import type { Run } from './model.rules';
import { RunSummary, Start } from './summary.rules';

const REWARDS = [300, 4_000, 6_000, 8_000, 10_000];
const NEW: Start = { minorUnits: 100, answered: 0, spent: 0, budget: null };

/** A run in which so many submit in cohort 1. */
const run = (count: number, fields: Partial<Run> = {}): Run => ({
  begun: count,
  outcomes: [0, count, 0, 0, 0, 0],
  endedBy: 'respondents',
  ...fields,
});

function summaryOf(runs: readonly Run[], start = NEW, rewards = REWARDS) {
  const summary = new RunSummary(start, { rewards }, runs.length);
  runs.forEach((each) => {
    summary.add(each);
  });
  return summary.summarize();
}

const counting = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('the summary of runs', () => {
  it('has percentiles by nearest rank, and the exact mean', () => {
    const { responses, cost } = summaryOf(counting(1, 100).map((count) => run(count)));
    expect(responses).toEqual({ mean: 50.5, p5: 5, p50: 50, p95: 95 });
    expect(cost).toEqual({ mean: 151.5, p5: 15, p50: 150, p95: 285 });
    // Of 101 runs, 5% are 5.05: the sixth is the first that so many do not exceed.
    expect(summaryOf(counting(1, 101).map((count) => run(count))).responses).toEqual({
      mean: 51,
      p5: 6,
      p50: 51,
      p95: 96,
    });
  });

  it('rounds means half up, to cents and to hundredths of a person', () => {
    const { cost, responses } = summaryOf([run(1), run(2)], NEW, [1, 0, 0, 0, 0]);
    expect(cost.mean).toBe(0.02);
    expect(responses.mean).toBe(1.5);
  });

  it('is exact for the largest amounts, whose sum is no safe integer', () => {
    // 70,000 respondents with the largest reward of all.
    const rewards = [300, 0, 0, 99_999_999_999, 100_000_000_000];
    const largest = run(70_000, { outcomes: [0, 0, 0, 0, 0, 70_000] });
    const almost = run(70_000, { outcomes: [0, 0, 0, 0, 1, 69_999] });
    const runs = [almost, ...Array<Run>(9_999).fill(largest)];
    const { cost, costPerResponse, heldInVain, costHistogram } = summaryOf(runs, NEW, rewards);
    expect(cost).toMatchObject({ mean: 70_000_000_000_000, p50: 70_000_000_000_000 });
    expect(costPerResponse).toMatchObject({ mean: 1_000_000_000, p5: 1_000_000_000 });
    expect(heldInVain).toEqual({ mean: 0, p5: 0, p50: 0, p95: 0 });
    expect(costHistogram.map((step) => step.runs).filter(Boolean)).toEqual([1, 9_999]);
    expect(summaryOf([almost, almost, largest], NEW, rewards).cost.mean).toBe(
      69_999_999_999_999.99,
    );
  });

  it('says what is held in vain and what is left of the budget', () => {
    // Four begin and have 100 held each. Two are paid 60 and 80; two do not submit.
    const outcomes: OutcomeCounts = [2, 0, 0, 1, 1, 0];
    const start = { minorUnits: 100, answered: 3, spent: 5_000, budget: 40_000 };
    expect(summaryOf([run(4, { outcomes, endedBy: 'budget' })], start)).toMatchObject({
      cost: { mean: 190 },
      responses: { mean: 5 },
      costPerResponse: { mean: 38 },
      begun: { mean: 4 },
      heldInVain: { mean: 260 },
      stranded: { mean: 210 },
      shares: [0, 0, 0.5, 0.5, 0],
      endedBy: { max_responses: 0, budget: 1, respondents: 0 },
    });
  });

  it('has no cost per response and no shares without a response', () => {
    const none = run(3, { outcomes: [3, 0, 0, 0, 0, 0] });
    expect(summaryOf([none, none])).toMatchObject({
      costPerResponse: null,
      shares: null,
      stranded: null,
    });
    expect(summaryOf([none, run(2)]).costPerResponse).toEqual({ mean: 3, p5: 3, p50: 3, p95: 3 });
  });

  it('puts every run into one of 20 steps of whole cents', () => {
    for (const counts of [[5], counting(0, 19), counting(0, 20), counting(7, 1_000)]) {
      const { costHistogram } = summaryOf(
        counts.map((count) => run(count)),
        NEW,
        [1, 0, 0, 0, 0],
      );
      expect(costHistogram).toHaveLength(20);
      expect(costHistogram[0]!.from).toBe(counts[0]! / 100);
      expect(costHistogram.at(-1)!.to).toBeGreaterThan(counts.at(-1)! / 100);
      expect(costHistogram.reduce((sum, { runs }) => sum + runs, 0)).toBe(counts.length);
      costHistogram.forEach(({ from, to, runs }, index) => {
        expect(from).toBe(costHistogram[index - 1]?.to ?? from);
        const within = counts.filter((count) => count / 100 >= from && count / 100 < to);
        expect(runs).toBe(within.length);
      });
    }
  });
});
