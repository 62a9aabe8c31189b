import type { Shares } from './attention.rules';
import type { ForecastAmountsDto, HistogramStepDto } from './forecast-figures.dto';
import { Ending, paidFor, Run, Terms } from './model.rules';

/** What all runs together say. Amounts are in units of the currency. */
export interface Summary {
  cost: ForecastAmountsDto;
  responses: ForecastAmountsDto;
  /** `null` if no run has a response. */
  costPerResponse: ForecastAmountsDto | null;
  begun: ForecastAmountsDto;
  heldInVain: ForecastAmountsDto;
  /** `null` without a budget. */
  stranded: ForecastAmountsDto | null;
  /** The part of the responses in each of the five cohorts; `null` if no run has a response. */
  shares: Shares | null;
  /** The part of the runs that each limit ends. */
  endedBy: Readonly<Record<Ending, number>>;
  /** Over the runs that end because enough is known; `null` if none does. */
  knownEnough: { responses: ForecastAmountsDto; cost: ForecastAmountsDto } | null;
  costHistogram: HistogramStepDto[];
}

/** Where a campaign stands when it is forecast; amounts are in minor units of its currency. */
export interface Start {
  /** How many minor units a unit of the currency has. */
  minorUnits: number;
  answered: number;
  spent: number;
  budget: number | null;
}

export const HISTOGRAM_STEPS = 20;

const PERCENT = 100;

const COHORTS = [1, 2, 3, 4, 5] as const;

/** Collects the runs of a forecast. Amounts are whole minor units below 2^53: exact. */
export class RunSummary {
  private added = 0;
  private readonly costs: Float64Array;
  private readonly responses: Float64Array;
  private readonly begun: Float64Array;
  private readonly heldInVain: Float64Array;
  private readonly inCohorts = new Float64Array(COHORTS.length);
  private readonly endings = {
    known_enough: 0,
    max_responses: 0,
    budget: 0,
    quotas: 0,
    respondents: 0,
  };
  /** The places of the runs that end because enough is known. */
  private readonly known: number[] = [];
  private readonly largest: number;

  /** @param runs how many there will be */
  constructor(
    private readonly start: Start,
    private readonly terms: Pick<Terms, 'rewards'>,
    runs: number,
  ) {
    this.costs = new Float64Array(runs);
    this.responses = new Float64Array(runs);
    this.begun = new Float64Array(runs);
    this.heldInVain = new Float64Array(runs);
    this.largest = Math.max(...terms.rewards);
  }

  add({ begun, outcomes, screenOutCost = 0, endedBy }: Run): void {
    const run = this.added;
    this.added += 1;
    const paid = paidFor(outcomes, this.terms.rewards);
    let submitted = 0;
    for (const cohort of COHORTS) {
      submitted += outcomes[cohort];
      this.inCohorts[cohort - 1] = (this.inCohorts[cohort - 1] ?? 0) + outcomes[cohort];
    }
    this.costs[run] = this.start.spent + paid + screenOutCost;
    this.responses[run] = this.start.answered + submitted;
    this.begun[run] = begun;
    this.heldInVain[run] = begun * this.largest - paid;
    this.endings[endedBy] += 1;
    if (endedBy === 'known_enough') {
      this.known.push(run);
    }
  }

  summarize(): Summary {
    const { budget } = this.start;
    const { known_enough, max_responses, budget: byBudget, quotas, respondents } = this.endings;
    const costs = this.costs.toSorted();
    return {
      cost: this.amounts(costs),
      responses: counts(this.responses.toSorted()),
      costPerResponse: this.costPerResponse(),
      begun: counts(this.begun.toSorted()),
      heldInVain: this.amounts(this.heldInVain.toSorted()),
      stranded: budget === null ? null : this.amounts(costs.map((cost) => budget - cost).reverse()),
      shares: this.shares(),
      endedBy: {
        known_enough: known_enough / this.added,
        max_responses: max_responses / this.added,
        budget: byBudget / this.added,
        quotas: quotas / this.added,
        respondents: respondents / this.added,
      },
      knownEnough: this.knownEnough(),
      costHistogram: this.histogramOf(costs),
    };
  }

  /** What it takes until enough is known, in the runs in which it is. */
  private knownEnough(): Summary['knownEnough'] {
    const of = (values: Float64Array) => Float64Array.from(this.known, (run) => values[run] ?? 0);
    return this.known.length === 0
      ? null
      : {
          responses: counts(of(this.responses).sort()),
          cost: this.amounts(of(this.costs).sort()),
        };
  }

  private costPerResponse(): ForecastAmountsDto | null {
    const each = this.costs
      .map((cost, run) => divide(cost, this.responses[run] ?? 0))
      .filter((_, run) => (this.responses[run] ?? 0) > 0);
    return each.length === 0 ? null : this.amounts(each.sort());
  }

  private shares(): Shares | null {
    const submitted = this.inCohorts.reduce((sum, each) => sum + each);
    const [one = 0, two = 0, three = 0, four = 0, five = 0] = this.inCohorts.map(
      (each) => each / submitted,
    );
    return submitted === 0 ? null : [one, two, three, four, five];
  }

  private toUnits(amount: number): number {
    return amount / this.start.minorUnits;
  }

  /** The distribution of sorted amounts, in units of the currency. */
  private amounts(sorted: Float64Array): ForecastAmountsDto {
    const toUnits = (amount: number) => this.toUnits(amount);
    return { mean: toUnits(meanOf(sorted, 1)), ...percentilesOf(sorted, toUnits) };
  }

  /** Steps of equal width, of whole minor units, from the least of the sorted amounts on. */
  private histogramOf(sorted: Float64Array): HistogramStepDto[] {
    const least = sorted.at(0) ?? 0;
    const stepOf = (above: number, width: number) => (above - (above % width)) / width;
    const width = stepOf((sorted.at(-1) ?? 0) - least, HISTOGRAM_STEPS) + 1;
    const runs = new Uint32Array(HISTOGRAM_STEPS);
    for (const each of sorted) {
      const step = stepOf(each - least, width);
      runs[step] = (runs[step] ?? 0) + 1;
    }
    return Array.from(runs, (count, index) => ({
      from: this.toUnits(least + index * width),
      to: this.toUnits(least + (index + 1) * width),
      runs: count,
    }));
  }
}

/** Divides whole numbers that are not negative, rounding half up. */
function divide(dividend: number, divisor: number): number {
  const rest = dividend % divisor;
  return (dividend - rest) / divisor + (2 * rest >= divisor ? 1 : 0);
}

/** The distribution of numbers, which are sorted. */
export function counts(numbers: Float64Array): ForecastAmountsDto {
  return { mean: meanOf(numbers, PERCENT) / PERCENT, ...percentilesOf(numbers, Number) };
}

/** Returns the mean of whole numbers, times `factor`, rounded half up. */
function meanOf(values: Float64Array, factor: number): number {
  let sum = 0n;
  let part = 0;
  for (const value of values) {
    if (part + value > Number.MAX_SAFE_INTEGER) {
      sum += BigInt(part);
      part = 0;
    }
    part += value;
  }
  const dividend = (sum + BigInt(part)) * BigInt(factor);
  const divisor = BigInt(values.length);
  return Number((2n * dividend + divisor) / (2n * divisor));
}

/**
 * A percentile is a value that occurred: the least one that at least so many percent of the runs do
 * not exceed (definition 1 of Hyndman and Fan).
 */
export function percentilesOf(
  sorted: Float64Array,
  convert: (value: number) => number,
): Omit<ForecastAmountsDto, 'mean'> {
  const percentile = (percent: number) =>
    convert(sorted[Math.ceil((percent * sorted.length) / PERCENT) - 1] ?? 0);
  return { p5: percentile(5), p50: percentile(50), p95: percentile(95) };
}
