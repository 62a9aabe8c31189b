import type { MatrixRowDto } from '../results/list-results.dto';
import type { QuestionResultOf } from '../results/question-results.dto';
import { BarPlot } from './bar-plot';
import { between, counted, decimal, mean, percent } from './figures.rules';
import { scaleOf } from './histogram';
import { namedRatings } from './ratings.rules';
import { Nothing } from './shares';
import { Table } from './table';

const nameOf = ({ value, text }: { value: string; text?: string }): string => text ?? value;

/** `matrix`: the share of each option in each row, or the mean rating of each row. */
export function Matrix({ rows, maximum }: QuestionResultOf<'matrix'> & { maximum: number }) {
  const columns = rows[0]?.options?.slice(0, Math.max(1, maximum)) ?? [];
  const shown = rows.slice(0, Math.max(1, Math.floor(maximum / Math.max(1, columns.length))));
  const isCut = shown.length < rows.length || columns.length < (rows[0]?.options?.length ?? 0);
  return (
    <>
      {isCut && (
        <p class="quiet">
          {shown.length} of {rows.length} rows. The results in JSON have all of them.
        </p>
      )}
      {rows.every(({ answered }) => answered === 0) && <Nothing />}
      {columns.length === 0 ? (
        <RatedRows rows={shown} />
      ) : (
        <Table
          head={['Row', ...columns.map(nameOf)]}
          rows={shown.map(({ answered, options = [], ...row }) => [
            <>
              {nameOf(row)} <small dir="ltr">{counted(answered, 'answer')}</small>
            </>,
            ...options.slice(0, columns.length).map(({ count, share }) => ({
              text: (
                <>
                  {percent(share)} <small>{decimal(count)}</small>
                </>
              ),
              part: share ?? 0,
            })),
          ])}
          summary="The share and the number of each option in each row"
        />
      )}
    </>
  );
}

/** The means of the rows on one scale. */
function RatedRows({ rows }: { rows: readonly MatrixRowDto[] }) {
  const histogram = rows[0]?.histogram ?? [];
  const { min, max } = scaleOf(histogram);
  return (
    <>
      {rows.some(({ answered }) => answered > 0) && (
        <BarPlot
          name="The mean rating of each row, with 95% intervals; the table has the numbers"
          bars={rows.map(({ answered, mean: value = null, interval, ...row }) => ({
            label: nameOf(row),
            value,
            interval,
            text: mean(value),
            count: decimal(answered),
          }))}
          domain={[min, max]}
          ticks={namedRatings(histogram.map(({ value }) => value))}
          dots
        />
      )}
      <Table
        head={['Row', 'Answers', 'Mean', '95% interval', 'Standard deviation', 'Top two ratings']}
        rows={rows.map(({ answered, interval, standard_deviation, top_two, ...row }) => [
          nameOf(row),
          decimal(answered),
          mean(row.mean),
          between(interval, mean),
          mean(standard_deviation),
          percent(top_two?.share),
        ])}
        isFolded
      />
    </>
  );
}
