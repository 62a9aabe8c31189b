import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Company, makeCompany, millisecondsOf, send } from './company';
import { SERVICE_DIRECTORY, serviceProgram } from './contestants';
import { describeServer, fill, migrate, withClient } from './databases';
import { wholeNumber } from './options';
import type { Server } from './processes';
import { describeMachine, table, writeResults } from './report';
import { Times, timesOf } from './results-report';
import { inSession } from './session';
import { storeResponses } from './stored-responses';

/** `npm run bench -- guardrails`: how soon they stop a campaign, and backtests. */

/** Milliseconds between two polls at whether a campaign is stopped. */
const PAUSE = 10;

/** Conditions with the largest windows, the first of which never holds. */
const CONDITIONS = [
  { metric: 'spent', op: 'gt', value: 1_000_000_000 },
  { metric: 'mean_attention', op: 'lt', value: 10, last: 1_000, confidence: 0.99 },
];

/** The same, in the order in which each of them has to be looked at. */
const RULES: Readonly<Record<string, object[]>> = {
  'a total': CONDITIONS.slice(0, 1),
  'the mean of 1,000 with its interval, and a total': CONDITIONS.toReversed(),
  'the median of 1,000': [
    { metric: 'median_answer_seconds', op: 'gt', value: 86_400, last: 1_000 },
  ],
};

/** Milliseconds from the response to a submission until its campaign is stopped. */
async function measureStop(server: Server): Promise<number> {
  const company = await makeCompany(server);
  const { postId: post_id } = company;
  await send(company, '/svc/guardrail/create', {
    name: 'First response',
    post_id,
    when: { all: [{ metric: 'spent', op: 'gt', value: 0 }] },
    then: 'stop',
  });
  const { participation_id } = await send<{ participation_id: string }>(
    company,
    '/svc/fielding/begin',
    { post_id, respondent_id: 'respondent' },
  );
  await send(company, '/svc/fielding/submit', {
    post_id,
    participation_id,
    attention_score: 10,
    answers: [
      { question: 1, value: 'So' },
      { question: 2, value: 'Because' },
    ],
  });
  return millisecondsOf(async () => {
    while ((await statusOf(company)) === 'live') {
      await sleep(PAUSE);
    }
  });
}

async function statusOf(company: Company): Promise<string> {
  const path = `/svc/campaign/${company.postId}`;
  return (await send<{ status: string }>(company, path, undefined, 'GET')).status;
}

/** A backtest of a whole campaign, and what reads of another company take meanwhile. */
async function measureBacktest(
  caller: Pick<Company, 'server' | 'headers'>,
  postId: string,
  bystander: Company,
  all: object[],
): Promise<{ seconds: number; responses: number; meanwhile: Times }> {
  const during = { backtest: true };
  const startedAt = performance.now();
  const body = { post_id: postId, when: { all } };
  const backtest = send<{ items: { responses: number }[] }>(
    caller,
    '/svc/guardrail/backtest',
    body,
  ).finally(() => {
    during.backtest = false;
  });
  const waits: number[] = [];
  while (during.backtest) {
    waits.push(await millisecondsOf(() => statusOf(bystander)));
  }
  const { items } = await backtest;
  return {
    seconds: (performance.now() - startedAt) / 1000,
    responses: items[0]?.responses ?? NaN,
    meanwhile: timesOf(waits),
  };
}

inSession(async (session) => {
  const { values } = parseArgs({
    options: {
      responses: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '30' },
      short: { type: 'boolean', default: false },
    },
  });
  const responses = values.short ? 20_000 : wholeNumber('responses', values.responses);
  const rounds = values.short ? 3 : wholeNumber('rounds', values.rounds);
  const url = await session.databases.create('guardrails');
  migrate({ DATABASE_URL: url }, SERVICE_DIRECTORY);
  const [account] = await fill(url, { companies: 2, campaigns: 20, used: 5, fielding: true });
  const campaign = account?.live?.[0];
  if (account === undefined || campaign === undefined) {
    throw new Error('there are no live campaigns');
  }
  const { companyId, key } = account;
  await withClient(url, (client) =>
    storeResponses(client, { companyId, campaignId: campaign.id }, responses),
  );
  const server = await session.start(serviceProgram(SERVICE_DIRECTORY, { DATABASE_URL: url }));

  const stops: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    stops.push(await measureStop(server));
  }
  const bystander = await makeCompany(server);
  const caller = { server, headers: { 'x-api-key': key } };
  const backtests: [string, Awaited<ReturnType<typeof measureBacktest>>][] = [];
  for (const [name, all] of Object.entries(RULES)) {
    backtests.push([name, await measureBacktest(caller, campaign.postId, bystander, all)]);
  }

  const postgres = await describeServer();
  const stop = timesOf(stops);
  const one = (milliseconds: number) => milliseconds.toFixed(1);
  const markdown = [
    '# Guardrails',
    '',
    describeMachine(postgres),
    '',
    `From the response to a submission until its campaign was stopped, ${rounds} times: median ` +
      `${one(stop.median)} ms, p99 ${one(stop.p99)} ms, longest ${one(stop.most)} ms.`,
    '',
    'Backtests of one campaign, and what another company waited for reads meanwhile, one after the other:',
    '',
    table(
      ['conditions', 'responses', 'seconds', 'read: median ms', 'p99 ms', 'longest ms'],
      backtests.map(([name, { seconds, responses: read, meanwhile }]) => [
        name,
        String(read),
        one(seconds),
        one(meanwhile.median),
        one(meanwhile.p99),
        one(meanwhile.most),
      ]),
    ),
    '',
  ].join('\n');
  const name = values.short ? 'guardrails-short' : 'guardrails';
  writeResults(name, markdown, { rounds, responses, postgres, stop, backtests });
});
