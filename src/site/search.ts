import { html, Html } from './html';
import { Entry, find, KINDS, MAXIMUM_WORDS, searchedWords, SearchIndex } from './search-index';

/** The results that are shown of each kind. */
const SHOWN = 12;

/** Shows what a query finds. */
export function searchResults(index: SearchIndex, query: string): Html {
  const { words, isCut } = searchedWords(query);
  const found = words.length === 0 ? [] : find(index, words);
  const groups = KINDS.map((kind) => [kind, found.filter((entry) => entry.kind === kind)] as const);
  const item = ({ title, url, place }: Entry) =>
    html`<li><a href="${url}">${title}</a> <span class="type">${place}</span></li> `;
  return html`<h1>Search</h1>
    <p>
      ${
        query.trim() === ''
          ? 'Search for operations, fields, error codes and guides.'
          : found.length === 0
            ? html`Nothing contains all of <b>${query}</b>.`
            : html`Results for <b>${query}</b>.`
      }
      ${isCut && `Only the first ${MAXIMUM_WORDS} different words count.`}
    </p>
    ${groups
      .filter(([, entries]) => entries.length > 0)
      .map(
        ([kind, entries]) =>
          html`<h2>${kind}</h2>
            <ul class="results">
              ${entries.slice(0, SHOWN).map(item)}
            </ul>
            ${entries.length > SHOWN && html`<p>And ${entries.length - SHOWN} more: add a word.</p>`}`,
      )}`;
}
