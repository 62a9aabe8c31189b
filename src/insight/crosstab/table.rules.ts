import type { Question } from '../../campaigns/questions/question.types';
import { Interval, rounded } from '../../platform/statistics/interval.rules';
import { answerRange } from '../../campaigns/questions/answer-value.rules';
import { shownMean } from '../results/shares.rules';
import { Category, categoriesOf } from './categories.rules';
import { Heading, headingOf } from './columns.rules';
import {
  compareColumns,
  compareMeans,
  compareShares,
  letterOf,
  measureMean,
  measureShare,
  MeasuredShare,
  Side,
  SMALL_BASE,
} from './comparison.rules';
import type { TableColumnDto, TableMeanDto, TableRowDto } from './table.dto';
import { amountIn, answeredIn, Group, without } from './groups.rules';

/** What a table is counted from. */
export interface Counted {
  question: Question;
  total: Group;
  /** Responses that are in no column. */
  none: Group;
  columns: readonly (Heading & { group: Group })[];
  /** Whether a response can be in several columns. */
  overlapping: boolean;
}

export interface Table {
  answered: number;
  without_column: number;
  columns: TableColumnDto[];
  rows: TableRowDto[];
}

/** The work on a table of many cells, piece by piece; at the end, `table` returns the table. */
export class TableWork {
  private readonly categories: readonly Category[];
  private readonly outside: readonly Group[];
  private readonly measured: { inside: MeasuredShare; outside: MeasuredShare }[][] = [];

  constructor(private readonly counted: Counted) {
    const { question, total, columns } = counted;
    this.categories = categoriesOf(question, total) ?? [];
    this.outside = columns.map(({ group }) => without(total, group));
  }

  get cells(): number {
    return this.categories.length * this.counted.columns.length;
  }

  /** Measures row by row. */
  *measure(): Generator<void> {
    for (const category of this.categories) {
      this.measured.push(
        this.counted.columns.map(({ group }, column) => ({
          inside: measureShare(group, category),
          outside: measureShare(this.outside[column] ?? [], category),
        })),
      );
      yield;
    }
  }

  table(): Table {
    const { total, none, columns, overlapping } = this.counted;
    const differences = compareColumns(this.measured, compareShares, !overlapping);
    const means = this.means();
    return {
      answered: answeredIn(total).count,
      without_column: answeredIn(none).count,
      columns: columns.map(({ value, text, group }, column) => {
        const { count, size } = answeredIn(group);
        return {
          letter: letterOf(column),
          ...headingOf({ value, text }),
          answered: count,
          effective_size: rounded(size),
          small_base: count < SMALL_BASE,
          ...(means === null ? {} : { mean: means[column] }),
        };
      }),
      rows: this.categories.map((category, row) => ({
        ...headingOf(category),
        total: measureShare(total, category).share,
        without_column: amountIn(none, category.given).count,
        cells: (this.measured[row] ?? []).map(({ inside }, column) =>
          Object.assign({}, inside.share, differences[row]?.[column]),
        ),
      })),
    };
  }

  /** The means of the columns; `null` if the answers have none. */
  private means(): TableMeanDto[] | null {
    const { question, columns, overlapping } = this.counted;
    const scale = scaleOf(question);
    if (scale === null) {
      return null;
    }
    const sides = columns.map(({ group }, column): Side<ReturnType<typeof measureMean>> => ({
      inside: measureMean(group, scale),
      outside: measureMean(this.outside[column] ?? [], scale),
    }));
    const [differences = []] = compareColumns([sides], compareMeans, !overlapping);
    return sides.map(({ inside }, column) =>
      Object.assign({}, shownMean(inside), differences[column]),
    );
  }
}

/** The ends of what answers can be, if they are known; `null` for answers without a mean. */
export function scaleOf(question: Question): Interval | undefined | null {
  switch (question.type) {
    case 'rating':
      return [question.scale.min, question.scale.max];
    case 'matrix':
      return question.scale === undefined ? null : [question.scale.min, question.scale.max];
    case 'number':
      return answerRange(question);
    default:
      return null;
  }
}
