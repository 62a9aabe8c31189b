import { positionsByKey } from '../../campaigns/questions/answer.rules';
import { identitiesOf } from '../../campaigns/questions/option.rules';
import type { Question } from '../../campaigns/questions/question.types';
import { Heading, headingsOf } from './columns.rules';
import { COLUMNS_MAXIMUM } from './comparison.rules';
import { tableNotPossible } from './crosstab.errors';
import type { ColumnsBy } from './crosstab.dto';
import type { TableQuestionDto } from './table.dto';

/** A question of a set. */
export interface Placed<Q extends Question = Question> {
  question: Q;
  /** From 1. */
  position: number;
}

/** What the rows of a table are about. */
export interface RowsPlan extends Placed {
  /** What the tally names it by: the position, and that of the row of a matrix. */
  item: string;
  /** The row of a matrix. */
  row?: string;
}

/** What the columns of a table are about. */
export type ColumnsPlan =
  | { by: Exclude<ColumnsBy, 'question' | 'quota'> }
  | { by: 'quota'; name: string }
  | (Placed & { by: 'question'; headings: Heading[]; overlapping: boolean });

const WORDS = ['cohort', 'platform', 'version'] as const;
/** What the name of a quota follows. */
export const QUOTA = 'cell:';

/** Types whose answers are no rows, because nothing about them is counted. */
export const UNCOUNTED: readonly Question['type'][] = [
  'descriptive',
  'text',
  'statement',
  'ranking',
];

/** @throws ApiError `crosstab_not_possible` */
export function planRows(
  questions: readonly Question[],
  name: string,
  row: string | undefined,
): RowsPlan {
  const { question, position } = placed(questions, name, 'rows');
  if (UNCOUNTED.includes(question.type)) {
    throw tableNotPossible('rows', `must not name a question of type ${question.type}`);
  }
  const item = findItem(question, position, row);
  if (item === undefined) {
    throw question.type === 'matrix'
      ? tableNotPossible('row', 'must be one of the rows of the matrix')
      : tableNotPossible('row', 'is only for a matrix');
  }
  return { question, position, item, ...(row === undefined ? {} : { row }) };
}

/** Where the tally has a question, or a row of a matrix; `undefined` if there is no such row. */
export function findItem(
  question: Question,
  position: number,
  row: string | undefined,
): string | undefined {
  if (question.type !== 'matrix') {
    return row === undefined ? String(position) : undefined;
  }
  const index = row === undefined ? -1 : identitiesOf(question.rows).indexOf(row);
  return index === -1 ? undefined : `${position}.${index + 1}`;
}

/** @throws ApiError `crosstab_not_possible` */
export function planColumns(questions: readonly Question[], name: string): ColumnsPlan {
  const word = WORDS.find((each) => each === name);
  if (word !== undefined) {
    return { by: word };
  }
  if (name.startsWith(QUOTA)) {
    return { by: 'quota', name: name.slice(QUOTA.length) };
  }
  const found = placed(questions, name, 'columns');
  const headings = headingsOf(found.question);
  if (headings === null) {
    throw tableNotPossible(
      'columns',
      `must name a choice, a rating, an nps or a checkbox with at most ${COLUMNS_MAXIMUM} answers`,
    );
  }
  const overlapping = found.question.type === 'multiple_choice';
  return { by: 'question', ...found, headings, overlapping };
}

function placed(questions: readonly Question[], name: string, parameter: string): Placed {
  const position = positionsByKey(questions).get(name) ?? (/^\d+$/.test(name) ? Number(name) : 0);
  const question = questions[position - 1];
  if (question === undefined) {
    throw tableNotPossible(parameter, 'must name a question of this version');
  }
  return { question, position };
}

/** How a table shows a question. */
export function shownQuestion({ question, position }: Placed, row?: string): TableQuestionDto {
  return {
    question: position,
    ...(question.key === undefined ? {} : { key: question.key }),
    type: question.type,
    text: question.question,
    ...(row === undefined ? {} : { row }),
  };
}
