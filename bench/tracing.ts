import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SERVICE_DIRECTORY, serviceProgram } from './contestants';
import { databaseOf, describeServer, fill, migrate } from './databases';
import { Measured, measure, Measurement } from './measure';
import { rowsNamed, wholeNumber } from './options';
import { describeMachine, table, withSpread, writeResults } from './report';
import { ROWS } from './rows';
import { inSession } from './session';
import { spreadOf } from './statistics';

/** `npm run bench -- tracing`: what an OpenTelemetry SDK costs the service. */

const WARM_UP = 5;

/** The SDK's program from docs/operations.md. */
function writeProgram(): string {
  const guide = readFileSync(join(SERVICE_DIRECTORY, 'docs/operations.md'), 'utf8');
  const [, program] = /```js\n(import .*?)```/s.exec(guide) ?? [];
  if (program === undefined) {
    throw new Error('docs/operations.md has no program that loads an SDK');
  }
  const file = join(__dirname, 'tracing-sdk.mjs');
  writeFileSync(file, program);
  return file;
}

inSession(async (session) => {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string', default: 'create,toggle,read' },
      rounds: { type: 'string', default: '15' },
      seconds: { type: 'string', default: '2' },
    },
  });
  const rounds = wholeNumber('rounds', values.rounds);
  const seconds = wholeNumber('seconds', values.seconds);
  const databaseUrl = await session.databases.create('traced');
  migrate({ DATABASE_URL: databaseUrl }, SERVICE_DIRECTORY);
  const accounts = await fill(databaseUrl, { companies: 20, campaigns: 4_000 });
  const collector = await session.start((port) => ({
    parameters: [join(__dirname, 'collector.js')],
    variables: { PORT: String(port) },
    readyPath: '/',
  }));
  const sdk = writeProgram();
  const sampled = (share: string): NodeJS.ProcessEnv => ({
    NODE_OPTIONS: `--import ${sdk}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: share,
  });
  const contestants: [string, NodeJS.ProcessEnv][] = [
    ['no SDK', {}],
    ['no SDK, again', {}],
    ['nothing sampled', sampled('0')],
    ['10 %', sampled('0.1')],
    ['100 %', sampled('1')],
  ];
  const servers: (Measured & { name: string; url: string })[] = [];
  for (const [name, variables] of contestants) {
    const program = serviceProgram(SERVICE_DIRECTORY, { DATABASE_URL: databaseUrl, ...variables });
    const { url, pid } = await session.start(program);
    servers.push({ name, url, pid, database: databaseOf(databaseUrl) });
  }

  const body: string[][] = [];
  const figures: object[] = [];
  for (const row of rowsNamed(values.rows)) {
    const order = { dialect: 'service' as const, row, accounts };
    for (const { url } of servers) {
      await session.load.run({ ...order, url, seconds: WARM_UP });
    }
    const measured = servers.map((): Measurement[] => []);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, server] of servers.entries()) {
        measured[index]?.push(
          await measure(session.load, server, { ...order, url: server.url, seconds }),
        );
      }
    }
    const [without = []] = measured;
    for (const [index, { name }] of servers.entries()) {
      const all = measured[index] ?? [];
      const cpu = spreadOf(all.map(({ serverCpu }) => serverCpu));
      const ratio = spreadOf(
        all.map(({ serverCpu }, round) => serverCpu / (without[round]?.serverCpu ?? NaN)),
      );
      const title = index === 0 ? ROWS[row].title : '';
      body.push([title, name, withSpread(cpu, 0), withSpread(ratio, 2)]);
      figures.push({ row, name, measured: all });
    }
    process.stdout.write(`${ROWS[row].title} is measured\n`);
  }

  const postgres = await describeServer();
  const markdown = [
    '# Traces',
    '',
    `The service with the SDK of docs/operations.md, by the share of traces that is sampled. ` +
      `Microseconds of the service's CPU per response, and their ratio to the first line of the ` +
      `same round; median of ${rounds} rounds of ${seconds} seconds, with the least and the ` +
      `most. ${describeMachine(postgres)}`,
    '',
    table(['request', 'traces', 'CPU', 'ratio'], body),
    '',
  ].join('\n');
  writeResults('tracing', markdown, { rounds, seconds, postgres, figures });
});
