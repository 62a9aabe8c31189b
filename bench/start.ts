import { parseArgs } from 'node:util';
import { SERVICE_DIRECTORY, serviceProgram } from './contestants';
import { describeServer, fill, migrate } from './databases';
import { emptyDirectory, filledDirectory } from './embedded';
import { wholeNumber } from './options';
import { describeMachine, table, withSpread, writeResults } from './report';
import { inSession } from './session';
import { Spread, spreadOf } from './statistics';

/** `npm run bench -- start`: seconds from the start of the process to its first response. */

inSession(async (session) => {
  const { values } = parseArgs({
    options: {
      campaigns: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '5' },
    },
  });
  const campaigns = wholeNumber('campaigns', values.campaigns);
  const rounds = wholeNumber('rounds', values.rounds);
  const filling = { companies: 20, campaigns };

  async function secondsToReady(makeVariables: () => Promise<NodeJS.ProcessEnv>): Promise<Spread> {
    const seconds: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const variables = await makeVariables();
      const server = await session.start(serviceProgram(SERVICE_DIRECTORY, variables));
      seconds.push(server.startedIn / 1000);
      await server.stop();
    }
    return spreadOf(seconds);
  }

  const empty = await session.databases.create('empty');
  migrate({ DATABASE_URL: empty }, SERVICE_DIRECTORY);
  const full = await session.databases.create('full');
  migrate({ DATABASE_URL: full }, SERVICE_DIRECTORY);
  await fill(full, filling);
  const used = await emptyDirectory(session);
  migrate({ DATA_DIR: used }, SERVICE_DIRECTORY);
  const { directory } = await filledDirectory(session, SERVICE_DIRECTORY, filling);

  const always = (variables: NodeJS.ProcessEnv) => () => Promise.resolve(variables);
  const found: [string, Spread][] = [
    ['PostgreSQL, empty', await secondsToReady(always({ DATABASE_URL: empty }))],
    [
      `PostgreSQL, ${campaigns.toLocaleString('en')} campaigns`,
      await secondsToReady(always({ DATABASE_URL: full })),
    ],
    [
      'embedded, the very first start',
      await secondsToReady(async () => ({ DATA_DIR: await emptyDirectory(session) })),
    ],
    ['embedded, empty', await secondsToReady(always({ DATA_DIR: used }))],
    [
      `embedded, ${campaigns.toLocaleString('en')} campaigns`,
      await secondsToReady(always({ DATA_DIR: directory })),
    ],
  ];
  const postgres = await describeServer();
  const markdown = [
    '# Start',
    '',
    `Seconds from the start of the process until \`/health/ready\` answers 200, median of ${rounds}, ` +
      `with the least and the most. ${describeMachine(postgres)}`,
    '',
    table(
      ['database', 'seconds'],
      found.map(([name, spread]) => [name, withSpread(spread, 2)]),
    ),
    '',
  ].join('\n');
  writeResults('start', markdown, { rounds, postgres, found: Object.fromEntries(found) });
});
