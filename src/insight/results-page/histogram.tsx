import { Big } from 'big.js';
import { scaleLinear } from 'd3-scale';
import type { Scale } from '../../campaigns/campaign/image-survey.rules';
import type { QuestionResultOf } from '../results/question-results.dto';
import type { RatedDto } from '../results/result-fields.dto';
import type { Interval } from '../../platform/statistics/interval.rules';
import { ColumnPlot } from './column-plot';
import { counted, decimal } from './figures.rules';
import { Table } from './table';

const TICKS = 6;

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
}

/** How often each rating was given. */
export function Histogram({ name, n, mean = null, interval = null, histogram, scale }: Ratings) {
  const { min, max, step } = scale;
  if (n === 0) {
    return null;
  }
  const [first, second] = histogram;
  const width = new Big(second?.value ?? step).minus(first && second ? first.value : 0);
  const half = step / 2;
  // The last step can be shorter than the others.
  const bars = histogram.map(({ value, count }) => ({
    value,
    last: Math.min(width.plus(value).minus(step).toNumber(), max),
    count,
  }));
  const marked = mean === null ? '' : `, with a mean of ${decimal(mean)}`;
  return (
    <>
      {name !== undefined && <h4 dir="auto">{name}</h4>}
      <ColumnPlot
        name={`How often each rating was given: ${counted(n, 'rating')}${marked}; the table has the numbers`}
        columns={bars.map(({ value, last, count }) => ({
          from: value - half,
          to: last + half,
          count,
        }))}
        domain={[min - half, max + half]}
        ticks={scaleLinear()
          .domain([min, max])
          .ticks(TICKS)
          .map((at) => ({ at, text: decimal(at) }))}
        mark={mean === null ? undefined : { value: mean, interval }}
      />
      <Table
        head={['Rating', 'Given by']}
        rows={bars.map(({ value, last, count }) => [
          last > value ? `${decimal(value)} to ${decimal(last)}` : decimal(value),
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
  return (
    <>
      <ColumnPlot
        name={`How many numbers are in each range: ${counted(answered, 'number')}, with a mean of ${decimal(mean)}; the table has the numbers`}
        columns={histogram}
        domain={[low, high]}
        ticks={scaleLinear()
          .domain([low, high])
          .ticks(TICKS)
          .map((at) => ({ at, text: decimal(at) }))}
        mark={mean === null ? undefined : { value: mean, interval: within(interval, low, high) }}
      />
      <Table
        head={['From', 'To below', 'Answers']}
        rows={histogram.map(({ from, to, count }) => [decimal(from), decimal(to), decimal(count)])}
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
