import { parseArgs } from 'node:util';
import { Company, makeCompany, millisecondsOf, send } from './company';
import { SERVICE_DIRECTORY, serviceProgram } from './contestants';
import { cpuSeconds } from './cpu';
import { describeServer, migrate } from './databases';
import { emptyDirectory } from './embedded';
import { wholeNumber } from './options';
import type { Server } from './processes';
import { describeMachine, table, withSpread, writeResults } from './report';
import { inSession } from './session';
import { Spread, spreadOf } from './statistics';

/** `npm run bench -- forecast`: forecasts, what they make other requests wait, and simulations. */

/** The work of a forecast, as its request asks for it. */
const FORECASTS = {
  'the default, of a campaign for 1,000 responses': {},
  '10,000 runs of 2,000 respondents': { runs: 10_000, respondents: 2_000 },
  '100 runs of 200,000 respondents': { runs: 100, respondents: 200_000 },
} as const;

const LIMITS: Readonly<Record<string, object>> = {
  'the default, of a campaign for 1,000 responses': { max_responses: 1_000 },
};

type ForecastName = keyof typeof FORECASTS;

const LARGEST: ForecastName = '10,000 runs of 2,000 respondents';

const RESPONDENTS = 500;

const forecast = (company: Company, name: ForecastName) =>
  send(company, '/svc/campaign/forecast', { post_id: company.postId, ...FORECASTS[name] });

/** Milliseconds of each forecast. The first few, which compile the code, are not counted. */
async function measureForecast(
  company: Company,
  name: ForecastName,
  rounds: number,
): Promise<number[]> {
  const found: number[] = [];
  for (let round = -3; round < rounds; round += 1) {
    const milliseconds = await millisecondsOf(() => forecast(company, name));
    found.push(...(round < 0 ? [] : [milliseconds]));
  }
  return found;
}

/** The longest that a small request of another client takes while some work lasts. */
async function longestWait(server: Server, work: Promise<unknown>): Promise<number> {
  const during = { work: true };
  const ended = work.finally(() => {
    during.work = false;
  });
  let longest = 0;
  while (during.work) {
    const ping = () => send({ server, headers: {} }, '/health/live', undefined, 'GET');
    longest = Math.max(longest, await millisecondsOf(ping));
  }
  await ended;
  return longest;
}

async function measureWaits(company: Company, rounds: number) {
  const { server } = company;
  const [idle, busy]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const length = await millisecondsOf(() => forecast(company, LARGEST));
    const pause = new Promise((resolve) => setTimeout(resolve, length));
    idle.push(await longestWait(server, pause));
    busy.push(await longestWait(server, forecast(company, LARGEST)));
  }
  return { idle, busy };
}

/** Respondents per second, and milliseconds of the service's CPU for each. */
async function measureSimulation(server: Server, rounds: number) {
  const [perSecond, cpu]: [number[], number[]] = [[], []];
  for (let round = -1; round < rounds; round += 1) {
    const company = await makeCompany(server);
    const before = cpuSeconds(server.pid) ?? NaN;
    const request = { post_id: company.postId, respondents: RESPONDENTS, seed: round + 1 };
    const length = await millisecondsOf(() => send(company, '/svc/campaign/simulate', request));
    if (round >= 0) {
      perSecond.push((RESPONDENTS / length) * 1000);
      cpu.push((((cpuSeconds(server.pid) ?? NaN) - before) / RESPONDENTS) * 1000);
    }
  }
  return { perSecond: spreadOf(perSecond), cpu: spreadOf(cpu) };
}

inSession(async (session) => {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '9' } } });
  const rounds = wholeNumber('rounds', values.rounds);
  const url = await session.databases.create('forecast');
  migrate({ DATABASE_URL: url }, SERVICE_DIRECTORY);
  const start = (variables: NodeJS.ProcessEnv) =>
    session.start(serviceProgram(SERVICE_DIRECTORY, variables));

  const server = await start({ DATABASE_URL: url });
  const forecasts: [string, Spread][] = [];
  for (const name of Object.keys(FORECASTS) as ForecastName[]) {
    const company = await makeCompany(server, LIMITS[name]);
    forecasts.push([name, spreadOf(await measureForecast(company, name, rounds))]);
  }
  const waits = await measureWaits(await makeCompany(server), rounds);
  const onPostgres = await measureSimulation(server, rounds);
  await server.stop();
  const embedded = await start({ DATA_DIR: await emptyDirectory(session) });
  const onEmbedded = await measureSimulation(embedded, rounds);

  const postgres = await describeServer();
  const markdown = [
    '# Forecast and simulation',
    '',
    `Medians of ${rounds} rounds, with the least and the most. ${describeMachine(postgres)}`,
    '',
    table(
      ['forecast', 'ms'],
      forecasts.map(([name, spread]) => [name, withSpread(spread, 0)]),
    ),
    '',
    `The longest that another client waited for \`/health/live\`, one request after the other: ` +
      `${withSpread(spreadOf(waits.busy), 1)} ms during a forecast of ${LARGEST}, and ` +
      `${withSpread(spreadOf(waits.idle), 1)} ms in an equally long time without one.`,
    '',
    table(
      [`simulation of ${RESPONDENTS} respondents`, 'respondents/s', 'server CPU, ms each'],
      Object.entries({ PostgreSQL: onPostgres, 'embedded database': onEmbedded }).map(
        ([name, { perSecond, cpu }]) => [name, withSpread(perSecond, 0), withSpread(cpu, 1)],
      ),
    ),
    '',
  ].join('\n');
  const simulations = { postgres: onPostgres, embedded: onEmbedded };
  writeResults('forecast', markdown, { rounds, postgres, forecasts, waits, simulations });
});
