import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VNode } from 'preact';
import type { Campaign } from '../../campaigns/campaign/campaign.entity';
import type { GuardrailFiring } from '../../campaigns/guardrail/guardrail.types';
import type { ApiError } from '../../platform/protocol/api-error';
import type { ResultsDto } from '../results/results.dto';
import { Content, renderPage } from '../../platform/site/html';
import { pictureSources } from '../../platform/site/picture-sources';
import { day, listed } from './figures.rules';
import { CohortSection, Heading, ProgressSection } from './overview';
import type { ResultsLink } from './results-link.entity';
import { TimelineSection } from './timeline';

/** A page with the headers that it needs besides those of every response. */
export interface RenderedPage {
  headers: Readonly<Record<string, string>>;
  text: string;
}

/** What the page of a link shows. */
export interface PageContent {
  link: ResultsLink;
  campaign: Campaign;
  results: ResultsDto;
  /** The questions with their plots and tables, in their order. */
  questionSections: readonly VNode[];
  /** Where guardrails have fired, in the order of the log. */
  firings: readonly GuardrailFiring[];
}

/** The style sheet, which the page contains, without its indentation. */
const STYLES = readFileSync(join(__dirname, 'pages', 'page.css'), 'utf8').replaceAll(/\n +/g, '\n');
const STYLES_HASH = createHash('sha256').update(STYLES).digest('base64');

const COHORTS = 5;

/** A relative link, which also works below a path. The page of an error can be at any depth. */
const ICON = <link rel="icon" href="../docs/favicon.svg" />;

/** Nothing runs, and nothing is loaded but the icon, and the pictures from their own hosts. */
function headersFor(pictures: readonly string[]): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      `style-src 'sha256-${STYLES_HASH}'`,
      ["img-src 'self'", ...pictureSources(pictures)].join(' '),
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-robots-tag': 'noindex, nofollow, noarchive',
  };
}

function layOut(title: string, content: Content, icon?: VNode): string {
  return renderPage(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow, noarchive" />
        <title>{title}</title>
        {icon}
        <style dangerouslySetInnerHTML={{ __html: STYLES }} />
      </head>
      <body>
        <main>{content}</main>
      </body>
    </html>,
  );
}

/** The page of a link: what the responses of its campaign add up to. */
export function renderResults(page: PageContent): RenderedPage {
  const { link, campaign, results, questionSections } = page;
  const { cohorts_counted: cohorts } = results;
  const content = (
    <>
      <Heading {...page} />
      {cohorts.length < COHORTS && <p class="notice">{onlyOf(cohorts)}</p>}
      <ProgressSection {...page} />
      <CohortSection {...page} />
      <section>
        <h2>Answers</h2>
        {questionSections.length === 0 && <p>The campaign has no questions.</p>}
        {questionSections}
      </section>
      <TimelineSection {...page} />
      <Footer {...link} />
    </>
  );
  const pictures = campaign.imageSurvey?.images.map(({ url }) => url) ?? [];
  return {
    headers: headersFor(pictures),
    text: layOut(`${campaign.title} · Results`, content, ICON),
  };
}

function onlyOf(cohorts: readonly number[]): string {
  const named = `${cohorts.length === 1 ? 'cohort' : 'cohorts'} ${listed(cohorts)}`;
  return `Answers, times, the mean attention score and the number counted are of responses in ${named} only.`;
}

function Footer({ expiresAt }: ResultsLink) {
  return (
    <footer>
      <p>
        A 95% interval says how far the true value may be from what these respondents answered. If
        they are a random sample of those you ask about, about 95 of 100 such intervals contain it,
        or more. Reversed and erased responses are not counted.
      </p>
      <p>Whoever has the address of this page can read it, until {day(expiresAt)}.</p>
    </footer>
  );
}

/** The page in place of one whose link is wrong, revoked or expired: the same for all of them. */
export const NOT_FOUND: RenderedPage = {
  headers: headersFor([]),
  text: layOut(
    'Page not found',
    <>
      <h1>Page not found</h1>
      <p>There are no results at this address, or the link to them works no longer.</p>
    </>,
  ),
};

/** What a page says in place of the results, by the status of the error. */
const FAILURES: Readonly<Record<number, readonly [title: string, text: string]>> = {
  429: ['Too many requests', 'Too many requests came from your network. Try again in a minute.'],
  503: ['Results unavailable', 'The service cannot show these results right now.'],
};

const FAULT = ['Something went wrong', 'The service could not show these results.'] as const;

/** The page in place of an error. */
export function renderError(error: ApiError, requestId: string): RenderedPage {
  const [title, text] = FAILURES[error.getStatus()] ?? FAULT;
  const { 'retry-after': seconds } = error.headers;
  const content = (
    <>
      <h1>{title}</h1>
      <p>
        {text} {seconds === undefined ? 'Try again later.' : `Try again in ${seconds} s.`}
      </p>
      <p class="quiet">Request id: {requestId}</p>
    </>
  );
  return { headers: headersFor([]), text: layOut(title, content) };
}
