import { Big } from 'big.js';
import { scaleLinear } from 'd3-scale';
import type { Scale } from '../../campaigns/campaign/image-survey.rules';
import type { QuestionResultOf } from '../results/question-results.dto';
import type { RatedDto } from '../results/result-fields.dto';
import type { Interval } from '../../platform/statistics/interval.rules';
import { ColumnPlot } from './column-plot';
import { counted, decimal, evenly, mean as formatMean, wholePercent } from './figures.rules';
import { namedRatings, stepsOf } from './ratings.rules';
import { Table } from './table';

const TICKS = 6;

/** Columns of which each has its share below it. */
const SHARES_MAXIMUM = 11;

/** Above this number of steps, each can be several ratings. */
const EACH_MAXIMUM = 51;

/** The part of its room that the column of one rating takes. */
const WIDTH = 0.8;

interface Ratings {
  /** A heading, if there are several histograms. */
  name?: string;
  /** How many ratings there are. */
  n: number;
  /** Marked above the columns; without it, nothing is. */
  mean?: number | null;
  interval?: Interval | null;
  histogram: readonly RatedDto[];
  scale: Pick<Scale, 'min' | 'max' | 'step'>;
  /** The highest count of several histograms, which then have one axis. */
  most?: number;
}

/** How often each rating was given. */
export function Histogram(ratings: Ratings) {
  const { name, n, mean = null, interval = null, histogram, scale, most } = ratings;
  const { min, max, step } = scale;
  if (n === 0) {
    return null;
  }
  const steps = stepsOf(histogram, scale);
  const values = steps.map(({ first }) => first);
  const format = evenly([...values, max]);
  const half = step / 2;
  const isEach = steps.length <= SHARES_MAXIMUM;
  const width = isEach ? half * WIDTH : half;
  const marked = mean === null ? '' : `, with a mean of ${formatMean(mean)}`;
  return (
    <>
      {name !== undefined && <h4 dir="auto">{name}</h4>}
      <ColumnPlot
        name={`How often each rating was given: ${counted(n, 'rating')}${marked}; the table has the numbers`}
        columns={steps.map(({ first, last, count }) => ({
          from: first - width,
          to: last + width,
          count,
        }))}
        domain={[min - half, max + half]}
        ticks={[
          namedRatings(values).map((at) => ({ at, text: format(at) })),
          ...(isEach
            ? [steps.map(({ first, count }) => ({ at: first, text: wholePercent(count / n) }))]
            : []),
        ]}
        most={most}
        mark={mean === null ? undefined : { value: mean, interval }}
      />
      <Table
        head={[steps.length > EACH_MAXIMUM ? 'Ratings from' : 'Rating', 'Given by']}
        rows={steps.map(({ first, last, count }) => [
          last > first ? `${format(first)} to ${format(last)}` : format(first),
          decimal(count),
        ])}
        isFolded
      />
    </>
  );
}

/** How many numbers are in each range. */
export function NumberRanges({
  answered,
  histogram,
  mean,
  interval,
}: Pick<QuestionResultOf<'number'>, 'answered' | 'histogram' | 'mean' | 'interval'>) {
  const [low = 0, high = 1] = [histogram[0]?.from, histogram.at(-1)?.to];
  const ticks = scaleLinear().domain([low, high]).ticks(TICKS);
  const tick = evenly(ticks);
  const format = evenly(histogram.flatMap(({ from, to }) => [from, to]));
  return (
    <>
      <ColumnPlot
        name={`How many numbers are in each range: ${counted(answered, 'number')}, with a mean of ${formatMean(mean)}; the table has the numbers`}
        columns={histogram}
        domain={[low, high]}
        ticks={[ticks.map((at) => ({ at, text: tick(at) }))]}
        mark={mean === null ? undefined : { value: mean, interval: within(interval, low, high) }}
      />
      <Table
        head={['From', 'To below', 'Answers']}
        rows={histogram.map(({ from, to, count }) => [format(from), format(to), decimal(count)])}
        isFolded
      />
    </>
  );
}

/** The part of an interval that a plot has room for. */
const within = (interval: Interval | null, low: number, high: number): Interval | null =>
  interval && [Math.max(low, interval[0]), Math.min(high, interval[1])];

/** The scale of a histogram, as far as its steps show it. */
export function scaleOf(histogram: readonly RatedDto[]): Ratings['scale'] {
  const [min = 0, second = 1] = histogram.map(({ value }) => value);
  return { min, max: histogram.at(-1)?.value ?? 1, step: new Big(second).minus(min).toNumber() };
}
