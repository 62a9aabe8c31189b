import { QUALITY_SIGNALS } from '../quality/quality.rules';
import type { Interval } from '../statistics/interval.rules';
import { sumOf } from '../statistics/linear-algebra.rules';
import { meanWithInterval } from '../statistics/mean.rules';
import { wilson } from '../statistics/share.rules';
import { compares, Condition, isBelow, LAST_MAXIMUM, MetricName } from './condition.rules';
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
  measures: (state: WatchState, condition: Condition) => Measured;
  /** How many of the responses that it looks at count, if not all do. */
  counted?: (state: WatchState, condition: Condition) => number;
  /** A faster way to decide whether the condition holds than to measure. */
  holds?: (state: WatchState, condition: Condition) => boolean;
}

const HOUR = 3_600_000;
const SHARE: Values = { maximum: 1, places: 6, example: 0.3 };
const MONEY: Values = { maximum: 1_000_000_000, places: 2, example: 60 };

/** The closed table of metrics; docs/guardrails.md has the formulas. */
export const METRICS: Readonly<Record<MetricName, Metric>> = {
  cohort_share: {
    values: SHARE,
    last: 'optional',
    cohorts: 'required',
    confidence: 'optional',
    keeps: 'cohort',
    measures: (state, { cohorts = [], last, confidence }) => {
      if (last === undefined) {
        const part = sumOf(cohorts.map((cohort) => state.cohorts[cohort - 1] ?? 0));
        return share(part, sumOf(state.cohorts), confidence);
      }
      const isOne = (cohort: number) => Number(cohorts.includes(cohort));
      const part = sumLatest(state, 'cohort', last, isOne);
      return share(part, countLatest(state, 'cohort', last), confidence);
    },
  },
  mean_attention: {
    values: { maximum: 10, places: 2, example: 4 },
    last: 'required',
    confidence: 'optional',
    keeps: 'score',
    measures: (state, condition) => meanOfHundredths(state, 'score', condition),
  },
  cost_per_response: {
    values: MONEY,
    last: 'required',
    confidence: 'optional',
    keeps: 'reward',
    measures: (state, condition) => meanOfHundredths(state, 'reward', condition),
  },
  responses_per_hour: {
    values: { maximum: 10_000_000, places: 0, example: 500 },
    measures: (state) => ({
      value: sumOf(state.minutes.map(([, responses]) => responses)),
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
    measures: (state, { last = LAST_MAXIMUM }) => {
      const times = (state.window.milliseconds ?? []).slice(-last).sort((a, b) => a - b);
      const median = times[Math.ceil(times.length / 2) - 1] ?? 0;
      return { value: median / 1_000, responses: times.length, interval: null };
    },
    // Counting takes a twentieth of the time of sorting, and every response asks.
    holds: (state, { last = LAST_MAXIMUM, op, value }) => {
      const bound = Math.round(value * 1_000);
      const includesEqual = op === 'gt' || op === 'lte';
      const isBefore = (time: number) => Number(includesEqual ? time <= bound : time < bound);
      const below = sumLatest(state, 'milliseconds', last, isBefore);
      return isBelow(op) === 2 * below >= countLatest(state, 'milliseconds', last);
    },
  },
  flagged_share: {
    values: SHARE,
    last: 'optional',
    signal: 'required',
    confidence: 'optional',
    keeps: 'quality',
    measures: (state, { signal, last, confidence }) => {
      const [flagged, measured] = countSignal(state, signal, last);
      return share(flagged, measured, confidence);
    },
    counted: (state, { signal, last }) => countSignal(state, signal, last)[1],
  },
};

/** How many of the responses a signal flags, and how many of them have it. */
function countSignal(
  state: WatchState,
  signal: Condition['signal'],
  last?: number,
): [flagged: number, measured: number] {
  const place = QUALITY_SIGNALS.findIndex((each) => each === signal);
  if (last === undefined) {
    return [state.flagged[place] ?? 0, state.measured[place] ?? 0];
  }
  return [
    sumLatest(state, 'quality', last, (quality) => isFlagged(quality, place)),
    sumLatest(state, 'quality', last, (quality) => isMeasured(quality, place)),
  ];
}

/** How many values the window has of so many of the latest responses. */
function countLatest(state: WatchState, kept: Kept, last: number): number {
  return Math.min(last, state.window[kept]?.length ?? 0);
}

/** What a number of each of these values adds up to. Copies nothing: every response asks. */
function sumLatest(
  state: WatchState,
  kept: Kept,
  last: number,
  numberOf: (value: number) => number,
): number {
  const values = state.window[kept] ?? [];
  let total = 0;
  for (
    let place = values.length - countLatest(state, kept, last);
    place < values.length;
    place += 1
  ) {
    total += numberOf(values[place] ?? 0);
  }
  return total;
}

function share(part: number, all: number, confidence?: number): Measured {
  return {
    value: all === 0 ? 0 : part / all,
    responses: all,
    interval: confidence === undefined ? null : wilson(part, all, confidence),
  };
}

/** The mean of amounts that are kept in hundredths, so that they add up exactly. */
function meanOfHundredths(
  state: WatchState,
  kept: Kept,
  { last = LAST_MAXIMUM, confidence }: Condition,
): Measured {
  const n = countLatest(state, kept, last);
  const total = sumLatest(state, kept, last, (hundredths) => hundredths);
  const value = n === 0 ? 0 : total / n / 100;
  if (confidence === undefined) {
    return { value, responses: n, interval: null };
  }
  // Distances from the mean, because squares of large amounts would lose their last digits.
  const squaredDeviations = sumLatest(state, kept, last, (each) => (each / 100 - value) ** 2);
  const { interval } = meanWithInterval({ n, sum: 0, squaredDeviations }, n, confidence);
  return {
    value,
    responses: n,
    interval: interval && [value + interval[0], value + interval[1]],
  };
}
