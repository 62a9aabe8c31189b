import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/*
 * Creating and migrating an embedded database takes some seconds, so the result is kept in
 * node_modules/.cache for the next runs, until the schema or PGlite changes.
 */

const root = join(__dirname, '../..');
const folder = join(root, 'node_modules/.cache/test-database');

/** Copies a data directory. */
export async function copyDirectory(from: string, to: string): Promise<void> {
  // Node's own copying takes ten times as long for a thousand small files.
  await promisify(execFile)('cp', ['-R', `${from}/.`, to]);
}

/** The directory of the database with the present schema. */
function keptDirectory(): string {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /^database\/.*\.ts$|\.sql$/.test(name))
    .map((name) => `src/${name}`)
    .toSorted();
  const hash = createHash('sha256');
  for (const name of ['node_modules/@electric-sql/pglite/package.json', ...sources]) {
    hash.update(`${name}\0`).update(readFileSync(join(root, name)));
  }
  return join(folder, hash.digest('hex'));
}

/** Copies the kept database to a new directory and returns true, or false if none is kept. */
export async function restoreTemplate(directory: string): Promise<boolean> {
  const kept = keptDirectory();
  const isKept = existsSync(kept);
  if (isKept) {
    await copyDirectory(kept, directory);
  }
  return isKept;
}

/** Keeps a migrated database instead of those of other schemas. */
export async function keepTemplate(directory: string): Promise<void> {
  const kept = keptDirectory();
  const copy = `${kept}.${process.pid}`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(copy, { recursive: true, mode: 0o700 });
  await copyDirectory(directory, copy);
  // Another run may have kept the same one meanwhile.
  if (!existsSync(kept)) {
    await rename(copy, kept);
  }
}
