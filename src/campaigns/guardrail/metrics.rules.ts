import { sumOf } from '../../platform/statistics/linear-algebra.rules';
import { NUMBER_MAXIMUM } from '../questions/answer-value.rules';
import { answerName } from './answer-looks.rules';
import {
  compares,
  Condition,
  isBelow,
  MetricName,
  Operator,
  SEQUENCE_CONFIDENCE,
} from './condition.rules';
import { countOption, countSignal, latestAnswers, placeOf, spreadOf } from './counted.rules';
import type { Addend, LatestSums } from './latest-sums.rules';
import {
  isNarrow,
  meanOfAnswers,
  meanOfHundredths,
  Measured,
  share,
  widthOf,
} from './measured.rules';
import { isAnswered, isFlagged, isMeasured, isPicked, Kept, WatchState } from './watch-state.rules';

/** Whether a field must be there; one that a metric does not name must not. */
type Presence = 'required' | 'optional';

/** The values that a condition can compare a metric with. */
interface Values {
  minimum: number;
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
  question?: Presence;
  option?: Presence;
  row?: Presence;
  bounds?: Presence;
  quota?: Presence;
  confidence?: Presence;
  /** If not all of them can be used. */
  operators?: readonly Operator[];
  /** The `confidence` of a condition without one, if it is not `CONFIDENCE_DEFAULT`. */
  defaultConfidence?: number;
  /** The least `confidence`, if 0 is too little. */
  leastConfidence?: number;
  /** `minimum_responses` of a condition without one, if it is not `MINIMUM_RESPONSES`. */
  minimumResponses?: number;
  /** What its window keeps of each response. */
  keeps?: (condition: Condition) => Kept;
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
const SHARE: Values = { minimum: 0, maximum: 1, places: 6, example: 0.3 };
const MONEY: Values = { minimum: 0, maximum: 1_000_000_000, places: 2, example: 60 };

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
    quota: 'optional',
    last: 'optional',
    cohorts: 'required',
    confidence: 'optional',
    keeps: () => 'cohort',
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
    values: { minimum: 0, maximum: HIGHEST_SCORE, places: 2, example: 4 },
    quota: 'optional',
    last: 'required',
    confidence: 'optional',
    keeps: () => 'score',
    adds: () => [(hundredths) => hundredths],
    squares: true,
    measures: (_, condition, latest) => meanOfHundredths(condition, latest, [0, HIGHEST_SCORE]),
  },
  cost_per_response: {
    values: MONEY,
    quota: 'optional',
    last: 'required',
    confidence: 'optional',
    keeps: () => 'reward',
    adds: () => [(hundredths) => hundredths],
    squares: true,
    measures: (_, condition, latest) => meanOfHundredths(condition, latest),
  },
  responses_per_hour: {
    values: { minimum: 0, maximum: 10_000_000, places: 0, example: 500 },
    quota: 'optional',
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
    quota: 'optional',
    confidence: 'optional',
    measures: ({ reversed, responses }, { confidence }) => share(reversed, responses, confidence),
  },
  median_answer_seconds: {
    values: { minimum: 0, maximum: 86_400, places: 3, example: 5 },
    quota: 'optional',
    last: 'required',
    keeps: () => 'milliseconds',
    // Whether a time is on the side of the value where the median is if half of the times are.
    adds: ({ op, value }) => {
      const bound = Math.round(value * 1_000);
      const includesEqual = op === 'gt' || op === 'lte';
      return [(time) => Number(includesEqual ? time <= bound : time < bound)];
    },
    measures: (state, { last }) => {
      const times = (state.window.milliseconds ?? [])
        .slice(-(last ?? 0))
        .sort((a, b) => Number(a) - Number(b));
      const median = times[Math.ceil(times.length / 2) - 1] ?? 0;
      return { value: median / 1_000, responses: times.length, interval: null };
    },
    // Sorting takes long, and every response asks.
    holds: (_, { op }, latest) =>
      isBelow(op) === 2 * (latest?.sums[0] ?? 0) >= (latest?.count ?? 0),
  },
  flagged_share: {
    values: SHARE,
    quota: 'optional',
    last: 'optional',
    signal: 'required',
    confidence: 'optional',
    keeps: () => 'quality',
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
  option_share: {
    values: SHARE,
    quota: 'optional',
    last: 'optional',
    question: 'required',
    option: 'required',
    confidence: 'optional',
    keeps: answerName,
    adds: () => [isPicked, isAnswered],
    measures: (state, condition, latest) => {
      const [picked, answered] = countOption(state, condition, latest);
      return share(picked, answered, condition.confidence);
    },
    counted: (state, condition, latest) => countOption(state, condition, latest)[1],
  },
  mean_rating: {
    values: { minimum: -NUMBER_MAXIMUM, maximum: NUMBER_MAXIMUM, places: 6, example: 4 },
    quota: 'optional',
    last: 'required',
    question: 'required',
    row: 'optional',
    bounds: 'optional',
    confidence: 'optional',
    keeps: answerName,
    // From the window: answers need not be whole numbers, and sums of others are not exact.
    measures: (state, condition) => meanOfAnswers(latestAnswers(state, condition), condition),
    counted: (state, condition) => latestAnswers(state, condition).length,
  },
  interval_width: {
    values: { minimum: 0.000001, maximum: NUMBER_MAXIMUM, places: 6, example: 0.06 },
    quota: 'optional',
    question: 'required',
    option: 'optional',
    row: 'optional',
    bounds: 'optional',
    confidence: 'optional',
    operators: ['lt', 'lte'],
    defaultConfidence: SEQUENCE_CONFIDENCE,
    leastConfidence: 0.5,
    // Its intervals are valid from the first response.
    minimumResponses: 1,
    measures: (state, condition) => widthOf(spreadOf(state, condition), condition),
    counted: (state, condition) => Math.round(sumOf(spreadOf(state, condition))),
    holds: (state, condition) => isNarrow(spreadOf(state, condition), condition),
  },
};
