import { ComparisonOptions, comparisonOptions } from './options';
import { Contestant, contestants, SERVICE_DIRECTORY, serviceProgram } from './contestants';
import { Account, databaseOf, describeServer, fill, migrate, withClient } from './databases';
import { dialects } from './dialects';
import { filledDirectory } from './embedded';
import type { LoadGenerator } from './load-generator';
import { Measurement, measure } from './measure';
import type { Server } from './processes';
import { ComparedRow, reportComparison, summaryLine } from './comparison-report';
import { Row, RowName, ROWS } from './rows';
import { inSession, Session } from './session';
import { withoutOptional } from './shape';

/** `npm run bench`: every contestant on every row, one after the other, several times. */

/** What is stored before anything is measured. */
const FILLING = { companies: 20, campaigns: 4_000 };

interface Running {
  contestant: Contestant;
  server: Server;
  /** The name of its database, unless it is within the server. */
  database?: string;
  accounts: Account[];
}

/** Starts a contestant, on a copy of the filled database or on one that is filled for it. */
async function start(
  contestant: Contestant,
  session: Session,
  template: string,
  accounts: Account[],
): Promise<Running> {
  const { name, schemaOf, sql } = contestant;
  if (contestant.embedded === true) {
    const filled = await filledDirectory(session, SERVICE_DIRECTORY, FILLING);
    const server = await session.start(
      serviceProgram(SERVICE_DIRECTORY, { DATA_DIR: filled.directory }),
    );
    return { contestant, server, accounts: filled.accounts };
  }
  const url = await session.databases.create(name, schemaOf === undefined ? undefined : template);
  if (schemaOf !== undefined) {
    migrate({ DATABASE_URL: url }, schemaOf);
  }
  if (sql !== undefined) {
    await withClient(url, (client) => client.query(sql));
  }
  const server = await session.start(contestant.program(url));
  const filled = await contestant.fill?.(server.url, url, FILLING);
  return { contestant, server, database: databaseOf(url), accounts: filled ?? accounts };
}

function has({ dialect }: Contestant, row: RowName): boolean {
  const rows: Record<string, Row> = dialects[dialect];
  return row in rows;
}

/** Measures A B A B …; what came before is the same for all. */
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

/** Who speaks the same dialect must give the same answers. */
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
  const template = await session.databases.create('filled');
  // Each build of the service brings its own copy to its own schema.
  migrate({ DATABASE_URL: template }, SERVICE_DIRECTORY);
  const accounts = await fill(template, FILLING);
  const running: Running[] = [];
  for (const contestant of taking) {
    running.push(await start(contestant, session, template, accounts));
  }
  const rows: ComparedRow[] = [];
  for (const row of options.rows) {
    const compared = await compare(row, running, session.load, options);
    process.stdout.write(`${summaryLine(compared)}\n`);
    rows.push(compared);
  }
  reportComparison(options, taking, rows, FILLING, await describeServer());
});
