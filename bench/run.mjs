// `npm run bench -- [measurement] [options]`; the default is `comparison`. First installs what the
// bench needs and builds the service and the bench, if they are missing or out of date.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bench = `${root}bench/`;
const given = process.argv.slice(2);
const named = given[0] !== undefined && !given[0].startsWith('-');
const [name, ...options] = named ? given : ['comparison', ...given];

function run(command, ...parameters) {
  const { status } = spawnSync(command, parameters, { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    process.exit(status ?? 1);
  }
}

const installed = `${bench}node_modules/.package-lock.json`;
if (
  !existsSync(installed) ||
  statSync(installed).mtimeMs < statSync(`${bench}package-lock.json`).mtimeMs
) {
  run('npm', 'ci', '--prefix', 'bench', '--ignore-scripts', '--no-audit', '--no-fund');
}
run('node', 'scripts/build-if-needed.mjs');
run('node', 'node_modules/typescript-7/bin/tsc', '-p', 'bench/tsconfig.json');
run('node', `bench/dist/${name}.js`, ...options);
