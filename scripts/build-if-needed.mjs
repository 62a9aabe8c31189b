// Builds if there is no build yet or an input is newer than the last one.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DOCUMENTS } from './documents.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** A file, or all files in a folder. */
function filesOf(path) {
  return statSync(`${root}/${path}`).isDirectory()
    ? readdirSync(`${root}/${path}`, { recursive: true }).map((name) => `${path}/${name}`)
    : [path];
}

const output = `${root}/dist/.built`;
const inputs = [
  'package.json',
  'package-lock.json',
  'ormconfig.ts',
  ...['src', 'scripts', ...DOCUMENTS].flatMap(filesOf),
];

const modified = (path) => statSync(path).mtimeMs;
if (!existsSync(output) || inputs.some((name) => modified(`${root}/${name}`) > modified(output))) {
  // Writes to standard error, because the standard output of some scripts is data.
  console.error('Building the service…');
  await import('./build.mjs');
}
