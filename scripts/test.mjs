// `node scripts/test.mjs <project>[,<project>…] [options of Jest]`: runs projects of
// test/jest.config.mjs on a build that is up to date, with the run options of the last one. The
// project `citus` runs after `service` and `system`, all of them on the Citus cluster whose
// coordinator CITUS_URL names.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Options that Jest accepts for a whole run only. */
const RUN_OPTIONS = {
  // Their limits for durations leave room for two other files.
  faults: ['--maxWorkers=3'],
  citus: ['--runInBand'],
  fairness: ['--runInBand'],
};

const root = fileURLToPath(new URL('..', import.meta.url));
const [project, ...options] = process.argv.slice(2);
const projects = project?.split(',') ?? [];

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    process.exit(status ?? 1);
  }
}

function runProjects(names, ...more) {
  run(
    'node_modules/jest/bin/jest.js',
    '--selectProjects',
    ...names,
    '--config=test/jest.config.mjs',
    ...(RUN_OPTIONS[names.at(-1)] ?? []),
    ...more,
  );
}

if (project === 'citus' && !process.env.CITUS_URL) {
  process.stderr.write(
    'Set CITUS_URL to a database of a Citus coordinator, as in postgres://user@host:5432/postgres.\n',
  );
  process.exit(1);
}
run('scripts/build-if-needed.mjs');
if (project === 'citus') {
  // A pattern among the options may match files of one run only.
  options.push('--passWithNoTests');
  runProjects(['service', 'system'], ...options);
}
runProjects(projects, ...options);
