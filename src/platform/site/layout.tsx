import { rootOf } from '../protocol/root-of';
import { Content, renderPage } from './html';

/** A page of the site. */
export interface Page {
  url: string;
  title: string;
  /** Returns what the page shows; called once, at its first request. */
  content: () => Content;
}

/** Where a page leads. */
export interface Link {
  url: string;
  title: string;
}

/** A part of the menu. */
export interface Chapter {
  title: string;
  links: readonly Link[];
}

export const SEARCH_URL = '/reference/search';

/** The address of a page as Markdown, which may have a fragment. */
export const markdownUrl = (url: string): string => url.replace(/(?=#|$)/, '.md');

function Menu({ chapters, current }: { chapters: readonly Chapter[]; current: string }) {
  return (
    <nav id="menu" popover aria-label="Pages">
      <button class="close" popovertarget="menu" popovertargetaction="hide">
        Close
      </button>
      {chapters.map((chapter) => (
        <>
          <h2>{chapter.title}</h2>
          <ul>
            {chapter.links.map(({ url, title }) => (
              <li>
                <a href={url} aria-current={url === current ? 'page' : undefined}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </>
      ))}
    </nav>
  );
}

/** Leads from a page to where it would lead from the root: every link of it is in an attribute. */
const relative = (url: string, text: string): string =>
  text.replaceAll(/(?<= (?:href|src|action)=")\//g, rootOf(url));

/** Lays out a page: a header with the search, the menu, and the content. */
export function layOut(
  { url, title }: Omit<Page, 'content'>,
  content: Content,
  site: { title: string; chapters: readonly Chapter[] },
  query = '',
): string {
  const page = renderPage(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title === site.title ? title : `${title} · ${site.title}`}</title>
        <link rel="icon" href="/docs/favicon.svg" />
        <link rel="stylesheet" href="/reference/site.css" />
        {url !== SEARCH_URL && (
          <link rel="alternate" type="text/markdown" href={markdownUrl(url)} />
        )}
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header>
          <a class="home" href="/reference">
            {site.title}
          </a>
          <button popovertarget="menu">Menu</button>
          <form role="search" action={SEARCH_URL}>
            <input
              type="search"
              name="q"
              value={query}
              maxlength={100}
              aria-label="Search"
              placeholder="Search"
            />
            <button>Search</button>
          </form>
          <a class="try" href="/docs">
            Try it
          </a>
        </header>
        <Menu chapters={site.chapters} current={url} />
        <main id="content" tabindex={-1}>
          {content}
        </main>
      </body>
    </html>,
  );
  return relative(url, page);
}
