import { resolve } from 'node:path';
import { Env, readEnvironment } from '../config/env';
import type { Entities } from '../database/data-source';
import { DirectoryLockedError } from '../database/directory-lock';
import { connect, lacksDatabase, openDatabase, requireDatabase } from '../database/open-database';
import { askService } from './operator-request';
import type { OperatorCommand, OperatorWork } from './operator.types';
import { errorMessage } from '../logging/error-message';

/**
 * Runs a command of the operator in the configured database and prints its output. While the
 * service runs on the embedded database, nobody else can open it, so the service does the work.
 * SIGINT and SIGTERM end the work after its current step. Sets the exit code.
 */
export async function runOperatorCommand(
  command: OperatorCommand,
  entities: Entities,
): Promise<void> {
  const args = process.argv.slice(2);
  try {
    process.stdout.write(await outputOf(command, entities, args));
  } catch (error) {
    process.stderr.write(`${errorMessage(error)}\n`);
    process.exitCode = 1;
  }
}

async function outputOf(
  command: OperatorCommand,
  entities: Entities,
  args: readonly string[],
): Promise<string> {
  if (args.includes('--help') || args.includes('-h')) {
    return command.usage;
  }
  const directory = process.cwd();
  const local = command.readLocal?.(args, directory);
  if (local !== undefined) {
    return local();
  }
  const work = command.read(args, directory);
  const env = readEnvironment({ serving: false });
  try {
    return await runHere(env, entities, command, work);
  } catch (error) {
    const request = [directory, command.name, ...args];
    const reply =
      error instanceof DirectoryLockedError && (await askService(env.DATA_DIR, request));
    if (!reply) {
      throw error;
    }
    if ('error' in reply) {
      throw new Error(reply.error, { cause: error });
    }
    return reply.output;
  }
}

async function runHere(
  env: Env,
  entities: Entities,
  { opens }: OperatorCommand,
  work: OperatorWork,
): Promise<string> {
  if (opens !== 'new') {
    requireDatabase(env);
  }
  const isNew = lacksDatabase(env);
  const dataSource = await (opens === 'unchanged'
    ? connect(env, { entities })
    : openDatabase(env, entities));
  if (isNew) {
    process.stderr.write(
      `There was no database in ${resolve(env.DATA_DIR)}, so it was created there. If the service uses ` +
        'another data directory, run this again with its DATA_DIR.\n',
    );
  }
  const stop = new AbortController();
  const end = () => {
    stop.abort();
  };
  process.once('SIGINT', end).once('SIGTERM', end);
  try {
    return await work({ dataSource, stop: stop.signal });
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
    await dataSource.destroy();
  }
}
