import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Manifest, Part, readManifest } from './manifest.rules';
import { contentOf } from './part-file';

/** The file that says that a run uses the folder. */
export const LOCK = 'lock';

/** The file that names every company of an archive, one in each line. */
export const COMPANY_LIST = 'companies.txt';

/** Returns the companies that an archive has, without a line that an interrupted run has cut. */
export async function readCompanies(folder: string): Promise<string[]> {
  const path = join(folder, COMPANY_LIST);
  const text = existsSync(path) ? await readFile(path, 'utf8') : '';
  return text.split('\n').slice(0, -1);
}

/** The file in the folder of a company that says what its parts are. */
export const MANIFEST = 'manifest.ndjson';

/** A part that is being written. */
export const UNFINISHED = '.unfinished';

export const MISSING_FOLDER = 'the archive has lost the folder of this company';

/** @throws Error if the chain is broken */
export async function readManifestOf(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST);
  return readManifest(existsSync(path) ? await readFile(path, 'utf8') : '');
}

/** Returns a sentence about each file that the manifest does not have. */
export async function unknownFiles(folder: string, { entries }: Manifest): Promise<string[]> {
  const known = new Set([MANIFEST, UNFINISHED, ...entries.map(({ file }) => file)]);
  return (await readdir(folder))
    .filter((name) => !known.has(name))
    .map((name) => `${name} is not in the manifest, which may be missing or an older one`);
}

/** @throws Error if the file of a part does not have what the manifest says */
export async function checkPart(folder: string, { file, rows, sha256 }: Part): Promise<void> {
  const content = await contentOf(join(folder, file)).catch((error: unknown) => {
    throw new Error(`${file} cannot be read: ${String(error)}`, { cause: error });
  });
  if (content.rows !== rows || content.sha256 !== sha256) {
    throw new Error(`${file} does not have what was written to it`);
  }
}
