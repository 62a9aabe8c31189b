import { parseArgs } from 'node:util';
import { SERVICE_DIRECTORY, serviceProgram } from './contestants';
import { residentMemory } from './cpu';
import { describeServer, fill, migrate } from './databases';
import { wholeNumber } from './options';
import { describeMachine, table, writeResults } from './report';
import { ROW_NAMES } from './rows';
import { inSession } from './session';

/** `npm run bench -- memory`: the memory of the process under load. */

/** Seconds between two readings, and seconds of each kind of work in a round. */
const INTERVAL = 30;
const TURN = 3;

inSession(async (session) => {
  const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
  const minutes = wholeNumber('minutes', values.minutes);
  const url = await session.databases.create('memory');
  migrate({ DATABASE_URL: url }, SERVICE_DIRECTORY);
  const accounts = await fill(url, { companies: 20, campaigns: 4_000 });
  const server = await session.start(serviceProgram(SERVICE_DIRECTORY, { DATABASE_URL: url }));

  const looks = [{ seconds: 0, mebibytes: residentMemory(server.pid), answers: 0 }];
  const startedAt = performance.now();
  const passed = () => (performance.now() - startedAt) / 1000;
  let answers = 0;
  for (let turn = 0; passed() < minutes * 60; turn += 1) {
    const row = ROW_NAMES[turn % ROW_NAMES.length] ?? 'create';
    const order = { url: server.url, dialect: 'service' as const, row, accounts, seconds: TURN };
    answers += (await session.load.run(order)).answers;
    if (passed() >= looks.length * INTERVAL) {
      const look = { seconds: passed(), mebibytes: residentMemory(server.pid), answers };
      looks.push(look);
      process.stdout.write(`${look.seconds.toFixed(0)} s: ${look.mebibytes.toFixed(0)} MiB\n`);
    }
  }
  const postgres = await describeServer();
  const markdown = [
    '# Memory',
    '',
    `Resident memory of the service's process over ${minutes} minutes of load, 32 connections, every ` +
      `kind of work in turn, ${TURN} s each. ${describeMachine(postgres)}`,
    '',
    table(
      ['seconds', 'MiB', 'answers so far'],
      looks.map((look) => [
        look.seconds.toFixed(0),
        look.mebibytes.toFixed(0),
        look.answers.toLocaleString('en'),
      ]),
    ),
    '',
  ].join('\n');
  writeResults('memory', markdown, { minutes, postgres, looks });
});
