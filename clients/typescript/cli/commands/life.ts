import type { ResponseData } from 'campaign-service-client';
import type { Command } from 'commander';
import { randomInt } from 'node:crypto';
import { addCommand, positiveNumber, wholeNumber } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { CommandError } from '../failure.js';
import { postIdOf } from '../reference.js';
import type { Session } from '../session.js';
import { cut, money, pairs, plural, table } from '../text.js';

const LISTED = 20;

const SEEDS = 2 ** 31;

/** Adds `list`, `show`, `start`, `stop`, `simulate` and `preview`. */
export function addLife(program: Command, session: Session): void {
  addCommand<{ status?: string; search?: string; limit: number }>(
    program,
    session,
    'list',
    'List campaigns, newest first',
    (command) =>
      command
        .option('--status <status>', 'Only draft, scheduled, live, paused, completed or archived')
        .option('--search <text>', 'Only those with this text in their title')
        .option('--limit <number>', 'At most so many', positiveNumber, LISTED),
    async ({ limit, ...filters }) => {
      const found = await session
        .client()
        .campaigns.list({ ...(filters as object), limit: Math.min(limit, 100) }, session.call)
        .toArray({ limit });
      session.result(found, () => listLines(found));
      if (found.length === 0) {
        session.next('campaign init writes an example of a campaign.');
      }
    },
  );

  addCommand(
    program,
    session,
    'show [campaign]',
    'Show a campaign',
    plain,
    async (_, reference) => {
      const post_id = await postIdOf(session, reference);
      const campaign = await session.client().campaigns.get(post_id, session.call);
      session.result(campaign, () => campaignLines(campaign));
    },
  );

  addCommand(
    program,
    session,
    'start [campaign]',
    'Start a campaign',
    plain,
    async (_, reference) => {
      const post_id = await postIdOf(session, reference);
      const { campaigns } = session.client();
      const started = await campaigns.start(post_id, session.call);
      const { maximum_cost, currency } = await campaigns.launchCheck(post_id, session.call);
      session.result({ ...started, maximum_cost, currency }, () => [
        `${post_id} is ${started.status}. It can cost at most ${money(maximum_cost, currency)}.`,
      ]);
      if (started.mode === 'test') {
        session.next(
          `campaign simulate ${reference ?? ''}`.trimEnd() + ' lets made-up respondents answer.',
        );
      } else {
        session.next(`campaign results ${reference ?? ''}`.trimEnd());
      }
    },
  );

  addCommand(
    program,
    session,
    'stop [campaign]',
    'Stop a campaign',
    plain,
    async (_, reference) => {
      const post_id = await postIdOf(session, reference);
      const stopped = await session.client().campaigns.stop(post_id, session.call);
      session.result(stopped, () => [`${post_id} is ${stopped.status}.`]);
    },
  );

  addCommand<{ respondents: number; seed?: number }>(
    program,
    session,
    'simulate [campaign]',
    'Let made-up respondents take part in a live campaign of test data',
    (command) =>
      command
        .option('--respondents <number>', 'How many', positiveNumber, 50)
        .option('--seed <number>', 'The same seed has the same respondents', wholeNumber),
    async ({ respondents, seed }, reference) => {
      const post_id = await postIdOf(session, reference);
      const request = { respondents, seed: seed ?? randomInt(SEEDS) };
      session.progress(`${plural(respondents, 'respondent')} …`);
      const done = await session.client().campaigns.simulate(post_id, request, session.call);
      session.progress('');
      if (done.begun === 0 && done.refused.some(({ code }) => code === 'campaign_not_live')) {
        throw new CommandError(
          `The campaign is ${done.status}, so nobody could take part.`,
          EXIT.refused,
          `Start it: ${`campaign start ${reference ?? ''}`.trimEnd()}`,
        );
      }
      session.result(done, () => [
        `${plural(done.begun, 'respondent')} began, ${done.submitted} submitted, ${done.abandoned} gave up.`,
        `They earned ${money(done.spent, done.currency)}. The campaign is ${done.status}.`,
        ...table(
          ['Refused', 'Respondents'],
          done.refused.map(({ code, count }) => [code, count]),
        ).slice(done.refused.length === 0 ? 2 : 0),
      ]);
      session.next(`campaign results ${reference ?? ''}`.trimEnd());
    },
  );

  addCommand<{ language?: string }>(
    program,
    session,
    'preview [campaign]',
    'Make a secret link to a page that shows what a respondent sees',
    (command) => command.option('--language <tag>', 'The language of the page, such as de'),
    async ({ language }, reference) => {
      const post_id = await postIdOf(session, reference);
      const link = await session
        .client()
        .questions.createPreviewLink(post_id, { ...(language && { language }) }, session.call);
      session.result(link, () => [
        link.url,
        `It works until ${link.expires_at}. Nothing is stored.`,
      ]);
    },
  );
}

const plain = (command: Command) => command;

type Listed = ResponseData<'listCampaigns'>['items'];

function listLines(campaigns: Listed): string[] {
  if (campaigns.length === 0) {
    return ['There are no campaigns.'];
  }
  return table(
    ['Campaign', 'Reference', 'Title', 'Status', 'Responses', 'Of', 'Spent'],
    campaigns.map(({ post_id, external_ref, title, status, progress, max_responses, currency }) => [
      post_id,
      external_ref,
      cut(title, 40),
      status,
      progress.submitted,
      max_responses,
      money(progress.spent, currency),
    ]),
  );
}

function campaignLines(campaign: ResponseData<'getCampaign'>): string[] {
  const { progress, currency, status_reasons, questions, cohort_rewards } = campaign;
  const reasons = status_reasons.length === 0 ? '' : ` (${status_reasons.join(', ')})`;
  const limit = campaign.max_responses === null ? '' : ` of ${campaign.max_responses}`;
  return pairs({
    Campaign: campaign.post_id,
    Reference: campaign.external_ref,
    Title: campaign.title,
    Status: `${campaign.status}${reasons}`,
    Data: campaign.mode,
    Questions: questions?.total_questions ?? 'none',
    Responses: `${progress.submitted}${limit}`,
    Answering: progress.open,
    Spent: money(progress.spent, currency),
    Budget: money(campaign.budget, currency),
    Rewards: Object.values(cohort_rewards).join(', '),
    Starts: campaign.starts_at,
    Ends: campaign.ends_at,
  });
}
