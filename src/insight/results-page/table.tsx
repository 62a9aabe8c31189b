import type { Content } from '../../platform/site/html';

/** Rows that a table shows at once; a longer one is folded. */
const OPEN_MAXIMUM = 12;

/** Columns that fit a phone; a wider table can be scrolled. */
const COLUMNS_MAXIMUM = 5;

interface Numbers {
  /** The names of the columns; the first column names the rows. */
  head: readonly string[];
  rows: readonly (readonly Content[])[];
  /** What the table has. */
  summary?: string;
  /** Whether it is folded, however short it is. */
  isFolded?: boolean;
}

/** A table of numbers, to unfold if it is long. */
export function Table({ head, rows, summary = 'Numbers', isFolded = false }: Numbers) {
  const table = (
    <table>
      <thead>
        <tr>
          {head.map((name) => (
            <th scope="col" dir="auto">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...cells]) => (
          <tr>
            <th scope="row" dir="auto">
              {name}
            </th>
            {cells.map((cell) => (
              <td>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
  return (
    <details open={!isFolded && rows.length <= OPEN_MAXIMUM}>
      <summary>{summary}</summary>
      {head.length > COLUMNS_MAXIMUM ? (
        <div class="scroll" role="region" aria-label={summary} tabindex={0}>
          {table}
        </div>
      ) : (
        table
      )}
    </details>
  );
}
