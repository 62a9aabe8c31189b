import { COLUMNS_MAXIMUM } from '../crosstab/comparison.rules';
import type { QuestionResult } from '../results/question-results.dto';
import type { QuotaProgressDto } from '../../campaigns/targeting/quotas.dto';
import { nameOf, Table, View } from './view.rules';

/** Something that a table can have in its rows or columns. */
export interface Choice extends Omit<Table, 'columns' | 'rows'> {
  /** What the address names it by. */
  value: string;
  text: string;
}

/** What the rows of a table can be about: the question, or each row of a matrix. */
export function rowChoices(question: QuestionResult): Choice[] {
  const value = nameOf(question);
  switch (question.type) {
    case 'single_choice':
    case 'multiple_choice':
    case 'checkbox':
    case 'rating':
    case 'nps':
    case 'number':
    case 'date':
      return [{ value, text: question.text }];
    case 'matrix':
      return question.rows.map(({ value: row, text = row }) => ({ value, row, text }));
    default:
      return [];
  }
}

/** How many columns a question would be; `undefined` if its answers are none. */
function columnsIn(question: QuestionResult): number | undefined {
  switch (question.type) {
    case 'single_choice':
    case 'multiple_choice':
      return question.options.length;
    case 'rating':
    case 'nps':
      return question.histogram.length;
    case 'checkbox':
      return 2;
    default:
      return undefined;
  }
}

/** What the columns can be about. Versions and platforms are not for the readers of a page. */
export function columnChoices(
  questions: readonly QuestionResult[],
  quotas: readonly QuotaProgressDto[],
): Choice[] {
  return [
    { value: 'cohort', text: 'Cohort' },
    ...quotas.map(({ name }) => ({ value: `cell:${name}`, text: `Quota: ${name}` })),
    ...questions
      .filter((question) => (columnsIn(question) ?? Infinity) <= COLUMNS_MAXIMUM)
      .map((question) => ({
        value: nameOf(question),
        text: `${question.question}. ${question.text}`,
      })),
  ];
}

/** The table that a view asks for, if it is one of those that the page offers. */
export function offeredTable(
  { table }: View,
  questions: readonly QuestionResult[],
  columns: readonly Choice[],
): Table | undefined {
  const isOffered =
    table !== null &&
    columns.some(({ value }) => value === table.columns) &&
    questions
      .flatMap(rowChoices)
      .some(({ value, row }) => value === table.rows && row === table.row);
  return isOffered ? table : undefined;
}
