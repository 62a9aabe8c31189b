import { join } from 'node:path';
import type { ApiError } from '../../platform/protocol/api-error';
import { LinkedPages, RenderedPage, whenToTryAgain } from '../../platform/site/linked-page';

export const PAGES = new LinkedPages({
  styles: join(__dirname, 'pages', 'preview.css'),
  script: join(__dirname, 'pages', 'preview.js'),
});

export const NOT_FOUND = PAGES.notFound(
  'There is no preview at this address, or the link to it works no longer.',
);

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
  const again = status >= 429 ? ` ${whenToTryAgain(error.headers)}` : '';
  return PAGES.failure(title, text + again, requestId);
}
