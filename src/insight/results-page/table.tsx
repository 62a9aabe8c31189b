import type { Content } from '../../platform/site/html';
import { breakable, partsOf, PHONE_WIDTH, widthOf } from './table-width.rules';

/** A cell whose ground is darker the larger its part of 1 is. */
interface Shaded {
  text: Content;
  part: number;
}

type Cell = Content | Shaded;

interface Numbers {
  /** The names of the columns; the first column names the rows. */
  head: readonly Content[];
  rows: readonly (readonly [name: Content, ...cells: Cell[]])[];
  /** What the table has. */
  summary?: string;
  /** Whether the screen has it folded, because a plot shows the same. */
  isFolded?: boolean;
}

/** A table of numbers. Paper shows all of it: what is wide is in parts, what is folded is open. */
export function Table({ head, rows, summary = 'Numbers', isFolded = false }: Numbers) {
  const [corner, ...names] = head;
  const parts = partsOf(
    names.map((name, index) => widthOf([name, ...rows.map((row) => row[index + 1])])),
  );
  const tables = parts.map(({ start, end }) => (
    <Part
      head={[corner, ...names.slice(start, end)]}
      rows={rows.map(([name, ...cells]) => [name, ...cells.slice(start, end)])}
      caption={parts.length > 1 && `${start + 1} to ${end} of ${names.length}`}
    />
  ));
  const table = parts.some(({ width }) => width > PHONE_WIDTH) ? (
    <div class="scroll" role="region" aria-label={summary} tabindex={0}>
      {tables}
    </div>
  ) : (
    tables
  );
  return isFolded ? (
    <details>
      <summary>{summary}</summary>
      {table}
    </details>
  ) : (
    table
  );
}

interface PartProps extends Pick<Numbers, 'head' | 'rows'> {
  /** Which of all columns these are. */
  caption: string | false;
}

function Part({ head, rows, caption }: PartProps) {
  return (
    <table>
      {caption && <caption>{caption}</caption>}
      <thead>
        <tr>
          {head.map((name) => (
            <th scope="col" dir="auto">
              {typeof name === 'string' ? breakable(name) : name}
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
            {cells.map((cell) =>
              isShaded(cell) ? (
                <td class={`shade-${Math.ceil(cell.part * 5)}`}>{cell.text}</td>
              ) : (
                <td>{cell}</td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const isShaded = (cell: Cell): cell is Shaded => typeof cell === 'object' && 'part' in cell;
