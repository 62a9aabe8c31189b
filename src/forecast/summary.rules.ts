import type { Shares } from './attention.rules';
import type { Ending, Run, Terms } from './model.rules';

/** What a value is over all runs. */
export interface Distribution {
  mean: number;
  p5: number;
  p50: number;
  p95: number;
}

/** One step of a histogram: how many runs have a value from `from` to below `to`. */
export interface HistogramStep {
  from: number;
  to: number;
  runs: number;
}

/** What all runs together say. Amounts are in units of the currency. */
export interface Summary {
  cost: Distribution;
  responses: Distribution;
  /** `null` if no run has a response. */
  costPerResponse: Distribution | null;
  begun: Distribution;
  heldInVain: Distribution;
  /** `null` without a budget. */
  stranded: Distribution | null;
  /** The part of the responses in each of the five cohorts; `null` if no run has a response. */
  shares: Shares | null;
  /** The part of the runs that each limit ends. */
  endedBy: Readonly<Record<Ending, number>>;
  costHistogram: HistogramStep[];
}

/** Where a campaign stands when it is forecast; amounts are in cents. */
export interface Start {
  answered: number;
  spent: bigint;
  budget: bigint | null;
}

export const HISTOGRAM_STEPS = 20;

const PERCENT = 100;

const COHORTS = [1, 2, 3, 4, 5];

/** Collects the runs of a forecast. Sums are whole numbers of cents, so they are exact. */
export class RunSummary {
  private readonly costs: bigint[] = [];
  private readonly responses: bigint[] = [];
  private readonly costsPerResponse: bigint[] = [];
  private readonly begun: bigint[] = [];
  private readonly heldInVain: bigint[] = [];
  private readonly rewards: readonly bigint[];
  private readonly largest: bigint;
  private readonly inCohorts = new Float64Array(COHORTS.length);
  private readonly endings = { max_responses: 0, budget: 0, respondents: 0 };

  constructor(
    private readonly start: Start,
    { rewards }: Pick<Terms, 'rewards'>,
  ) {
    this.rewards = rewards.map(BigInt);
    this.largest = BigInt(Math.max(...rewards));
  }

  add({ begun, outcomes, endedBy }: Run): void {
    let paid = 0n;
    let responses = BigInt(this.start.answered);
    for (const [index, reward] of this.rewards.entries()) {
      const inCohort = outcomes[index + 1] ?? 0;
      this.inCohorts[index] = (this.inCohorts[index] ?? 0) + inCohort;
      responses += BigInt(inCohort);
      paid += BigInt(inCohort) * reward;
    }
    const cost = this.start.spent + paid;
    this.costs.push(cost);
    this.responses.push(responses);
    if (responses > 0n) {
      this.costsPerResponse.push(divide(cost, responses));
    }
    this.begun.push(BigInt(begun));
    this.heldInVain.push(BigInt(begun) * this.largest - paid);
    this.endings[endedBy] += 1;
  }

  summarize(): Summary {
    const { budget } = this.start;
    const { length } = this.costs;
    const { max_responses, budget: byBudget, respondents } = this.endings;
    return {
      cost: amounts(this.costs),
      responses: counts(this.responses),
      costPerResponse: this.costsPerResponse.length === 0 ? null : amounts(this.costsPerResponse),
      begun: counts(this.begun),
      heldInVain: amounts(this.heldInVain),
      stranded: budget === null ? null : amounts(this.costs.map((cost) => budget - cost)),
      shares: this.shares(),
      endedBy: {
        max_responses: max_responses / length,
        budget: byBudget / length,
        respondents: respondents / length,
      },
      costHistogram: histogramOf(this.costs),
    };
  }

  private shares(): Shares | null {
    const submitted = this.inCohorts.reduce((sum, each) => sum + each);
    const [one = 0, two = 0, three = 0, four = 0, five = 0] = this.inCohorts.map(
      (each) => each / submitted,
    );
    return submitted === 0 ? null : [one, two, three, four, five];
  }
}

/** Divides whole numbers that are not negative, rounding half up. */
function divide(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}

const toUnits = (cents: bigint) => Number(cents) / PERCENT;

/** The distribution of amounts in cents, in units of the currency. */
function amounts(cents: readonly bigint[]): Distribution {
  return { mean: toUnits(meanOf(cents)), ...percentilesOf(cents, toUnits) };
}

function counts(numbers: readonly bigint[]): Distribution {
  const hundredths = numbers.map((each) => each * BigInt(PERCENT));
  return { mean: toUnits(meanOf(hundredths)), ...percentilesOf(numbers, Number) };
}

function meanOf(values: readonly bigint[]): bigint {
  return divide(
    values.reduce((sum, value) => sum + value, 0n),
    BigInt(values.length),
  );
}

/**
 * A percentile is a value that occurred: the least one that at least so many percent of the runs do
 * not exceed (definition 1 of Hyndman and Fan).
 */
function percentilesOf(
  values: readonly bigint[],
  convert: (value: bigint) => number,
): Omit<Distribution, 'mean'> {
  // A typed array sorts numbers without calling a function for each comparison.
  const sorted = BigInt64Array.from(values).sort();
  const percentile = (percent: number) =>
    convert(sorted[Math.ceil((percent * sorted.length) / PERCENT) - 1] ?? 0n);
  return { p5: percentile(5), p50: percentile(50), p95: percentile(95) };
}

/** Steps of equal width, of whole cents, from the least amount on. */
function histogramOf(cents: readonly bigint[]): HistogramStep[] {
  const sorted = BigInt64Array.from(cents).sort();
  const least = sorted.at(0) ?? 0n;
  const width = ((sorted.at(-1) ?? 0n) - least) / BigInt(HISTOGRAM_STEPS) + 1n;
  const steps = Array.from({ length: HISTOGRAM_STEPS }, (_, index) => ({
    from: toUnits(least + BigInt(index) * width),
    to: toUnits(least + BigInt(index + 1) * width),
    runs: 0,
  }));
  for (const each of cents) {
    const step = steps[Number((each - least) / width)];
    if (step !== undefined) {
      step.runs += 1;
    }
  }
  return steps;
}
