import { answeredIn, Group, without } from './groups.rules';
import type { ColumnsPlan, RowsPlan } from './plan.rules';
import type { Counted } from './table.rules';
import { cellOf, Tabulation } from '../results/tabulation.rules';
import { ALL, Counting, Tallied } from '../results/tally.rules';
import type { CountedRow } from '../results/tally.columns';
import type { Amounts } from './amounts';
import { COLUMNS_MAXIMUM } from './comparison.rules';

/** The name that `cross_amounts` gives to all responses, where they can be in several columns. */
const ALL_COLUMNS = '*';

/** What a table is about. */
export interface TablePlan {
  campaignId: string;
  version: number;
  rows: RowsPlan;
  columns: ColumnsPlan;
  /** Where the tally has the question of the rows, by version. */
  items: ReadonlyMap<number, string>;
  /** The cell of the quota that the columns are about; else that of all responses. */
  cell: number;
  /** Of which the columns are, if it is complete. */
  banner: Tabulation | undefined;
  counting: Counting;
}

/** The cells of the tally that a table is counted from. */
export function cellsToRead({ columns, cell, banner }: TablePlan): number[] {
  return banner === undefined || columns.by !== 'question'
    ? [...new Set([ALL, cell])]
    : [ALL, ...Array.from({ length: columns.headings.length + 1 }, (_, n) => cellOf(banner, n))];
}

/** What the tally has for a table, by version and cell. */
export class TalliedGroups {
  private readonly tallies = new Map<string, Tallied>();

  constructor(
    private readonly plan: TablePlan,
    rows: readonly CountedRow[],
  ) {
    for (const row of rows.filter(({ version }) => version !== null)) {
      const name = `${row.version} ${row.cell}`;
      const tallied = this.tallies.get(name) ?? new Tallied(plan.counting);
      this.tallies.set(name, tallied);
      tallied.add(row);
    }
  }

  of(cell: number, version = this.plan.version): Group {
    const tallied = this.tallies.get(`${version} ${cell}`) ?? new Tallied(this.plan.counting);
    const item = this.plan.items.get(version);
    return item === undefined ? [] : [{ tallied, item }];
  }
}

/** The columns that the tally has; `null` if they are counted from the stored answers. */
export function talliedColumns(plan: TablePlan, groups: TalliedGroups): Counted | null {
  const { rows, columns, items, cell, counting } = plan;
  const all = groups.of(ALL);
  const counted = { question: rows.question, total: all, none: [], overlapping: false };
  switch (columns.by) {
    case 'cohort':
      return {
        ...counted,
        columns: counting.cohorts.map((cohort) => ({
          value: String(cohort),
          group: all.map((part) => ({ ...part, tallied: part.tallied.ofCohort(cohort) })),
        })),
      };
    case 'quota':
      return {
        ...counted,
        columns: [
          { value: columns.name, group: groups.of(cell) },
          { value: 'other', group: without(all, groups.of(cell)) },
        ],
      };
    case 'version': {
      const versions = [...items.keys()].map((version) => ({
        value: String(version),
        group: groups.of(ALL, version),
      }));
      return { ...counted, total: versions.flatMap(({ group }) => group), columns: versions };
    }
    case 'question': {
      const { banner } = plan;
      return banner === undefined
        ? null
        : answerColumns(rows, columns, (column) =>
            groups.of(column === 'all' ? ALL : cellOf(banner, column)),
          );
    }
    case 'platform':
      return null;
  }
}

/** The columns of the answers to a question, by their numbers; 0 is that of no answer. */
function answerColumns(
  { question }: RowsPlan,
  { headings, overlapping }: Extract<ColumnsPlan, { by: 'question' }>,
  groupOf: (column: number | 'all') => Group,
): Counted {
  const columns = headings.map((heading, index) => ({ ...heading, group: groupOf(index + 1) }));
  return { question, total: groupOf('all'), none: groupOf(0), overlapping, columns };
}

/** The columns that were counted from the stored answers. */
export function countedColumns({ rows, columns, counting }: TablePlan, amounts: Amounts): Counted {
  const groupOf = (name: string): Group => {
    const tallied = new Tallied(counting);
    for (const row of amounts.rowsOf(name)) {
      tallied.add(row);
    }
    return [{ tallied, item: rows.item }];
  };
  if (columns.by !== 'question') {
    // Most frequent first; those of a table are in the order of their names.
    const frequent = amounts.names
      .map((value) => ({ value, group: groupOf(value) }))
      .sort((a, b) => answeredIn(b.group).count - answeredIn(a.group).count);
    const shown = frequent.slice(0, COLUMNS_MAXIMUM).sort((a, b) => (a.value < b.value ? -1 : 1));
    return {
      question: rows.question,
      total: frequent.flatMap(({ group }) => group),
      none: frequent.slice(COLUMNS_MAXIMUM).flatMap(({ group }) => group),
      overlapping: false,
      columns: shown,
    };
  }
  return answerColumns(rows, columns, (column) =>
    column !== 'all'
      ? groupOf(String(column))
      : columns.overlapping
        ? groupOf(ALL_COLUMNS)
        : amounts.names.flatMap(groupOf),
  );
}
