import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { dumpEmbedded } from '../../platform/database/data-source';
import type { OperatorCommand, OperatorWork } from '../../platform/operator/operator.types';

const USAGE = `Usage: npm run backup -- --to <file>

Writes a consistent copy of the embedded database to a new file, a tar archive with gzip, also while
the service runs. The copy has no secrets: keep them separately. For PostgreSQL, use its own tools.
`;

/** @throws Error if the arguments are not valid */
function readBackup(args: readonly string[], directory: string): OperatorWork {
  const { to } = parseArgs({ args: [...args], options: { to: { type: 'string' } } }).values;
  if (to === undefined) {
    throw new Error('backup needs --to with a file, such as "--to backup.tar.gz".');
  }
  const file = resolve(directory, to);
  return async ({ dataSource }) => {
    if (existsSync(file)) {
      throw new Error(`${file} exists already: name a new file.`);
    }
    const copy = await dumpEmbedded(dataSource);
    if (copy === undefined) {
      throw new Error('This is not the embedded database: use pg_dump or continuous archiving.');
    }
    await write(file, copy);
    return `Backed up to ${file} (${copy.length} bytes).\n`;
  };
}

/** Writes a file, reads it back, and gives it its name once it is on disk. */
async function write(file: string, content: Uint8Array): Promise<void> {
  const unfinished = `${file}.unfinished`;
  try {
    await writeFile(unfinished, content, { mode: 0o600, flush: true });
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(unfinished)) {
      hash.update(chunk as Buffer);
    }
    if (hash.digest('hex') !== createHash('sha256').update(content).digest('hex')) {
      throw new Error(`${unfinished} does not have what was written to it.`);
    }
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  const folder = await open(dirname(file), 'r');
  await folder.sync().finally(() => folder.close());
}

/** Copies the embedded database. */
export const BACKUP_COMMAND: OperatorCommand = {
  name: 'backup',
  usage: USAGE,
  opens: 'unchanged',
  read: readBackup,
};
