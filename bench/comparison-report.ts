import type { Contestant } from './contestants';
import type { Filling } from './databases';
import { CONNECTIONS } from './load-order';
import type { Measurement } from './measure';
import type { ComparisonOptions } from './options';
import { describeMachine, table, withSpread, writeResults } from './report';
import { ROW_NAMES } from './rows';
import { Spread, spreadOf } from './statistics';

/** A row, with the measurements of each contestant, one per round. */
export interface ComparedRow {
  name: string;
  title: string;
  kind: string;
  measurements: ReadonlyMap<string, readonly Measurement[]>;
}

/** The figures of one contestant on one row. */
interface Figures {
  requestsPerSecond: Spread;
  medianMs: Spread;
  p99Ms: Spread;
  /** Ratios of requests per second and of the p99 to the first contestant's in the same round. */
  ratio: Spread;
  p99Ratio: Spread;
  /** Microseconds per response. */
  serverCpu: Spread;
  postgresCpu: Spread;
  loadGeneratorBusy: Spread;
}

function figuresOf({ measurements }: ComparedRow): [string, Figures][] {
  const [, first = []] = [...measurements][0] ?? [];
  return [...measurements].map(([name, rounds]) => {
    const spread = (figure: (one: Measurement) => number) => spreadOf(rounds.map(figure));
    const ratio = (figure: (one: Measurement) => number) =>
      spreadOf(
        rounds.map((one, round) => {
          const compared = first[round];
          return compared === undefined ? NaN : figure(one) / figure(compared);
        }),
      );
    const figures: Figures = {
      requestsPerSecond: spread((one) => one.requestsPerSecond),
      medianMs: spread((one) => one.median),
      p99Ms: spread((one) => one.p99),
      ratio: ratio((one) => one.requestsPerSecond),
      p99Ratio: ratio((one) => one.p99),
      serverCpu: spread((one) => one.serverCpu),
      postgresCpu: spread((one) => one.postgresCpu),
      loadGeneratorBusy: spread((one) => one.loadGeneratorBusy),
    };
    return [name, figures];
  });
}

/** Formats a row in one line, while the others are still being measured. */
export function summaryLine(row: ComparedRow): string {
  const parts = figuresOf(row).map(
    ([name, { requestsPerSecond, ratio, p99Ms }]) =>
      `${name} ${requestsPerSecond.median.toFixed(0)}/s ×${ratio.median.toFixed(2)} p99 ${p99Ms.median.toFixed(1)} ms`,
  );
  return `${row.title}: ${parts.join(' · ')}`;
}

export function reportComparison(
  options: ComparisonOptions,
  contestants: readonly Contestant[],
  rows: readonly ComparedRow[],
  filling: Filling,
  postgres: Record<string, string>,
): void {
  const first = contestants[0]?.name ?? '';
  const figures = rows.map((row) => ({ ...row, figures: figuresOf(row) }));
  const body = figures.flatMap(({ title, figures: all }) =>
    contestants.map(({ name }, index) => {
      const [, found] = all.find(([one]) => one === name) ?? [];
      const cells =
        found === undefined
          ? ['', '', '', '', '', '', '']
          : [
              withSpread(found.requestsPerSecond, 0),
              withSpread(found.ratio, 2),
              withSpread(found.p99Ms, 1),
              withSpread(found.p99Ratio, 2),
              found.serverCpu.median.toFixed(0),
              found.postgresCpu.median.toFixed(0),
              `${(found.loadGeneratorBusy.median * 100).toFixed(0)} %`,
            ];
      return [index === 0 ? title : '', name, ...cells];
    }),
  );
  const markdown = [
    '# Comparison',
    '',
    `${options.rounds} rounds of ${options.seconds} s, ${CONNECTIONS} connections, ` +
      `${filling.companies} companies, ${filling.campaigns} campaigns stored. ` +
      describeMachine(postgres),
    '',
    `Medians of the rounds, with the least and the most. A ratio is to ${first} in the same round.`,
    'CPU is in microseconds an answer: of the server, and of its backends in PostgreSQL. The last',
    'column is how much of a core the load generator took: near 100 %, it is the one that was measured.',
    '',
    table(
      ['row', 'contestant', 'req/s', 'ratio', 'p99 ms', 'p99 ratio', 'CPU', 'PG CPU', 'load'],
      body,
    ),
    '',
    ...contestants.map(({ name, description }) => `- \`${name}\`: ${description}`),
    '',
  ].join('\n');
  const every = options.rows.length === ROW_NAMES.length && options.contestants === undefined;
  writeResults(every ? 'comparison' : `comparison-${options.rows.join('-')}`, markdown, {
    options,
    filling,
    postgres,
    rows: figures.map(({ name, title, kind, figures: all }) => ({
      name,
      title,
      kind,
      contestants: Object.fromEntries(all),
    })),
  });
}
