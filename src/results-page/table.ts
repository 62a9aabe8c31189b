import { Content, html, Html } from '../site/html';

/** Rows that a table shows at once; a longer one is folded. */
const OPEN_MAXIMUM = 12;

/** Columns that fit a phone; a wider table can be scrolled. */
const COLUMNS_MAXIMUM = 5;

/**
 * A table of numbers, to unfold if it is long.
 *
 * @param head the names of the columns; the first column names the rows
 * @param summary what the table has
 * @param isFolded whether it is folded, however short it is
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly Content[])[],
  { summary = 'Numbers', isFolded = rows.length > OPEN_MAXIMUM } = {},
): Html {
  const content = html`<table>
    <thead>
      <tr>
        ${head.map((name) => html`<th scope="col" dir="auto">${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(row)}
    </tbody>
  </table>`;
  return html`<details ${!isFolded && html`open`}>
    <summary>${summary}</summary>
    ${
      head.length > COLUMNS_MAXIMUM
        ? html`<div class="scroll" role="region" aria-label="${summary}" tabindex="0">
            ${content}
          </div>`
        : content
    }
  </details>`;
}

function row([name, ...cells]: readonly Content[]): Html {
  return html`<tr>
    <th scope="row" dir="auto">${name}</th>
    ${cells.map((cell) => html`<td>${cell}</td>`)}
  </tr> `;
}
