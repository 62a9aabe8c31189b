import { find, KINDS, MAXIMUM_WORDS, searchedWords, SearchIndex } from './search-index';

/** The results that are shown of each kind. */
const SHOWN = 12;

/** Shows what a query finds. */
export function SearchResults({ index, query }: { index: SearchIndex; query: string }) {
  const { words, isCut } = searchedWords(query);
  const found = words.length === 0 ? [] : find(index, words);
  return (
    <>
      <h1>Search</h1>
      <p>
        {query.trim() === '' ? (
          'Search for operations, fields, error codes and guides.'
        ) : (
          <>
            {found.length === 0 ? 'Nothing contains all of ' : 'Results for '}
            <b>{query}</b>.
          </>
        )}
        {isCut && ` Only the first ${MAXIMUM_WORDS} different words count.`}
      </p>
      {KINDS.map((kind) => [kind, found.filter((entry) => entry.kind === kind)] as const)
        .filter(([, entries]) => entries.length > 0)
        .map(([kind, entries]) => (
          <>
            <h2>{kind}</h2>
            <ul class="results">
              {entries.slice(0, SHOWN).map(({ title, url, place }) => (
                <li>
                  <a href={url}>{title}</a> <span class="type">{place}</span>
                </li>
              ))}
            </ul>
            {entries.length > SHOWN && <p>And {entries.length - SHOWN} more: add a word.</p>}
          </>
        ))}
    </>
  );
}
