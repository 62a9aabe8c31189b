import { join } from 'node:path';
import type { VNode } from 'preact';
import type { Campaign } from '../../campaigns/campaign/campaign.entity';
import type { GuardrailFiring } from '../../campaigns/guardrail/guardrail.types';
import type { QuotaProgressDto } from '../../campaigns/targeting/quotas.dto';
import type { ApiError } from '../../platform/protocol/api-error';
import type { ResultsDto } from '../results/results.dto';
import { LinkedPages, RenderedPage, whenToTryAgain } from '../../platform/site/linked-page';
import { Choices } from './choices';
import { day, listed } from './figures.rules';
import { AboutSection, CohortSection, Heading, ProgressSection } from './overview';
import { Contents } from './questions';
import { KnownEnough } from './known-enough';
import { QuotaSection } from './quotas';
import type { ResultsLink } from './results-link.entity';
import { TimelineSection } from './timeline';
import type { View } from './view.rules';

/** What the page of a link shows. */
export interface PageContent {
  link: ResultsLink;
  campaign: Campaign;
  results: ResultsDto;
  /** What of the results is shown. */
  view: View;
  /** Cohorts of the link that are too small to be shown by themselves. */
  small: readonly number[];
  /** How far the quotas are, in their order; none if the campaign has none. */
  quotas: readonly QuotaProgressDto[];
  /** The questions with their plots and tables, in their order. */
  questionSections: readonly VNode[];
  /** The tables that are shown in place of all answers. */
  table: VNode | null;
  /** Where guardrails have fired, in the order of the log. */
  firings: readonly GuardrailFiring[];
}

const PAGES = new LinkedPages({ styles: join(__dirname, 'pages', 'page.css') });

const COHORTS = 5;

/** The page of a link: what the responses of its campaign add up to. */
export function renderResults(page: PageContent): RenderedPage {
  const { link, campaign, results, table } = page;
  const { cohorts_counted: cohorts } = results;
  const content = (
    <>
      <Heading {...page} />
      {cohorts.length < COHORTS && <p class="notice">{onlyOf(cohorts)}</p>}
      <KnownEnough {...page} />
      {table ?? <Answers {...page} />}
      <Footer {...link} />
    </>
  );
  const pictures = campaign.imageSurvey?.images.map(({ url }) => url) ?? [];
  return PAGES.render({ title: `${campaign.title} · Results`, content, isWhole: true, pictures });
}

/** The answers to all questions, and what comes after them. */
function Answers(page: PageContent) {
  const { results, quotas, questionSections } = page;
  return (
    <>
      <Choices {...page} />
      <section>
        <h2>Answers</h2>
        <Contents questions={results.questions} />
        {questionSections.length === 0 && <p>The campaign has no questions.</p>}
        {questionSections}
      </section>
      <ProgressSection {...page} />
      {quotas.length > 0 && <QuotaSection quotas={quotas} />}
      <CohortSection {...page} />
      <TimelineSection {...page} />
      <AboutSection {...page} />
    </>
  );
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

export const NOT_FOUND = PAGES.notFound(
  'There are no results at this address, or the link to them works no longer.',
);

/** What a page says in place of the results, by the status of the error. */
const FAILURES: Readonly<Record<number, readonly [title: string, text: string]>> = {
  429: ['Too many requests', 'Too many requests came from your network. Try again in a minute.'],
  503: ['Results unavailable', 'The service cannot show these results right now.'],
};

const FAULT = ['Something went wrong', 'The service could not show these results.'] as const;

/** The page in place of an error. */
export function renderError(error: ApiError, requestId: string): RenderedPage {
  const [title, text] = FAILURES[error.getStatus()] ?? FAULT;
  return PAGES.failure(title, `${text} ${whenToTryAgain(error.headers)}`, requestId);
}
