import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import type { Spread } from './statistics';

const DIRECTORY = resolve(__dirname, '../results');

/** Prints a report and writes it, with its figures, to `bench/results`. */
export function writeResults(name: string, markdown: string, figures: unknown): void {
  process.stdout.write(`\n${markdown}\n`);
  mkdirSync(DIRECTORY, { recursive: true });
  writeFileSync(`${DIRECTORY}/${name}.md`, markdown);
  writeFileSync(`${DIRECTORY}/${name}.json`, `${JSON.stringify(figures, null, 2)}\n`);
  process.stdout.write(`Written to bench/results/${name}.md and .json\n`);
}

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const ruler = header.map((_, index) => (index === 0 ? '---' : '---:'));
  return [line(header), line(ruler), ...rows.map(line)].join('\n');
}

/** The machine, as far as it affects the figures. */
export function describeMachine(postgres: Record<string, string>): string {
  return (
    `${cpus().length} cores for the server, PostgreSQL and the load generator together; ` +
    `Node ${process.versions.node}; PostgreSQL ${postgres.server_version ?? '?'} with fsync ` +
    `${postgres.fsync ?? '?'}, synchronous_commit ${postgres.synchronous_commit ?? '?'}, ` +
    `shared_buffers ${postgres.shared_buffers ?? '?'}.`
  );
}

export function withSpread({ median, least, most }: Spread, places: number): string {
  return `${median.toFixed(places)} (${least.toFixed(places)}–${most.toFixed(places)})`;
}
