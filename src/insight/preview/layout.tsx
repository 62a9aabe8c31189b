import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiError } from '../../platform/protocol/api-error';
import { Content, renderPage } from '../../platform/site/html';
import { pictureSources } from '../../platform/site/picture-sources';
import { directionOf } from './texts';

/** A page with the headers that it needs besides those of every response. */
export interface RenderedPage {
  headers: Readonly<Record<string, string>>;
  text: string;
}

const read = (name: string) =>
  readFileSync(join(__dirname, 'pages', name), 'utf8').replaceAll(/\n +/g, '\n');
const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The style sheet and the script, which the page contains, without their indentation. */
const STYLES = read('preview.css');
const SCRIPT = read('preview.js');

/** Nothing is loaded but the icon and the pictures, and forms are sent to the page itself. */
export function headersFor(pictures: readonly string[] = []): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      `style-src ${sourceOf(STYLES)}`,
      `script-src ${sourceOf(SCRIPT)}`,
      "connect-src 'self'",
      ["img-src 'self'", ...pictureSources(pictures)].join(' '),
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-robots-tag': 'noindex, nofollow, noarchive',
  };
}

/** Lays out a page. One without a script is the same at any depth of the path. */
export function layOut(
  title: string,
  language: string,
  content: Content,
  isScripted = false,
): string {
  return renderPage(
    <html lang={language} dir={directionOf(language)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow, noarchive" />
        <title>{title}</title>
        {isScripted && <link rel="icon" href="../docs/favicon.svg" />}
        <style dangerouslySetInnerHTML={{ __html: STYLES }} />
      </head>
      <body>
        <main>{content}</main>
        {isScripted && <script dangerouslySetInnerHTML={{ __html: SCRIPT }} />}
      </body>
    </html>,
  );
}

/** The page in place of one whose link is wrong, revoked or expired: the same for all of them. */
export const NOT_FOUND: RenderedPage = {
  headers: headersFor(),
  text: layOut(
    'Page not found',
    'en',
    <>
      <h1>Page not found</h1>
      <p>There is no preview at this address, or the link to it works no longer.</p>
    </>,
  ),
};

/** What a page says in place of a preview, by the status of the error. */
const FAILURES: Readonly<Record<number, readonly [title: string, text: string]>> = {
  413: ['Too much text', 'A preview takes at most 256 KiB of answers.'],
  415: ['Not a form', 'A preview takes only the form of its own page.'],
  429: ['Too many requests', 'Too many requests came from your network.'],
  503: ['Preview unavailable', 'The service cannot show this preview right now.'],
};

const FAULT = ['Something went wrong', 'The service could not show this preview.'] as const;

/** The page in place of an error. */
export function renderError(error: ApiError, requestId: string): RenderedPage {
  const status = error.getStatus();
  const [title, text] = FAILURES[status] ?? FAULT;
  const { 'retry-after': seconds } = error.headers;
  const again = seconds === undefined ? 'Try again later.' : `Try again in ${seconds} s.`;
  const content = (
    <>
      <h1>{title}</h1>
      <p>
        {text} {status >= 429 && again}
      </p>
      <p class="quiet">Request id: {requestId}</p>
    </>
  );
  return { headers: headersFor(), text: layOut(title, 'en', content) };
}
