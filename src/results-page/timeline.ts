import { scaleUtc } from 'd3-scale';
import type { PeriodDto } from '../results/results-parts.dto';
import { regrouped } from '../results/timeline.rules';
import { html, Html } from '../site/html';
import { columnPlot } from './column-plot';
import { counted, day, decimal, moment, money, tickName } from './figures.rules';
import { table } from './table';

/** Periods that fit the width of a phone. */
const PERIODS_MAXIMUM = 100;

const TICKS = 4;
const DAY = 86_400_000;

/** The axis is at least this many periods long, so that one period is not as wide as the page. */
const PERIODS_MINIMUM = 12;

/** When the responses were submitted. */
export function timelineSection(timeline: readonly PeriodDto[]): Html {
  const periods = regrouped(timeline, PERIODS_MAXIMUM);
  const [first] = periods;
  const last = periods.at(-1);
  if (first === undefined || last === undefined) {
    return html``;
  }
  const width = last.to.getTime() - last.from.getTime();
  const end = last.to.getTime();
  const start = Math.min(first.from.getTime(), end - PERIODS_MINIMUM * width);
  const ticks = scaleUtc().domain([start, end]).ticks(TICKS);
  const name = width < DAY ? moment : day;
  const submitted = periods.reduce((sum, each) => sum + each.submitted, 0);
  return html`<section>
    <h2>Responses over time</h2>
    <p class="quiet">
      From ${moment(first.from)} to ${moment(last.to)}, UTC. All responses, whatever the version and
      the cohort.
    </p>
    ${columnPlot({
      name: `${counted(submitted, 'response')} from ${name(first.from)} to ${name(last.to)}; the table has the numbers`,
      columns: periods.map(({ from, to, submitted: count }) => ({
        from: from.getTime(),
        to: to.getTime(),
        count,
      })),
      domain: [start, end],
      ticks: ticks.map((tick) => ({ at: tick.getTime(), text: tickName(tick, end - start) })),
    })}
    ${table(
      ['From (UTC)', 'Responses', 'Paid'],
      periods.map(({ from, submitted: count, spent }) => [
        name(from),
        decimal(count),
        money(spent),
      ]),
    )}
  </section>`;
}
