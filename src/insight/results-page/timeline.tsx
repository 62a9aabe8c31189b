import { scaleUtc } from 'd3-scale';
import type { GuardrailFiring } from '../../campaigns/guardrail/guardrail.types';
import type { ResultsDto } from '../results/results.dto';
import { regrouped } from '../results/timeline.rules';
import { sumOf } from '../../platform/statistics/linear-algebra.rules';
import { ColumnPlot } from './column-plot';
import { counted, day, decimal, moment, money, tickName } from './figures.rules';
import { Table } from './table';

/** Periods that fit the width of a phone. */
const PERIODS_MAXIMUM = 100;

const TICKS = 4;
const DAY = 86_400_000;

interface TimelineProps {
  results: ResultsDto;
  firings: readonly GuardrailFiring[];
}

/** When the responses were submitted, and where guardrails have fired. */
export function TimelineSection({ results, firings }: TimelineProps) {
  const { timeline, currency } = results;
  const periods = regrouped(timeline, PERIODS_MAXIMUM);
  const [first] = periods;
  const last = periods.at(-1);
  if (first === undefined || last === undefined) {
    return null;
  }
  const width = last.to.getTime() - last.from.getTime();
  const fired = firings.map(({ at }) => at.getTime());
  const end = Math.max(last.to.getTime(), ...fired);
  const start = Math.min(first.from.getTime(), ...fired);
  // One period is all of the axis, so a plot would say nothing.
  const isOne = periods.length === 1 && fired.length === 0;
  const ticks = scaleUtc().domain([start, end]).ticks(TICKS);
  const name = width < DAY ? moment : day;
  const responses = counted(sumOf(periods.map(({ submitted }) => submitted)), 'response');
  return (
    <section>
      <h2>Responses over time</h2>
      <p class="quiet">
        From {moment(first.from)} to {moment(last.to)}, UTC. All responses, whatever the version and
        the cohort.
      </p>
      {!isOne && (
        <ColumnPlot
          name={`${responses} from ${name(first.from)} to ${name(last.to)}; the table has the numbers`}
          columns={periods.map(({ from, to, submitted: count }) => ({
            from: from.getTime(),
            to: to.getTime(),
            count,
          }))}
          domain={[start, end]}
          ticks={[ticks.map((tick) => ({ at: tick.getTime(), text: tickName(tick, end - start) }))]}
          lines={fired}
        />
      )}
      {firings.map(({ name: rule, at, stopped }) => (
        <p>
          The guardrail <q dir="auto">{rule}</q> {stopped ? 'stopped the campaign' : 'fired'} on{' '}
          <time datetime={at.toISOString()}>{moment(at)} UTC</time>.
        </p>
      ))}
      <Table
        head={['From (UTC)', 'Responses', 'Paid']}
        rows={periods.map(({ from, submitted, spent }) => [
          name(from),
          decimal(submitted),
          money(spent, currency),
        ])}
        isFolded={!isOne}
      />
    </section>
  );
}
