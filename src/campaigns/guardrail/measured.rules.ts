import type { Interval } from '../../platform/statistics/interval.rules';
import { sumOf } from '../../platform/statistics/linear-algebra.rules';
import { MeanSequence, Spread } from '../../platform/statistics/mean-sequence.rules';
import { meanWithInterval } from '../../platform/statistics/mean.rules';
import { wilson } from '../../platform/statistics/share.rules';
import { Condition, SEQUENCE_CONFIDENCE } from './condition.rules';
import type { LatestSums } from './latest-sums.rules';

/** What a metric is at some event. */
export interface Measured {
  value: number;
  /** How many responses it was computed from. */
  responses: number;
  /** With the condition's confidence; `null` without one. */
  interval: Interval | null;
}

/** How wide the confidence sequence is for a share or a mean, whose value is not reported. */
export function widthOf(spread: Spread, condition: Condition): Measured {
  const [low, high] = scaleOf(condition);
  const all = sumOf(spread);
  const [from, to] = sequenceOf(condition).interval(spread);
  return {
    value: (to - from) * (high - low),
    responses: Math.round(all),
    interval: [low + from * (high - low), low + to * (high - low)],
  };
}

/** Whether it is no wider than the value of the condition. */
export const isNarrow = (spread: Spread, condition: Condition) =>
  sequenceOf(condition).isNarrow(spread);

/** The confidence sequence of a condition on its width. */
export function sequenceOf(condition: Condition): MeanSequence {
  const [low, high] = scaleOf(condition);
  const { value, confidence = SEQUENCE_CONFIDENCE, option } = condition;
  const of = option === undefined ? 'scale' : 'share';
  return new MeanSequence(value / (high - low), confidence, of);
}

/** The least and the largest value: of a share, 0 and 1. */
export const scaleOf = ({ bounds = [0, 1] }: Condition): Interval => bounds;

/** A share with its Wilson interval. */
export function share(part: number, all: number, confidence?: number): Measured {
  return {
    value: all === 0 ? 0 : part / all,
    responses: all,
    interval: confidence ? wilson(part, all, confidence) : null,
  };
}

/** The mean of amounts that are kept in hundredths, so that they add up exactly. */
export function meanOfHundredths(
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

/** The significant digits of a mean of fractions. The sum of a window is right in more of them. */
const DIGITS = 12;

/** The mean of answers, which need not be whole numbers. */
export function meanOfAnswers(
  answers: readonly number[],
  { confidence, bounds }: Condition,
): Measured {
  const n = answers.length;
  const sum = sumOf(answers);
  // Three answers of 0.1 are 0.30000000000000004 together, and no more than 0.1 each.
  const value = n === 0 ? 0 : Number((sum / n).toPrecision(DIGITS));
  if (!confidence) {
    return { value, responses: n, interval: null };
  }
  const squaredDeviations = sumOf(answers.map((answer) => (answer - value) ** 2));
  const { interval } = meanWithInterval(
    { n, sum, squaredDeviations },
    { responses: n, size: n, scale: bounds, confidence },
  );
  return { value, responses: n, interval };
}
