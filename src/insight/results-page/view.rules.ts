import type { QuestionResult } from '../results/question-results.dto';
import type { ResultsLink } from './results-link.entity';

/** Orders of the options of a question. */
export const ORDERS = ['questionnaire', 'share'] as const;

/** What of the results a page shows, as the query of its address says. */
export interface View {
  /** The one cohort whose responses are counted; `null` for all cohorts of the link. */
  cohort: number | null;
  order: (typeof ORDERS)[number];
}

const COHORTS = [1, 2, 3, 4, 5];

/** The cohorts that a page can show by themselves, if its link allows it. */
export const cohortsOf = ({ show, cohorts }: Pick<ResultsLink, 'show' | 'cohorts'>): number[] =>
  show.includes('crosstabs') ? (cohorts ?? COHORTS) : [];

/** Reads a query. What it cannot say, or what the link does not allow, is left out. */
export function viewOf(
  { cohort, order }: Readonly<Record<string, unknown>>,
  link: Pick<ResultsLink, 'show' | 'cohorts'>,
): View {
  return {
    cohort: cohortsOf(link).find((each) => String(each) === cohort) ?? null,
    order: ORDERS.find((each) => each === order) ?? 'questionnaire',
  };
}

/** The address of the same page with another view, from the page itself. */
export function linkTo(
  view: View,
  change: Partial<View> & { format?: 'csv' },
  anchor = '',
): string {
  const { cohort, order, format } = { ...view, ...change };
  const query = new URLSearchParams({
    ...(cohort === null ? {} : { cohort: String(cohort) }),
    ...(order === 'questionnaire' ? {} : { order }),
    ...(format === undefined ? {} : { format }),
  });
  return `?${query.toString()}${anchor}`;
}

/** The anchor of a question, which stays the same where its author gave it a key. */
export const anchorOf = (asked: Pick<QuestionResult, 'question'> & { key?: string }): string =>
  `question-${asked.key ?? asked.question}`;
