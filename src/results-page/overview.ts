import type { Campaign } from '../campaign/campaign.entity';
import type { CampaignStatus } from '../campaign/campaign.types';
import { currentStateOf } from '../campaign/status.rules';
import { modeOf } from '../http/environment.rules';
import type { ResultsDto } from '../results/results.dto';
import { Content, html, Html } from '../site/html';
import { sumOf } from '../statistics/linear-algebra.rules';
import { barPlot } from './bar-plot';
import { between, counted, decimal, duration, money, moment, percent } from './figures.rules';
import { shareParts } from './shares';
import { table } from './table';

const STATUSES: Readonly<Record<CampaignStatus, string>> = {
  archived: 'Archived',
  completed: 'Completed',
  live: 'Live: it accepts responses',
  scheduled: 'Scheduled: it starts by itself',
  paused: 'Stopped',
  draft: 'Draft: it was never started',
};

function kindOf({ type, format }: Campaign): string {
  return type === 'advertisement'
    ? 'Advertisement'
    : format === 'questionnaire'
      ? 'Survey'
      : 'Image survey';
}

/**
 * Whether some responses are to other questions than those shown, or to none. The funnel has newer
 * responses than the timeline, which has all versions.
 */
const arePartOf = ({ version, responses, timeline }: ResultsDto): boolean =>
  version !== null &&
  (version > 1 || responses.submitted < sumOf(timeline.map(({ submitted }) => submitted)));

/** The title of the campaign, and what it is. */
export function heading(campaign: Campaign, results: ResultsDto): Html {
  const { as_of, version } = results;
  const { status } = currentStateOf(campaign);
  const { title, tagline, description, category, companyId } = campaign;
  return html`<header>
    ${
      modeOf(companyId) === 'test' &&
      html`<p class="notice">Test data: no real person took part, and nobody is paid.</p>`
    }
    <h1 dir="auto">${title}</h1>
    <p class="lead" dir="auto">${tagline}</p>
    <p>
      ${kindOf(campaign)} in the category <span dir="auto">${category}</span>. ${STATUSES[status]}.
      ${arePartOf(results) && `These are the responses to version ${version} of the questions.`}
      Read on <time datetime="${as_of.toISOString()}">${moment(as_of)} UTC</time>.
    </p>
    <p class="description" dir="auto">${description}</p>
  </header>`;
}

/** The most important numbers, and how far the campaign is to its limits. */
export function progressSection(campaign: Campaign, results: ResultsDto): Html {
  const { currency, version, responses, funnel, spending, attention } = results;
  const { answer_seconds: seconds } = results;
  // The other numbers are of all versions.
  const scope = arePartOf(results) ? `, of the responses to version ${version}` : '';
  const figures: [string, Content, Content?][] = [
    ['Responses counted', decimal(responses.counted)],
    [
      'Completed, without those still answering',
      percent(funnel.completion_rate),
      shareNote(funnel),
    ],
    ['Median time to answer', duration(seconds.median), timeNote(seconds)],
    ['Mean attention score, of 10', decimal(attention.mean), meanNote(attention.interval)],
    [
      'Spent',
      money(spending.spent, currency),
      spending.held > 0 && `${money(spending.held, currency)} more is held`,
    ],
    ['Mean reward', money(spending.mean_reward, currency)],
  ];
  return html`<section>
    <h2>Progress and money</h2>
    <dl class="figures">
      ${figures.map(
        ([name, value, note]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}${note && html`<small>${note}</small>`}</dd>
          </div>`,
      )}
    </dl>
    ${limits(campaign, results)}
    ${table(
      ['Respondents', 'Number'],
      [
        ['Began', funnel.begun],
        ['Submitted', funnel.submitted],
        ['Gave up', funnel.abandoned],
        ['Ran out of time', funnel.expired],
        ['Answering now', funnel.open],
        [`Reversed${scope}: not counted, and the reward is taken back`, responses.reversed],
        [`Erased${scope}: not counted`, responses.erased],
      ].map(([name, count]) => [name, decimal(Number(count))]),
    )}
  </section>`;
}

const shareNote = ({ completion_rate, interval }: ResultsDto['funnel']): Content =>
  completion_rate !== null && `95% interval ${between(interval, percent)}`;

const meanNote = (interval: ResultsDto['attention']['interval']): Content =>
  interval !== null && `95% interval ${between(interval, decimal)}`;

const timeNote = ({ p10, p90 }: ResultsDto['answer_seconds']): Content =>
  p10 !== null && `80% of them took ${duration(p10)} to ${duration(p90)}`;

/** How much of the limits is taken. */
function limits(
  { maxResponses, budget, currency }: Campaign,
  { funnel, spending }: ResultsDto,
): Html {
  const { submitted, open } = funnel;
  const { spent, held } = spending;
  return html`${
    maxResponses !== null &&
    limit(
      `${decimal(submitted)} of ${counted(maxResponses, 'response')}`,
      { label: 'Submitted', value: submitted, more: open },
      maxResponses,
    )
  }${
    budget !== null &&
    limit(
      `${money(spent, currency)} of a budget of ${money(Number(budget), currency)}`,
      { label: 'Spent', value: spent, more: held },
      Number(budget),
    )
  }`;
}

/** How much of a limit is taken; what those who are answering hold is the lighter part. */
function limit(
  text: string,
  { label, value, more }: { label: string; value: number; more: number },
  end: number,
): Html {
  return html`<h3>${text}</h3>
    ${barPlot({
      name: text,
      bars: [{ label, value, more, text: percent(value / end) }],
      domain: [0, end],
      format: decimal,
    })}`;
}

/** The scores of a cohort (section 2.3). */
const bandOf = (cohort: number): string => `${2 * cohort - 2} to ${2 * cohort}`;

/** How attentive the respondents were, and what they were paid. */
export function cohortSection({ cohorts, currency }: ResultsDto): Html {
  return html`<section>
    <h2>Attention</h2>
    <p class="quiet">
      A respondent is in one of five cohorts, by the attention score of the response. Cohort 5 paid
      the most attention.
    </p>
    ${shareParts({
      name: 'The share of each cohort',
      head: ['Cohort, by score', 'Paid', 'Responses'],
      shares: cohorts.map(({ cohort, responses, share, interval, paid }) => ({
        name: `${cohort}: ${bandOf(cohort)}`,
        label: `Cohort ${cohort}`,
        more: [money(paid, currency)],
        count: responses,
        share,
        interval,
      })),
    })}
  </section>`;
}
