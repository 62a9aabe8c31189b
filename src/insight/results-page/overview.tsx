import type { Campaign } from '../../campaigns/campaign/campaign.entity';
import type { CampaignStatus } from '../../campaigns/campaign/campaign.types';
import { currentStateOf } from '../../campaigns/campaign/status.rules';
import { modeOf } from '../../platform/caller/environment.rules';
import type { ResultsDto } from '../results/results.dto';
import type { Content } from '../../platform/site/html';
import { sumOf } from '../../platform/statistics/linear-algebra.rules';
import { BarPlot } from './bar-plot';
import { between, counted, decimal, duration, mean, money, moment, percent } from './figures.rules';
import { Figure, Figures, intervalNote } from './figures';
import { Shares } from './shares';
import { Table } from './table';

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

interface Overview {
  campaign: Campaign;
  results: ResultsDto;
}

/** The title of the campaign, and what it is. */
export function Heading({ campaign, results }: Overview) {
  const { as_of, version } = results;
  const { status } = currentStateOf(campaign);
  const { title, tagline, companyId } = campaign;
  return (
    <header>
      {modeOf(companyId) === 'test' && (
        <p class="notice">Test data: no real person took part, and nobody is paid.</p>
      )}
      <h1 dir="auto">{title}</h1>
      <p class="lead" dir="auto">
        {tagline}
      </p>
      <p>
        <strong>{counted(results.responses.counted, 'response')}.</strong> {STATUSES[status]}.{' '}
        {arePartOf(results) && `These are the responses to version ${version} of the questions. `}
        Read on <time datetime={as_of.toISOString()}>{moment(as_of)} UTC</time>.
      </p>
    </header>
  );
}

/** What the campaign says of itself. */
export function AboutSection({ campaign }: Pick<Overview, 'campaign'>) {
  return (
    <section>
      <h2>About the campaign</h2>
      <p class="description" dir="auto">
        {campaign.description}
      </p>
      <p class="quiet">
        {kindOf(campaign)} in the category <span dir="auto">{campaign.category}</span>
      </p>
    </section>
  );
}

/** The most important numbers, and how far the campaign is to its limits. */
export function ProgressSection({ campaign, results }: Overview) {
  const { currency, version, responses, funnel, spending, attention } = results;
  const { answer_seconds: seconds } = results;
  // The other numbers are of all versions.
  const scope = arePartOf(results) ? `, of the responses to version ${version}` : '';
  const figures: Figure[] = [
    ['Responses counted', decimal(responses.counted)],
    [
      'Completed, without those still answering',
      percent(funnel.completion_rate),
      shareNote(funnel),
    ],
    ['Median time to answer', duration(seconds.median), timeNote(seconds)],
    ['Mean attention score, of 10', mean(attention.mean), intervalNote(attention.interval, mean)],
    ['Spent', money(spending.spent, currency), spentNote(spending, currency)],
    ['Mean reward', money(spending.mean_reward, currency)],
  ];
  const respondents: [string, number][] = [
    ['Began', funnel.begun],
    ['Submitted', funnel.submitted],
    ['Gave up', funnel.abandoned],
    ['Ran out of time', funnel.expired],
    ['Answering now', funnel.open],
    [`Reversed${scope}: not counted, and the reward is taken back`, responses.reversed],
    [`Erased${scope}: not counted`, responses.erased],
  ];
  return (
    <section>
      <h2>Progress and money</h2>
      <Figures figures={figures} />
      <Limits campaign={campaign} results={results} />
      <Table
        head={['Respondents', 'Number']}
        rows={respondents.map(([name, count]) => [name, decimal(count)])}
      />
    </section>
  );
}

/** What of the money is bonuses, and what is held besides. */
function spentNote({ bonus_spent, held }: ResultsDto['spending'], currency: string): Content {
  const notes = [
    ...(bonus_spent > 0 ? [`${money(bonus_spent, currency)} of it as bonuses`] : []),
    ...(held > 0 ? [`${money(held, currency)} more is held`] : []),
  ];
  return notes.length > 0 && notes.join('; ');
}

const shareNote = ({ completion_rate, interval }: ResultsDto['funnel']): Content =>
  completion_rate !== null && `95% interval ${between(interval, percent)}`;

const timeNote = ({ p10, p90 }: ResultsDto['answer_seconds']): Content =>
  p10 !== null && `80% of them took ${duration(p10)} to ${duration(p90)}`;

/** How much of the limits is taken. */
function Limits({ campaign, results }: Overview) {
  const { maxResponses, budget, currency } = campaign;
  const { submitted, open } = results.funnel;
  const { spent, held } = results.spending;
  return (
    <>
      {maxResponses !== null && (
        <Limit
          text={`${decimal(submitted)} of ${counted(maxResponses, 'response')}`}
          bar={{ label: 'Submitted', value: submitted, more: open }}
          end={maxResponses}
        />
      )}
      {budget !== null && (
        <Limit
          text={`${money(spent, currency)} of a budget of ${money(Number(budget), currency)}`}
          bar={{ label: 'Spent', value: spent, more: held }}
          end={Number(budget)}
        />
      )}
    </>
  );
}

interface LimitProps {
  text: string;
  /** What those who are answering hold is the lighter part. */
  bar: { label: string; value: number; more: number };
  end: number;
}

function Limit({ text, bar, end }: LimitProps) {
  return (
    <>
      <h3>{text}</h3>
      <BarPlot name={text} bars={[{ ...bar, text: percent(bar.value / end) }]} domain={[0, end]} />
    </>
  );
}

/** The scores of a cohort (section 2.3). */
const bandOf = (cohort: number): string => `${2 * cohort - 2} to ${2 * cohort}`;

/** How attentive the respondents were, and what they were paid. */
export function CohortSection({ results }: Pick<Overview, 'results'>) {
  return (
    <section>
      <h2>Attention</h2>
      <p class="quiet">
        A respondent is in one of five cohorts, by the attention score of the response. Cohort 5
        paid the most attention.
      </p>
      <Shares
        name="The share of each cohort"
        head={['Cohort, by score', 'Paid', 'Responses']}
        shares={results.cohorts.map(({ cohort, responses, share, interval, paid }) => ({
          name: `${cohort}: ${bandOf(cohort)}`,
          label: `Cohort ${cohort}`,
          more: [money(paid, results.currency)],
          count: responses,
          share,
          interval,
        }))}
      />
    </section>
  );
}
