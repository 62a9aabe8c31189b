import { QUALITY_SIGNALS } from '../questions/quality-signals.types';
import type { Interval } from '../../platform/statistics/interval.rules';
import { sumOf } from '../../platform/statistics/linear-algebra.rules';
import { meanWithInterval } from '../../platform/statistics/mean.rules';
import { wilson } from '../../platform/statistics/share.rules';
import { compares, Condition, isBelow, MetricName } from './condition.rules';
import type { Addend, LatestSums } from './latest-sums.rules';
import { isFlagged, isMeasured, Kept, WatchState } from './watch-state.rules';

/** What a metric is at some event. */
export interface Measured {
  value: number;
  /** How many responses it was computed from. */
  responses: number;
  /** With the condition's confidence; `null` without one. */
  interval: Interval | null;
}

/** Whether a field must be there; one that a metric does not name must not. */
type Presence = 'required' | 'optional';

/** The values that a condition can compare a metric with. */
interface Values {
  maximum: number;
  places: number;
  example: number;
}

/** What one metric is. The service and its OpenAPI document read this table only. */
export interface Metric {
  values: Values;
  last?: Presence;
  cohorts?: Presence;
  signal?: Presence;
  confidence?: Presence;
  /** `minimum_responses` of a condition without one, if it is not `MINIMUM_RESPONSES`. */
  minimumResponses?: number;
  /** What its window keeps of each response. */
  keeps?: Kept;
  /** What it adds up of the latest responses, for a condition with `last`. */
  adds?: (condition: Condition) => Addend[];
  /** Whether its interval needs the sum of the squares too. */
  squares?: true;
  measures: Measures<Measured>;
  /** How many of the responses that it looks at count, if not all do. */
  counted?: Measures<number>;
  /** A faster way to decide whether the condition holds than to measure. */
  holds?: Measures<boolean>;
}

/** Something of a condition at some event; `latest` is there if the condition has `last`. */
type Measures<T> = (state: WatchState, condition: Condition, latest?: LatestSums) => T;

const HOUR = 3_600_000;
const HIGHEST_SCORE = 10;
const SHARE: Values = { maximum: 1, places: 6, example: 0.3 };
const MONEY: Values = { maximum: 1_000_000_000, places: 2, example: 60 };

/** Returns the amounts of money in conditions, by their fields in a request. */
export function amountsIn(
  conditions: readonly Pick<Condition, 'metric' | 'value'>[],
  parent = '',
): Record<string, number> {
  return Object.fromEntries(
    [...conditions.entries()]
      .filter(([, { metric }]) => METRICS[metric].values === MONEY)
      .map(([index, { value }]) => [`${parent}when.all[${index}].value`, value]),
  );
}

/** The closed table of metrics; docs/guardrails.md has the formulas. */
export const METRICS: Readonly<Record<MetricName, Metric>> = {
  cohort_share: {
    values: SHARE,
    last: 'optional',
    cohorts: 'required',
    confidence: 'optional',
    keeps: 'cohort',
    adds: ({ cohorts = [] }) => [(cohort) => Number(cohorts.includes(cohort))],
    measures: (state, { cohorts = [], confidence }, latest) => {
      if (latest !== undefined) {
        return share(latest.sums[0] ?? 0, latest.count, confidence);
      }
      const part = sumOf(cohorts.map((cohort) => state.cohorts[cohort - 1] ?? 0));
      return share(part, sumOf(state.cohorts), confidence);
    },
  },
  mean_attention: {
    values: { maximum: HIGHEST_SCORE, places: 2, example: 4 },
    last: 'required',
    confidence: 'optional',
    keeps: 'score',
    adds: () => [(hundredths) => hundredths],
    squares: true,
    measures: (_, condition, latest) => meanOfHundredths(condition, latest, [0, HIGHEST_SCORE]),
  },
  cost_per_response: {
    values: MONEY,
    last: 'required',
    confidence: 'optional',
    keeps: 'reward',
    adds: () => [(hundredths) => hundredths],
    squares: true,
    measures: (_, condition, latest) => meanOfHundredths(condition, latest),
  },
  responses_per_hour: {
    values: { maximum: 10_000_000, places: 0, example: 500 },
    measures: (state) => ({
      value: state.minutes.reduce((sum, [, responses]) => sum + responses, 0),
      responses: state.responses,
      interval: null,
    }),
    // Before the first hour after a start is over, few responses do not mean a slow hour.
    holds: (state, condition) =>
      !(isBelow(condition.op) && state.latestAt - (state.firstAt ?? state.latestAt) < HOUR) &&
      compares(METRICS.responses_per_hour.measures(state, condition).value, condition),
  },
  spent: {
    values: MONEY,
    // A sum is no estimate, so it needs no minimum.
    minimumResponses: 1,
    measures: (state) => ({
      value: state.spent / 100,
      responses: state.responses,
      interval: null,
    }),
  },
  reversed_share: {
    values: SHARE,
    confidence: 'optional',
    measures: ({ reversed, responses }, { confidence }) => share(reversed, responses, confidence),
  },
  median_answer_seconds: {
    values: { maximum: 86_400, places: 3, example: 5 },
    last: 'required',
    keeps: 'milliseconds',
    // Whether a time is on the side of the value where the median is if half of the times are.
    adds: ({ op, value }) => {
      const bound = Math.round(value * 1_000);
      const includesEqual = op === 'gt' || op === 'lte';
      return [(time) => Number(includesEqual ? time <= bound : time < bound)];
    },
    measures: (state, { last }) => {
      const times = (state.window.milliseconds ?? []).slice(-(last ?? 0)).sort((a, b) => a - b);
      const median = times[Math.ceil(times.length / 2) - 1] ?? 0;
      return { value: median / 1_000, responses: times.length, interval: null };
    },
    // Sorting takes long, and every response asks.
    holds: (_, { op }, latest) =>
      isBelow(op) === 2 * (latest?.sums[0] ?? 0) >= (latest?.count ?? 0),
  },
  flagged_share: {
    values: SHARE,
    last: 'optional',
    signal: 'required',
    confidence: 'optional',
    keeps: 'quality',
    adds: ({ signal }) => {
      const place = placeOf(signal);
      return [(quality) => isFlagged(quality, place), (quality) => isMeasured(quality, place)];
    },
    measures: (state, condition, latest) => {
      const [flagged, measured] = countSignal(state, condition, latest);
      return share(flagged, measured, condition.confidence);
    },
    counted: (state, condition, latest) => countSignal(state, condition, latest)[1],
  },
};

const placeOf = (signal: Condition['signal']) =>
  QUALITY_SIGNALS.findIndex((each) => each === signal);

/** How many of the responses a signal flags, and how many of them have it. */
function countSignal(
  state: WatchState,
  { signal }: Condition,
  latest?: LatestSums,
): [flagged: number, measured: number] {
  const place = placeOf(signal);
  return latest === undefined
    ? [state.flagged[place] ?? 0, state.measured[place] ?? 0]
    : [latest.sums[0] ?? 0, latest.sums[1] ?? 0];
}

function share(part: number, all: number, confidence?: number): Measured {
  return {
    value: all === 0 ? 0 : part / all,
    responses: all,
    interval: confidence ? wilson(part, all, confidence) : null,
  };
}

/** The mean of amounts that are kept in hundredths, so that they add up exactly. */
function meanOfHundredths(
  { confidence }: Condition,
  latest?: LatestSums,
  scale?: Interval,
): Measured {
  const { count: n = 0, sums: [total = 0] = [], squares = 0n } = latest ?? {};
  const value = n === 0 ? 0 : total / n / 100;
  if (!confidence || n === 0) {
    return { value, responses: n, interval: null };
  }
  // Whole numbers of any size, because squares of large amounts would lose their last digits.
  const squaredDeviations = Number(BigInt(n) * squares - BigInt(total) ** 2n) / n / 10_000;
  const { interval } = meanWithInterval(
    { n, sum: total / 100, squaredDeviations },
    { responses: n, size: n, scale, confidence },
  );
  return { value, responses: n, interval };
}
