import { counter, gauges } from '../../platform/metrics/metrics.registry';
import { countPromise } from '../../platform/metrics/service-levels.registry';

export const reportDifferences = gauges(
  [
    'ledger_differences',
    'Differences in this comparison of all books so far, or in the last one; must be 0.',
  ],
  [
    'ledger_companies_left_out',
    'Environments that this comparison could not compare so far, or that the last one could not.',
  ],
);

const countCompared = counter(
  'ledger_compared_participations_total',
  'Participations that the background comparison has compared with their transfers.',
);

const countComparedPage = counter(
  'ledger_compared_pages_total',
  'Pages of the ledger that the background comparison has compared.',
);

export const countComparison = counter(
  'ledger_comparisons_total',
  'Comparisons of all books that are complete.',
);

export const countFailure = counter(
  'ledger_comparison_failures_total',
  'Environments that the background comparison could not compare, and left out.',
);

/** Counts a page of the comparison. */
export function countPage(participations: number, found: number): void {
  countComparedPage();
  countCompared(participations);
  countPromise('books_balance', found === 0);
}
