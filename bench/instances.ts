import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { Account } from './account.types';
import { SERVICE_DIRECTORY, serviceProgram } from './contestants';
import { backendCpuSeconds, cpuSeconds, usedSince } from './cpu';
import { databaseOf, describeServer, fill, migrate } from './databases';
import { CONNECTIONS } from './load-order';
import type { LoadGenerator } from './load-generator';
import { rowsNamed, wholeNumber } from './options';
import type { Server } from './processes';
import { describeMachine, table, writeResults } from './report';
import { ROWS } from './rows';
import { inSession } from './session';
import { spreadOf } from './statistics';
import { waitsDuring } from './waits';

/** `npm run bench -- instances`: several instances on one PostgreSQL. */

const WARM_UP = 3;

/** The results of all instances together; CPU in cores. */
interface Together {
  requestsPerSecond: number;
  p99: number;
  servers: number[];
  postgres: number;
  loadGenerators: number;
  waits: Record<string, number>;
}

async function runTogether(
  url: string,
  servers: readonly Server[],
  loads: readonly LoadGenerator[],
  accounts: Account[],
  row: string,
  seconds: number,
): Promise<Together> {
  const used = () => servers.map(({ pid }) => cpuSeconds(pid) ?? NaN);
  const serversBefore = used();
  const backendsBefore = backendCpuSeconds(databaseOf(url));
  const startedAt = performance.now();
  const running = Promise.all(
    servers.flatMap((server, index) => {
      const order = { url: server.url, dialect: 'service' as const, row, accounts, seconds };
      const connections = CONNECTIONS / servers.length;
      const load = loads[index];
      return load === undefined ? [] : [load.run({ ...order, connections })];
    }),
  );
  const waits = await waitsDuring(url, running);
  const outcomes = await running;
  const passed = (performance.now() - startedAt) / 1000;
  const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
  return {
    requestsPerSecond: sum(outcomes.map((one) => one.requestsPerSecond)),
    p99: Math.max(...outcomes.map((one) => one.p99)),
    servers: used().map((after, index) => (after - (serversBefore[index] ?? NaN)) / passed),
    postgres: usedSince(backendsBefore, backendCpuSeconds(databaseOf(url))) / passed,
    loadGenerators: sum(outcomes.map((one) => one.cpuSeconds)) / passed,
    waits,
  };
}

inSession(async (session) => {
  const { values } = parseArgs({
    options: {
      instances: { type: 'string', default: '1,2,4' },
      rows: { type: 'string', default: 'create,update,read' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '5' },
    },
  });
  const counts = values.instances.split(',').map((count) => wholeNumber('instances', count));
  const rounds = wholeNumber('rounds', values.rounds);
  const seconds = wholeNumber('seconds', values.seconds);
  const url = await session.databases.create('shared');
  migrate({ DATABASE_URL: url }, SERVICE_DIRECTORY);
  const accounts = await fill(url, { companies: 20, campaigns: 4_000 });
  const servers: Server[] = [];
  const loads: LoadGenerator[] = [];
  for (let n = 0; n < Math.max(...counts); n += 1) {
    const program = serviceProgram(SERVICE_DIRECTORY, { DATABASE_URL: url });
    servers.push(await session.start(program));
    loads.push(session.anotherLoad());
  }

  const body: string[][] = [];
  const figures: object[] = [];
  for (const row of rowsNamed(values.rows)) {
    const measured = new Map(counts.map((count): [number, Together[]] => [count, []]));
    await runTogether(url, servers, loads, accounts, row, WARM_UP);
    for (let round = 0; round < rounds; round += 1) {
      for (const [count, all] of measured) {
        const some = servers.slice(0, count);
        all.push(await runTogether(url, some, loads, accounts, row, seconds));
      }
    }
    for (const [count, all] of measured) {
      const middle = (figure: (one: Together) => number) => spreadOf(all.map(figure)).median;
      const cores = (figure: (one: Together) => number) => middle(figure).toFixed(2);
      const sum = ({ servers: each }: Together) => each.reduce((a, b) => a + b, 0);
      const waits = Object.entries(all.at(-1)?.waits ?? {})
        .slice(0, 3)
        .map(([event, share]) => `${event} ${(share * 100).toFixed(0)} %`);
      body.push([
        count === counts[0] ? ROWS[row].title : '',
        String(count),
        middle((one) => one.requestsPerSecond).toFixed(0),
        middle((one) => one.p99).toFixed(1),
        cores(sum),
        cores((one) => one.postgres),
        cores((one) => one.loadGenerators),
        cores((one) => sum(one) + one.postgres + one.loadGenerators),
        waits.join(', '),
      ]);
      figures.push({ row, instances: count, measured: all });
    }
    process.stdout.write(`${ROWS[row].title} is measured\n`);
  }
  const postgres = await describeServer();
  const markdown = [
    '# Instances',
    '',
    `Instances of the service on one PostgreSQL database, ${CONNECTIONS} connections in all, shared out ` +
      `evenly. ${rounds} rounds of ${seconds} s. ${describeMachine(postgres)}`,
    '',
    `CPU is in cores, of the ${cpus().length} there are: of all instances, of PostgreSQL's backends, of the`,
    "load generators, and of these together. The last column is what PostgreSQL's backends were at when",
    'they had a statement to work on.',
    '',
    table(
      ['row', 'instances', 'req/s', 'p99 ms', 'instances', 'PostgreSQL', 'load', 'all', 'waits'],
      body,
    ),
    '',
  ].join('\n');
  writeResults('instances', markdown, { rounds, seconds, postgres, figures });
});
