import { headingOf } from './columns.rules';
import type { CrosstabDto } from './crosstab.dto';
import type { TableCellDto, TableColumnDto, TableMeanDto } from './table.dto';

/** A page shows no numbers of fewer responses than this. */
export const SHOWN_FROM = 5;

/** A column of a page; `null` is not shown. */
export interface ShownColumn extends Pick<TableColumnDto, 'letter' | 'value' | 'text'> {
  answered: number | null;
  small_base: boolean;
  mean: TableMeanDto | null;
}

export interface ShownRow extends Pick<CrosstabDto['rows'][number], 'value' | 'text' | 'total'> {
  /** In the order of the columns; `null` is not shown. */
  cells: (TableCellDto | null)[];
}

/** A table as a page can show it to people who do not see single responses. */
export interface ShownTable {
  columns: ShownColumn[];
  rows: ShownRow[];
}

/**
 * Hides the columns and rows that fewer than {@link SHOWN_FROM} responses are in. What is hidden
 * cannot be computed from the rest: the sum of the hidden ones follows from the totals, so at least
 * two of them are hidden, which together have as many responses. Where that sum is 0, each is. The
 * table with rows and columns exchanged hides the same.
 */
export function withoutSmallBases({ columns, rows }: CrosstabDto): ShownTable {
  const hiddenColumns = hidden(columns.map(({ answered }) => answered));
  const hiddenRows = hidden(rows.map(({ total, without_column }) => total.count - without_column));
  const shownLetters = (letters: string[] | null) =>
    letters?.filter((letter) =>
      columns.some((each, index) => each.letter === letter && !hiddenColumns.has(index)),
    ) ?? null;
  return {
    columns: columns.map(({ letter, value, text, answered, small_base, mean }, index) => {
      const isShown = !hiddenColumns.has(index);
      return {
        letter,
        ...headingOf({ value, text }),
        answered: isShown ? answered : null,
        small_base,
        mean:
          isShown && mean !== undefined
            ? { ...mean, higher_than: shownLetters(mean.higher_than) }
            : null,
      };
    }),
    rows: rows.map(({ value, text, total, cells }, row) => ({
      ...headingOf({ value, text }),
      total,
      cells: cells.map((cell, column) =>
        hiddenColumns.has(column) || hiddenRows.has(row)
          ? null
          : { ...cell, higher_than: shownLetters(cell.higher_than) },
      ),
    })),
  };
}

/**
 * Which of these bases are hidden: the small ones, and the next larger ones until at least two have
 * {@link SHOWN_FROM} responses together. Those of nobody hide nothing, unless there are others.
 */
function hidden(bases: readonly number[]): ReadonlySet<number> {
  const ascending = [...bases.entries()].sort(([, a], [, b]) => a - b);
  const found = new Set<number>();
  let sum = 0;
  let isAny = false;
  for (const [index, base] of ascending) {
    if (base >= SHOWN_FROM && (!isAny || (found.size > 1 && sum >= SHOWN_FROM))) {
      break;
    }
    isAny ||= base > 0;
    found.add(index);
    sum += base;
  }
  return isAny ? found : new Set();
}
