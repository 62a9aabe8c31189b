import { Counter, Gauge } from 'prom-client';
import { registry } from '../metrics/metrics.registry';
import { countPromise } from '../metrics/service-levels.registry';

const registers = [registry];

const differences = new Gauge({
  name: 'ledger_differences',
  help: 'Differences in this comparison of all books so far, or in the last one; must be 0.',
  registers,
});

const compared = new Counter({
  name: 'ledger_compared_participations_total',
  help: 'Participations that the background comparison has compared with their transfers.',
  registers,
});

const pages = new Counter({
  name: 'ledger_compared_pages_total',
  help: 'Pages of the ledger that the background comparison has compared.',
  registers,
});

const passes = new Counter({
  name: 'ledger_comparisons_total',
  help: 'Comparisons of all books that are complete.',
  registers,
});

const failures = new Counter({
  name: 'ledger_comparison_failures_total',
  help: 'Environments that the background comparison could not compare, and left out.',
  registers,
});

/** Counts a page of the comparison. */
export function countPage(participations: number, found: number): void {
  pages.inc();
  compared.inc(participations);
  countPromise('books_balance', found === 0);
}

export function countComparison(): void {
  passes.inc();
}

export function countFailure(): void {
  failures.inc();
}

export function reportDifferences(count: number): void {
  differences.set(count);
}
