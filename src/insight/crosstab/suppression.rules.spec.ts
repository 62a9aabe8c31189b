import type { CrosstabDto } from './crosstab.dto';
import { SHOWN_FROM, ShownTable, withoutSmallBases } from './suppression.rules';

/** Counts by row and column; the last column is that of responses in no column. */
type Counts = readonly (readonly number[])[];

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const columnOf = (counts: Counts, column: number) => counts.map((row) => row[column] ?? 0);

/** A table with these counts. */
function tableOf(counts: Counts): CrosstabDto {
  const columns = (counts[0] ?? []).slice(0, -1);
  return {
    columns: columns.map((_, column) => ({
      letter: 'ABC'.charAt(column),
      value: String(column),
      answered: sum(columnOf(counts, column)),
      small_base: true,
    })),
    rows: counts.map((row, index) => ({
      value: String(index),
      total: { count: sum(row) },
      without_column: row.at(-1),
      cells: row.slice(0, -1).map((count) => ({ count, higher_than: ['A', 'B'] })),
    })),
  } as unknown as CrosstabDto;
}

/** All tables with so many responses in so many cells. */
function* tables(cells: number, responses: number): Generator<number[]> {
  if (cells === 1) {
    yield [responses];
    return;
  }
  for (let first = 0; first <= responses; first += 1) {
    for (const rest of tables(cells - 1, responses - first)) {
      yield [first, ...rest];
    }
  }
}

const ROWS = 2;
const COLUMNS = 4;

const countsOf = (flat: readonly number[]): Counts =>
  Array.from({ length: ROWS }, (_, row) => flat.slice(row * COLUMNS, (row + 1) * COLUMNS));

const columnIndices = Array.from({ length: COLUMNS }, (_, column) => column);

/** The single results of both questions. */
const marginsOf = (counts: Counts) => [
  counts.map(sum),
  columnIndices.map((column) => sum(columnOf(counts, column))),
];

const maskOf = ({ columns, rows }: ShownTable) => [
  columns.map(({ answered }) => answered === null),
  rows.map(({ cells }) => cells.map((cell) => cell === null)),
];

/** The numbers of a table that another one shows. */
const shownOf = (counts: Counts, { columns, rows }: ShownTable) => [
  counts.map(sum),
  columns.map(({ answered }, column) => answered === null || sum(columnOf(counts, column))),
  rows.map(({ cells }, row) => cells.map((cell, column) => cell === null || counts[row]?.[column])),
];

function groupBy<T>(all: readonly T[], keyOf: (each: T) => unknown) {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const key = JSON.stringify(keyOf(each));
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(each);
  }
  return {
    values: () => groups.values(),
    of: (each: T) => groups.get(JSON.stringify(keyOf(each))) ?? [],
  };
}

describe('a table without small bases', () => {
  it('cannot be completed from what it shows', () => {
    // Looks through all tables with the same numbers where numbers are shown. What the single
    // results of both questions say without the table is known anyway.
    let hidden = 0;
    for (const responses of [6, 9]) {
      const all = [...tables(ROWS * COLUMNS, responses)].map(countsOf);
      const byMargins = groupBy(all, (counts) => marginsOf(counts));
      const byMask = groupBy(all, (counts) => maskOf(withoutSmallBases(tableOf(counts))));
      for (const alike of byMask.values()) {
        const mask = withoutSmallBases(tableOf(alike[0] ?? []));
        const byShown = groupBy(all, (counts) => shownOf(counts, mask));
        for (const counts of alike) {
          for (const [row, { cells }] of mask.rows.entries()) {
            const unseen = [...cells.keys()].filter((column) => cells[column] === null);
            const others = sum(unseen.map((each) => counts[row]?.[each] ?? 0));
            for (const column of others > 0 ? unseen : []) {
              const isAlike = (each: Counts) => each[row]?.[column] === counts[row]?.[column];
              hidden += 1;
              if (byShown.of(counts).every(isAlike)) {
                const isKnown = byMargins.of(counts).every(isAlike);
                expect([counts, row, column, isKnown]).toEqual([counts, row, column, true]);
              }
            }
          }
        }
      }
    }
    expect(hidden).toBeGreaterThan(1_000);
  });

  it('hides the same with rows and columns exchanged', () => {
    for (const flat of tables(6, 9)) {
      const counts = countsOf([...flat.slice(0, 3), 0, ...flat.slice(3), 0]);
      const exchanged = [0, 1, 2].map((column) => [...columnOf(counts, column), 0]);
      const seen = ({ rows }: ShownTable) =>
        rows.map(({ cells }) => cells.map((cell) => cell !== null));
      const other = seen(withoutSmallBases(tableOf(exchanged)));
      expect(seen(withoutSmallBases(tableOf(counts)))).toEqual(
        [0, 1].map((row) => other.map((cells) => cells[row])),
      );
    }
  });

  it('shows large bases, and names no hidden column', () => {
    const large = withoutSmallBases(
      tableOf([
        [9, 9, 9, 0],
        [9, 9, 9, 0],
      ]),
    );
    expect(large.columns.map(({ answered }) => answered)).toEqual([18, 18, 18]);
    const small = withoutSmallBases(
      tableOf([
        [2, 8, 20, 0],
        [1, 9, 20, 0],
      ]),
    );
    expect(small.columns.map(({ answered }) => answered)).toEqual([null, null, 40]);
    expect(small.rows[0]?.cells).toEqual([null, null, { count: 20, higher_than: [] }]);
    expect(SHOWN_FROM).toBe(5);
  });
});
