import 'reflect-metadata';
import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { Env, readEnvironment } from '../config/env';
import { createLogger } from '../logging/logger';
import { isEmbedded } from './data-source';
import { distribute, isCitus, lacksWorkers } from './citus';
import { connect } from './open-database';
import { appliedMigrations, migrateEmbedded, migratePostgres } from './schema';
import { errorMessage } from '../logging/error-message';

/*
 * Changes the schema of the configured database: `npm run migrate` brings it up to date, `npm run
 * migration:revert` undoes the last migration, and `npm run distribute` distributes the tables over
 * the nodes of a Citus cluster. With `--shards <number>`, what they distribute has as many shards.
 */

interface Context {
  env: Env;
  dataSource: DataSource;
  logger: Logger;
}

type Command = (context: Context) => Promise<void>;

const run: Command = async ({ env, dataSource, logger }) => {
  const applied = await (isEmbedded(env) ? migrateEmbedded : migratePostgres)(dataSource);
  logger.info({ applied }, applied.length > 0 ? 'schema migrated' : 'schema is up to date');
};

const revert: Command = async ({ dataSource, logger }) => {
  const last = (await appliedMigrations(dataSource)).at(-1);
  await dataSource.undoLastMigration({ transaction: 'each' });
  logger.info({ reverted: last }, last === undefined ? 'nothing to revert' : 'schema reverted');
};

const distributeTables: Command = async ({ dataSource, logger }) => {
  if (!(await isCitus(dataSource))) {
    throw new Error(
      'This database has no Citus extension, so there is nothing to distribute over.',
    );
  }
  if (await lacksWorkers(dataSource)) {
    throw new Error('This Citus coordinator has no worker: add one with citus_add_node() first.');
  }
  const tables = await dataSource.transaction(distribute);
  logger.info(
    { tables },
    tables.length > 0 ? 'tables distributed' : 'tables are distributed already',
  );
};

const COMMANDS: Readonly<Record<string, Command>> = { run, revert, distribute: distributeTables };

/** What the driver gives to each of its sessions as a setting of the server. */
function settingsOf(shards: string): string {
  if (!/^[1-9]\d{0,4}$/.test(shards)) {
    throw new Error(`--shards must be a whole number from 1 to 99999, not "${shards}".`);
  }
  return `-c citus.shard_count=${shards}`;
}

async function migrate(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { shards: { type: 'string' } },
    allowPositionals: true,
  });
  const name = positionals[0] ?? 'run';
  const command = COMMANDS[name];
  if (command === undefined) {
    throw new Error(`Unknown command "${name}": use ${Object.keys(COMMANDS).join(', ')}.`);
  }
  if (values.shards !== undefined) {
    process.env.PGOPTIONS = settingsOf(values.shards);
  }
  const env = readEnvironment({ serving: false });
  const logger = createLogger(env);
  const dataSource = await connect(env, { limits: false });
  try {
    await command({ env, dataSource, logger });
  } finally {
    await dataSource.destroy();
  }
}

migrate(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${errorMessage(error)}\n`);
  process.exitCode = 1;
});
