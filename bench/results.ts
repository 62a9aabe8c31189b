import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Account } from './account.types';
import { makeCompany, millisecondsOf, send } from './company';
import { SERVICE_DIRECTORY, serviceProgram } from './contestants';
import { databaseOf, describeServer, fill, migrate, withClient } from './databases';
import { FIELDING_ROWS } from './fielding-rows';
import { measureExport, measureUnread } from './exports';
import { wholeNumber } from './options';
import type { Server } from './processes';
import { reportResults, ResultsFigures, Times, timesOf } from './results-report';
import { inSession, Session } from './session';
import { storeResponses } from './stored-responses';
import { measureFold, measureKeepingUp, untilFolded, WITHOUT_TALLY } from './tally';
import { measured, Round } from './work';

/** `npm run bench -- results`: the tally, results, exports and the results page. */

/** Responses of the smaller campaign. */
const FEW = 10_000;

/** Responses per second that arrive while results are read, and that the tally keeps up with. */
const ARRIVING = 500;
const KEPT_UP_WITH = 2_000;

/** Events of a batch: at most, and of a company with some responses per second. */
const BATCH = 1_000;
const SMALL_BATCH = 100;

const WARM_UP = 2;

/** Without a limit, the process keeps its garbage as long as the machine has memory. */
const HEAP_LIMIT = '--max-old-space-size=160';

/** Questions of the results page, and options of each. */
const PAGE_QUESTIONS = 20;
const PAGE_OPTIONS = ['Always', 'Often', 'Sometimes', 'Rarely', 'Never'];
const PAGE_RESPONDENTS = 200;

/** How much is measured. */
interface Size {
  responses: number;
  rounds: number;
  seconds: number;
}

/** A live campaign of a company. */
interface Campaign {
  companyId: string;
  campaignId: number;
  key: string;
  postId: string;
}

function firstLive({ companyId, key, live: [campaign] = [] }: Account): Campaign {
  if (campaign === undefined) {
    throw new Error('there are no live campaigns');
  }
  return { companyId, key, campaignId: campaign.id, postId: campaign.postId };
}

/** Milliseconds between two reads of results. */
const PAUSE = 50;

/** Milliseconds of reads of results, one after the other. */
async function measureReads(
  server: Server,
  { key, postId }: Campaign,
  isOver: (count: number) => boolean,
): Promise<number[]> {
  const read = () =>
    send(
      { server, headers: { 'x-api-key': key } },
      `/svc/campaign/${postId}/results`,
      undefined,
      'GET',
    );
  await read();
  const found: number[] = [];
  while (!isOver(found.length)) {
    found.push(await millisecondsOf(read));
    await sleep(PAUSE);
  }
  return found;
}

/** The same while responses to the campaign arrive, and how many per second that were. */
async function measureBusyReads(
  session: Session,
  server: Server,
  accounts: Account[],
  campaign: Campaign,
  seconds: number,
): Promise<{ milliseconds: number[]; arriving: number }> {
  const order = { url: server.url, dialect: 'service' as const, row: 'submit-hot', accounts };
  let isOver = false;
  const load = session.load.run({ ...order, seconds, rate: ARRIVING }).finally(() => {
    isOver = true;
  });
  const [milliseconds, { requestsPerSecond }] = await Promise.all([
    measureReads(server, campaign, () => isOver),
    load,
  ]);
  return { milliseconds, arriving: requestsPerSecond };
}

/** What submits cost in databases with and without a tally, in turn, by the kind of work. */
async function measureSubmits(
  session: Session,
  template: string,
  accounts: Account[],
  { rounds, seconds }: Size,
): Promise<Record<string, Round[]>> {
  const found: Record<string, Round[]> = {};
  const contestants = await Promise.all(
    ['with', 'without'].map(async (name) => {
      const url = await session.databases.create(name, template);
      if (name === 'without') {
        await withClient(url, (client) => client.query(WITHOUT_TALLY));
      }
      const server = await session.start(serviceProgram(SERVICE_DIRECTORY, { DATABASE_URL: url }));
      return { name, url, server };
    }),
  );
  for (const row of ['submit', 'submit-hot'] as const) {
    for (let round = -1; round < rounds; round += 1) {
      for (const { name, url, server } of contestants) {
        const order = { url: server.url, dialect: 'service' as const, row, accounts };
        const result = await measured(server, databaseOf(url), async () => {
          const length = round < 0 ? WARM_UP : seconds;
          const outcome = await session.load.run({ ...order, seconds: length });
          await untilFolded(url);
          return { count: outcome.answers, seconds: outcome.seconds };
        });
        const all = (found[`${FIELDING_ROWS[row].title}, ${name} the tally`] ??= []);
        all.push(...(round < 0 ? [] : [result]));
      }
    }
  }
  await Promise.all(contestants.map(({ server }) => server.stop()));
  return found;
}

/** Bytes, milliseconds and CPU of a results page. */
async function measurePage(server: Server, count: number) {
  const questions = Array.from({ length: PAGE_QUESTIONS }, (_, index) => ({
    type: 'single_choice',
    question: `Question ${index + 1}: how often do you drink coffee at home?`,
    options: PAGE_OPTIONS,
  }));
  const company = await makeCompany(server, {}, questions);
  const { postId: post_id } = company;
  const simulation = { post_id, respondents: PAGE_RESPONDENTS, seed: 1 };
  await send(company, '/svc/campaign/simulate', simulation);
  const { url } = await send<{ url: string }>(company, '/svc/campaign/results-link', { post_id });
  const bytes = (await (await fetch(url)).text()).length;
  const open = async () => {
    await (await fetch(url)).arrayBuffer();
  };
  const milliseconds: number[] = [];
  const { serverCpu } = await measured(server, undefined, async () => {
    const startedAt = performance.now();
    while (milliseconds.length < count) {
      milliseconds.push(await millisecondsOf(open));
    }
    return { count, seconds: (performance.now() - startedAt) / 1000 };
  });
  return { bytes, milliseconds: timesOf(milliseconds), serverCpu: serverCpu / 1000 };
}

async function measureAll(session: Session, size: Size): Promise<ResultsFigures> {
  const { responses, rounds, seconds } = size;
  const template = await session.databases.create('results');
  migrate({ DATABASE_URL: template }, SERVICE_DIRECTORY);
  const accounts = await fill(template, { companies: 20, campaigns: 100, used: 5, fielding: true });
  const submits = await measureSubmits(session, template, accounts, size);

  const url = await session.databases.create('stored', template);
  const [many, few] = accounts.slice(0, 2).map(firstLive) as [Campaign, Campaign];
  await withClient(url, async (client) => {
    await storeResponses(client, few, FEW);
    await storeResponses(client, many, responses);
  });
  const foldSlowly = await measureFold(url, few.companyId, SMALL_BATCH);
  const fold = await measureFold(url, many.companyId, BATCH);
  const server = await session.start(serviceProgram(SERVICE_DIRECTORY, { DATABASE_URL: url }));
  await untilFolded(url);

  const reads: Record<string, Times> = {};
  const isEnough = (count: number) => count >= 20 * rounds;
  for (const [count, campaign] of [
    [FEW, few],
    [responses, many],
  ] as const) {
    reads[count] = timesOf(await measureReads(server, campaign, isEnough));
  }
  const path = `/svc/campaign/${many.postId}/responses/export`;
  const limited = await session.start(
    serviceProgram(SERVICE_DIRECTORY, { DATABASE_URL: url, NODE_OPTIONS: HEAP_LIMIT }),
  );
  const small = `/svc/campaign/${few.postId}/responses/export`;
  await measureExport(limited, url, small, few.key);
  const exported = await measureExport(limited, url, path, many.key);
  const unread = await measureUnread(limited, url, path, many.key);
  await limited.stop();
  const page = await measurePage(server, 20 * rounds);
  const busy = await measureBusyReads(session, server, accounts, many, rounds * seconds);
  await untilFolded(url);
  const keepingUp = await measureKeepingUp(url, many, {
    first: responses + 1,
    rate: KEPT_UP_WITH,
    seconds: rounds * seconds,
  });
  return {
    ...{ responses, rounds, seconds, fold, foldSlowly, submits, reads },
    busyReads: { ...busy, milliseconds: timesOf(busy.milliseconds) },
    ...{ keepingUp, exported, unread, page },
  };
}

inSession(async (session) => {
  const { values } = parseArgs({
    options: {
      responses: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '5' },
      short: { type: 'boolean', default: false },
    },
  });
  const figures = await measureAll(
    session,
    values.short
      ? { responses: 20_000, rounds: 1, seconds: 2 }
      : {
          responses: wholeNumber('responses', values.responses),
          rounds: wholeNumber('rounds', values.rounds),
          seconds: wholeNumber('seconds', values.seconds),
        },
  );
  reportResults(values.short ? 'results-short' : 'results', figures, await describeServer());
});
