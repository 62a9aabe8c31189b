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

const outputs = ['src/metadata.js', 'dist/.built'];
const inputs = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'ormconfig.ts',
  ...['src', 'scripts', ...DOCUMENTS].flatMap(filesOf),
].filter((name) => !outputs.includes(name));

const modified = (name) => statSync(`${root}/${name}`).mtimeMs;
const isBuilt = outputs.every((name) => existsSync(`${root}/${name}`));
if (!isBuilt || inputs.some((name) => modified(name) > modified('dist/.built'))) {
  // Writes to standard error, because the standard output of some scripts is data.
  console.error('Building the service…');
  process.argv.push('--no-check');
  await import('./build.mjs');
}
