import type { QuestionResult } from '../results/question-results.dto';
import type { ResultsLink } from './results-link.entity';

/** Orders of the options of a question. */
export const ORDERS = ['questionnaire', 'share'] as const;

/** A question by groups of respondents. */
export interface Table {
  /** What names the question of the rows: its key, or its position. */
  rows: string;
  /** Of a matrix: what names its row. */
  row?: string;
  /** What the columns are, as the query of a cross tab names them. */
  columns: string;
}

/** What of the results a page shows, as the query of its address says. */
export interface View {
  /** The one cohort whose responses are counted; `null` for all cohorts of the link. */
  cohort: number | null;
  order: (typeof ORDERS)[number];
  /** The table in place of all answers; it always counts all cohorts of the link. */
  table: Table | null;
  /** Whether the campaign that the link compares with is shown beside this one, in all cohorts. */
  isComparing: boolean;
}

type Link = Pick<ResultsLink, 'show' | 'cohorts' | 'compare'>;

const COHORTS = [1, 2, 3, 4, 5];

/** The cohorts that a page can show by themselves, if its link allows it. */
export const cohortsOf = ({ show, cohorts }: Link): number[] =>
  show.includes('crosstabs') ? (cohorts ?? COHORTS) : [];

/** Reads a query. What it cannot say, or what the link does not allow, is left out. */
export function viewOf(query: Readonly<Record<string, unknown>>, link: Link): View {
  const { cohort, order, compare } = query;
  const table = link.show.includes('crosstabs') ? tableOf(query) : null;
  const chosen = cohortsOf(link).find((each) => String(each) === cohort);
  const isComparing = table === null && link.compare !== null && compare === 'earlier';
  return {
    cohort: table === null && !isComparing ? (chosen ?? null) : null,
    order: ORDERS.find((each) => each === order) ?? 'questionnaire',
    table,
    isComparing,
  };
}

function tableOf({ rows, row, columns }: Readonly<Record<string, unknown>>): Table | null {
  if (typeof rows !== 'string' || typeof columns !== 'string') {
    return null;
  }
  return { rows, ...(typeof row === 'string' ? { row } : {}), columns };
}

/** The address of the same page with another view, from the page itself. */
export function linkTo(
  view: View,
  change: Partial<View> & { format?: 'csv' },
  anchor = '',
): string {
  const { cohort, order, table, isComparing, format } = { ...view, ...change };
  const query = new URLSearchParams({
    ...(cohort === null ? {} : { cohort: String(cohort) }),
    ...(order === 'questionnaire' ? {} : { order }),
    ...table,
    ...(isComparing ? { compare: 'earlier' } : {}),
    ...(format === undefined ? {} : { format }),
  });
  return `?${query.toString()}${anchor}`;
}

type Named = Pick<QuestionResult, 'question'> & { key?: string };

/** What names a question, which stays the same when it moves if its author gave it a key. */
export const nameOf = ({ key, question }: Named): string => key ?? String(question);

/** The anchor of a question. */
export const anchorOf = (question: Named): string => `question-${nameOf(question)}`;
