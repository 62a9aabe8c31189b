import type { Content } from '../../platform/site/html';
import type { Interval } from '../../platform/statistics/interval.rules';
import type { QuestionResultOf } from '../results/question-results.dto';
import { axisEnd, BarPlot } from './bar-plot';
import { mostFrequent } from './choice';
import { Figures, intervalNote } from './figures';
import { counted, decimal, evenly, mean as formatMean, percent, strength } from './figures.rules';
import { plottedDates } from './date-groups.rules';
import { Histogram, NumberRanges, scaleOf } from './histogram';
import { Nothing, Shares } from './shares';
import { Table } from './table';

/** `rating`: the mean, and how often each rating was given. */
export function Rating(result: QuestionResultOf<'rating'>) {
  const { answered, mean, interval, standard_deviation, top_two, histogram } = result;
  if (answered === 0) {
    return <Nothing />;
  }
  return (
    <>
      <Figures
        figures={[
          ['Mean', formatMean(mean), intervalNote(interval, formatMean)],
          ['Top two ratings', percent(top_two.share), intervalNote(top_two.interval, percent)],
          ['Standard deviation', formatMean(standard_deviation)],
        ]}
      />
      <Histogram
        n={answered}
        mean={mean}
        interval={interval}
        histogram={histogram}
        scale={scaleOf(histogram)}
      />
    </>
  );
}

const scoreNote = (interval: Interval): Content => intervalNote(interval, evenly(interval));

/** `nps`: the score, and the groups that it is made of. */
export function PromoterScore(result: QuestionResultOf<'nps'>) {
  const { answered, score, interval, promoters, passives, detractors, histogram } = result;
  if (answered === 0) {
    return <Nothing />;
  }
  return (
    <>
      <Figures
        figures={[
          ['Score: promoters minus detractors', evenly([score])(score), scoreNote(interval)],
        ]}
      />
      <Shares
        name="The share of each group"
        head={['Group', 'Answers']}
        shares={[
          { name: 'Promoters, 9 and 10', ...promoters },
          { name: 'Passives, 7 and 8', ...passives },
          { name: 'Detractors, 0 to 6', ...detractors },
        ]}
      />
      <Histogram n={answered} histogram={histogram} scale={scaleOf(histogram)} />
    </>
  );
}

/** `number`: the mean and the quartiles. */
export function Numbers(result: QuestionResultOf<'number'>) {
  const { answered, mean, interval, standard_deviation, median, exact } = result;
  const { lower_quartile: lower, upper_quartile: upper } = result;
  if (answered === 0) {
    return <Nothing />;
  }
  const format = evenly([mean, standard_deviation, median, lower, upper, ...(interval ?? [])]);
  return (
    <>
      <Figures
        figures={[
          ['Mean', format(mean), intervalNote(interval, format)],
          ['Median', format(median), `half of them ${format(lower)} to ${format(upper)}`],
          ['Standard deviation', format(standard_deviation)],
        ]}
      />
      {!exact && <p class="quiet">The quartiles are correct to 0.5%.</p>}
      <NumberRanges {...result} />
    </>
  );
}

/** Plurals that do not end in s alone. */
const PLURALS: Readonly<Record<string, string>> = { century: 'centuries' };

/** `date`: the share of each period. */
export function Dates({
  periods,
  precision,
  effective_size,
  maximum,
}: QuestionResultOf<'date'> & { maximum: number }) {
  const shown = mostFrequent(periods, maximum);
  if (periods.length === 0) {
    return <Nothing />;
  }
  const { unit, groups } = plottedDates(periods, precision, effective_size);
  return (
    <>
      {shown.length < periods.length && (
        <p class="quiet">
          The {maximum} most frequent of {counted(periods.length, precision)}.
        </p>
      )}
      {unit !== precision && (
        <p class="quiet">
          The plot has the {counted(groups.length, unit, PLURALS[unit])} of these{' '}
          {counted(periods.length, precision)}.
        </p>
      )}
      <Shares
        name={`The share of each ${unit}`}
        plotted={groups}
        head={[precision.replace(/^./, (first) => first.toUpperCase()), 'Answers']}
        shares={shown.map(({ period: name, ...share }) => ({ name, ...share }))}
      />
    </>
  );
}

/** `ranking`: the options in the order of their strengths. */
export function Ranking({
  answered,
  options,
  maximum,
}: QuestionResultOf<'ranking'> & { maximum: number }) {
  const ranked = options.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0)).slice(0, maximum);
  return (
    <>
      {ranked.length < options.length && (
        <p class="quiet">
          The {maximum} strongest of {options.length} options.
        </p>
      )}
      {answered === 0 ? (
        <Nothing />
      ) : (
        <BarPlot
          name="The strength of each option, the strongest first; the table has the numbers"
          bars={ranked.map(({ value, text, strength: each }) => ({
            label: text ?? value,
            value: each,
            text: strength(each),
          }))}
          domain={[0, axisEnd(ranked.map(({ strength: each }) => each ?? 0))]}
        />
      )}
      <Table
        head={['Option', 'Ranked by', 'Mean rank', 'Ranked first', 'Strength']}
        rows={ranked.map(({ value, text, ranked: times, mean_rank, first, strength: each }) => [
          text ?? value,
          decimal(times),
          formatMean(mean_rank),
          percent(first.share),
          strength(each),
        ])}
        isFolded
      />
    </>
  );
}

/** `checkbox`: the share of those who ticked it. */
export function TickedBox({ ticked }: QuestionResultOf<'checkbox'>) {
  return (
    <Shares
      name="The share of those who ticked the box"
      head={['Answer', 'Answers']}
      shares={[{ name: 'Ticked', ...ticked }]}
    />
  );
}
