import { parseArgs } from 'node:util';
import type { Account } from './account.types';
import { SERVICE_DIRECTORY, serviceProgram } from './contestants';
import { databaseOf, describeServer, fill, migrate, withClient } from './databases';
import { Measurement, measure } from './measure';
import { rowsNamed, wholeNumber } from './options';
import type { Server } from './processes';
import { describeMachine, table, withSpread, writeResults } from './report';
import { ROWS } from './rows';
import { inSession, Session } from './session';
import { spreadOf } from './statistics';

/** `npm run bench -- growth`: the same work with more and more stored campaigns. */

const COMPANIES = 20;

/** Exceeds the processors' caches: of a million campaigns, requests are for forty thousand. */
const USED = 2_000;

const WARM_UP = 3;

interface Grown {
  campaigns: number;
  server: Server;
  database: string;
  accounts: Account[];
}

async function grow(session: Session, campaigns: number): Promise<Grown> {
  const url = await session.databases.create(`grown_${campaigns}`);
  migrate({ DATABASE_URL: url }, SERVICE_DIRECTORY);
  const accounts = await fill(url, { companies: COMPANIES, campaigns, used: USED });
  // Writes the filled rows to their files now rather than during the measurement.
  await withClient(url, (client) => client.query('CHECKPOINT'));
  const server = await session.start(serviceProgram(SERVICE_DIRECTORY, { DATABASE_URL: url }));
  process.stdout.write(`${campaigns} campaigns are stored\n`);
  return { campaigns, server, database: databaseOf(url), accounts };
}

inSession(async (session) => {
  const { values } = parseArgs({
    options: {
      sizes: { type: 'string', default: '1000,100000,1000000' },
      rows: { type: 'string', default: 'read,list,toggle,create' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '5' },
    },
  });
  const rounds = wholeNumber('rounds', values.rounds);
  const seconds = wholeNumber('seconds', values.seconds);
  const all: Grown[] = [];
  for (const size of values.sizes.split(',')) {
    all.push(await grow(session, wholeNumber('sizes', size)));
  }
  const order = (row: string, { server, database, accounts }: Grown, length: number) =>
    measure(
      session.load,
      { pid: server.pid, database },
      { url: server.url, dialect: 'service', row, accounts, seconds: length },
    );

  const body: string[][] = [];
  const figures: object[] = [];
  for (const row of rowsNamed(values.rows)) {
    const measured = all.map((): Measurement[] => []);
    for (const one of all) {
      await order(row, one, WARM_UP);
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, one] of all.entries()) {
        measured[index]?.push(await order(row, one, seconds));
      }
    }
    const smallest = measured[0] ?? [];
    all.forEach(({ campaigns }, index) => {
      const found = measured[index] ?? [];
      const rate = spreadOf(found.map((one) => one.requestsPerSecond));
      const p99 = spreadOf(found.map((one) => one.p99));
      const slower = spreadOf(
        found.map(
          (one, round) => (smallest[round]?.requestsPerSecond ?? NaN) / one.requestsPerSecond,
        ),
      );
      const postgresCpu = spreadOf(found.map((one) => one.postgresCpu));
      body.push([
        index === 0 ? ROWS[row].title : '',
        campaigns.toLocaleString('en'),
        withSpread(rate, 0),
        withSpread(slower, 2),
        withSpread(p99, 1),
        postgresCpu.median.toFixed(0),
      ]);
      figures.push({ row, campaigns, requestsPerSecond: rate, slower, p99Ms: p99, postgresCpu });
    });
    process.stdout.write(`${ROWS[row].title} is measured\n`);
  }
  const postgres = await describeServer();
  const markdown = [
    '# Growth',
    '',
    `The service on PostgreSQL, ${COMPANIES} companies, every other campaign with questions; ` +
      `requests for up to ${USED} campaigns of each. ${rounds} rounds of ${seconds} s. ` +
      describeMachine(postgres),
    '',
    'Medians of the rounds, with the least and the most. Slower: how many times as long a request',
    'takes as with the fewest campaigns in the same round. CPU of PostgreSQL is in microseconds an answer.',
    '',
    table(['row', 'campaigns', 'req/s', 'slower', 'p99 ms', 'PG CPU'], body),
    '',
  ].join('\n');
  writeResults('growth', markdown, { rounds, seconds, postgres, figures });
});
