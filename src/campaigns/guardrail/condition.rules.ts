import type { Interval } from '../../platform/statistics/interval.rules';
import type { QualitySignal } from '../questions/quality-signals.types';

/** The names of the metrics that a condition can be about. */
export const METRIC_NAMES = [
  'cohort_share',
  'mean_attention',
  'cost_per_response',
  'responses_per_hour',
  'spent',
  'reversed_share',
  'median_answer_seconds',
  'flagged_share',
  'option_share',
  'mean_rating',
  'interval_width',
] as const;

export type MetricName = (typeof METRIC_NAMES)[number];

export const OPERATORS = ['gt', 'gte', 'lt', 'lte'] as const;

export type Operator = (typeof OPERATORS)[number];

/** Maximum number of responses that a condition looks back at. */
export const LAST_MAXIMUM = 1_000;

/** Responses below which a condition does not hold, unless it says otherwise. */
export const MINIMUM_RESPONSES = 30;

/** The confidence of a condition that does not say otherwise: it looks often, so it is strict. */
export const CONFIDENCE_DEFAULT = 0.9999;

/** The same of a confidence sequence, which is valid however often it is looked at. */
export const SEQUENCE_CONFIDENCE = 0.95;

/** A condition as it is stored, with every default. */
export interface Condition {
  metric: MetricName;
  op: Operator;
  value: number;
  /** The cohorts that `cohort_share` counts. */
  cohorts?: number[];
  /** The signal of quality whose flags `flagged_share` counts. */
  signal?: QualitySignal;
  /** The question that a metric of answers is about: its position or its key. */
  question?: number | string;
  /** The option whose share is looked at: its key, or its text. */
  option?: string;
  /** The row of a matrix whose mean is looked at. */
  row?: string;
  /** The least and the largest value of a mean, if there are such. */
  bounds?: Interval;
  /** Looks only at responses that count in this quota, by its name. */
  quota?: string;
  /** Looks at this many of the latest responses only. */
  last?: number;
  minimum_responses: number;
  /** Of a metric that is estimated. 0: compares the value itself. */
  confidence?: number;
}

/** Whether a condition asks for a low value. */
export const isBelow = (op: Operator) => op === 'lt' || op === 'lte';

/** Whether a measured value passes that of the condition. */
export function compares(
  measured: number,
  { op, value }: Pick<Condition, 'op' | 'value'>,
): boolean {
  switch (op) {
    case 'gt':
      return measured > value;
    case 'gte':
      return measured >= value;
    case 'lt':
      return measured < value;
    case 'lte':
      return measured <= value;
  }
}
