import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Account } from './account.types';
import type { Row } from './row.types';
import { ComparisonOptions, comparisonOptions } from './options';
import { Contestant, contestants, SERVICE_DIRECTORY, serviceProgram } from './contestants';
import { databaseOf, describeServer, Filling, migrate, withClient } from './databases';
import { dialects } from './dialects';
import { filledDirectory } from './embedded';
import type { LoadGenerator } from './load-generator';
import { Measurement, measure } from './measure';
import type { Server } from './processes';
import { ComparedRow, reportComparison, summaryLine } from './comparison-report';
import { RowName, ROWS } from './rows';
import { inSession, Session } from './session';
import { withoutOptional } from './shape';

/** `npm run bench`: measures every contestant on every row, in turn, several times. */

/** How much is stored before the measurement. */
const FILLING: Filling = { companies: 20, campaigns: 4_000 };

interface Running {
  contestant: Contestant;
  server: Server;
  /** The name of its database, unless the server embeds it. */
  database?: string;
  accounts: Account[];
}

/** A filled database to copy, and the clients that send requests. */
interface Template {
  url: string;
  accounts: Account[];
}

/** A database with the schema of a build of the service, filled by that build's bench. */
async function makeTemplate(
  session: Session,
  directory: string,
  filling: Filling,
): Promise<Template> {
  const url = await session.databases.create(`filled_${randomBytes(2).toString('hex')}`);
  migrate({ DATABASE_URL: url }, directory);
  const program = join(directory, 'bench/dist/databases.js');
  const { fill } = (await import(program)) as typeof import('./databases');
  return { url, accounts: await fill(url, filling) };
}

/** Starts a contestant, on a copy of the filled database or on a database that is filled for it. */
async function start(
  contestant: Contestant,
  session: Session,
  filling: Filling,
  templateOf: (directory: string) => Promise<Template>,
): Promise<Running> {
  const { name, schemaOf, sql } = contestant;
  if (contestant.embedded === true) {
    const filled = await filledDirectory(session, SERVICE_DIRECTORY, filling);
    const server = await session.start(
      serviceProgram(SERVICE_DIRECTORY, { DATA_DIR: filled.directory }),
    );
    return { contestant, server, accounts: filled.accounts };
  }
  const template = schemaOf === undefined ? undefined : await templateOf(schemaOf);
  const url = await session.databases.create(name, template?.url);
  if (sql !== undefined) {
    await withClient(url, (client) => client.query(sql));
  }
  const server = await session.start(contestant.program(url));
  const filled = await contestant.fill?.(server.url, url, filling);
  const accounts = filled ?? template?.accounts ?? [];
  return { contestant, server, database: databaseOf(url), accounts };
}

function has({ dialect, fielding = false }: Contestant, row: RowName): boolean {
  const rows: Record<string, Row | undefined> = dialects[dialect];
  const found = rows[row];
  const isForAll = found?.fielding !== true && found?.serviceOnly !== true;
  return found !== undefined && (fielding || isForAll);
}

/** Measures in the order A B A B …, so that earlier load affects all contestants alike. */
async function compare(
  row: RowName,
  running: readonly Running[],
  load: LoadGenerator,
  { rounds, seconds, warmUp }: ComparisonOptions,
): Promise<ComparedRow> {
  const order = ({ contestant, server, database, accounts }: Running, length: number) =>
    measure(
      load,
      { pid: server.pid, database },
      {
        url: server.url,
        dialect: contestant.dialect,
        row,
        accounts,
        seconds: length,
      },
    );
  const takingPart = running.filter(({ contestant }) => has(contestant, row));
  const measurements = new Map<string, Measurement[]>();
  for (const one of takingPart) {
    await order(one, warmUp);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const one of takingPart) {
      const { name } = one.contestant;
      measurements.set(name, [...(measurements.get(name) ?? []), await order(one, seconds)]);
    }
  }
  requireSameShape(row, takingPart, measurements);
  return { name: row, title: ROWS[row].title, kind: ROWS[row].kind, measurements };
}

/** Contestants that use the same dialect must return the same responses. */
function requireSameShape(
  row: RowName,
  running: readonly Running[],
  measurements: ReadonlyMap<string, Measurement[]>,
): void {
  const membersOf = ({ contestant }: Running) =>
    measurements.get(contestant.name)?.flatMap(({ shape }) => shape) ?? [];
  for (const dialect of Object.keys(dialects)) {
    const alike = running.filter(({ contestant }) => contestant.dialect === dialect);
    const all = alike.flatMap(membersOf);
    const [first, ...others] = alike.map((one) => ({
      name: one.contestant.name,
      shape: [...new Set(withoutOptional(membersOf(one), all))].sort().join('\n'),
    }));
    for (const other of others) {
      if (first !== undefined && other.shape !== first.shape) {
        throw new Error(
          `${row}: the answers differ.\n${first.name}:\n${first.shape}\n${other.name}:\n${other.shape}`,
        );
      }
    }
  }
}

function chosen(options: ComparisonOptions): Contestant[] {
  const all = contestants(options.serviceDirectory);
  const names = options.contestants ?? all.filter((one) => !one.optional).map(({ name }) => name);
  return names.map((name) => {
    const found = all.find((one) => one.name === name);
    if (found === undefined) {
      throw new Error(
        `there is no contestant ${name}; there are ${all.map((one) => one.name).join(', ')}`,
      );
    }
    return found;
  });
}

inSession(async (session) => {
  const options = comparisonOptions();
  const taking = chosen(options);
  const filling = { ...FILLING, fielding: options.rows.some((row) => 'fielding' in ROWS[row]) };
  const templates = new Map<string, Promise<Template>>();
  const templateOf = (directory: string) => {
    const made = templates.get(directory) ?? makeTemplate(session, directory, filling);
    templates.set(directory, made);
    return made;
  };
  const running: Running[] = [];
  for (const contestant of taking) {
    running.push(await start(contestant, session, filling, templateOf));
  }
  const rows: ComparedRow[] = [];
  for (const row of options.rows) {
    const compared = await compare(row, running, session.load, options);
    process.stdout.write(`${summaryLine(compared)}\n`);
    rows.push(compared);
  }
  reportComparison(options, taking, rows, filling, await describeServer());
});
