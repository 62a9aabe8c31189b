import 'reflect-metadata';
import { Env, readEnvironment } from '../config/env';
import { DirectoryLockedError } from '../database/directory-lock';
import { openDatabase } from '../database/open-database';
import { Command, readCommand, USAGE } from './operator-commands';
import { askService } from './operator-request';
import { PlatformKey } from './platform-key.entity';
import { PlatformKeyService } from './platform-key.service';

/*
 * `npm run platform-key`: generates, lists and revokes the keys of platforms in the configured
 * database. While the service runs on the embedded database, nobody else can open it, so the
 * service does the work.
 */

async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(USAGE);
    return;
  }
  const command = readCommand(args);
  const env = readEnvironment({ serving: false });
  process.stdout.write(await runHere(env, command).catch(inService(env, args)));
}

async function runHere(env: Env, command: Command): Promise<string> {
  const dataSource = await openDatabase(env, [PlatformKey]);
  try {
    return await command(new PlatformKeyService(dataSource.manager));
  } finally {
    await dataSource.destroy();
  }
}

/** Returns what to do about an error: if the database is in use, asks the service that uses it. */
function inService({ DATA_DIR }: Env, args: readonly string[]) {
  return async (error: unknown): Promise<string> => {
    const reply = error instanceof DirectoryLockedError && (await askService(DATA_DIR, args));
    if (!reply) {
      throw error;
    }
    if ('error' in reply) {
      throw new Error(reply.error);
    }
    return reply.output;
  };
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
