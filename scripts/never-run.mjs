// `node scripts/never-run.mjs <file>…`: fails if a test has passed in none of the runs of Jest that
// wrote these files (with --json --outputFile=<file>). Each run leaves out what another one tests;
// this finds what all of them leave out. The Citus tests have a run of their own.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const files = ['src', 'test']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
  .filter(({ name, parentPath }) => name.endsWith('.spec.ts') && !parentPath.endsWith('/citus'))
  .map(({ name, parentPath }) => join(parentPath, name));

/** Folders whose tests a file beside them loads, in a `describe` of the folder's name. */
const folders = readdirSync(join(root, 'test'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['support', 'citus'].includes(entry.name))
  .map(({ name }) => name)
  .filter((name) => !files.some((file) => file.startsWith(join(root, 'test', name, '/'))));

/** The tests that some run knows, and those that have passed. */
const known = new Set([...files, ...folders]);
const passed = new Set();
for (const file of process.argv.slice(2)) {
  for (const { name, assertionResults } of JSON.parse(readFileSync(file, 'utf8')).testResults) {
    for (const { ancestorTitles, fullName, status } of assertionResults) {
      const test = `${name}: ${fullName}`;
      known.add(test);
      if (status === 'passed') {
        [test, name, ...ancestorTitles].forEach((each) => passed.add(each));
      }
    }
  }
}

const neverRun = [...known].filter((test) => !passed.has(test));
if (neverRun.length > 0) {
  process.stderr.write(`No run has run these tests:\n${neverRun.join('\n')}\n`);
  process.exitCode = 1;
}
