// `node scripts/test.mjs <project>[,<project>…] [options of Jest]`: runs projects of
// test/jest.config.mjs on a build that is up to date, with the run options of the last one. The
// project `citus` runs after `service` and `system`, all of them on the Citus cluster whose
// coordinator CITUS_URL names.
//
// With CI_RETRY=1, which only .ci/run sets, the failed files of a run are run once more, one at a
// time. If they pass, the run has passed, and their names are added to the file CI_RETRIED.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Options that Jest accepts for a whole run only. */
const RUN_OPTIONS = {
  system: ['--testTimeout=180000'],
  // A browser keeps a core busy.
  browser: ['--testTimeout=300000', '--maxWorkers=100%'],
  generators: ['--testTimeout=120000'],
  // Their limits for durations leave room for one other file.
  faults: ['--testTimeout=600000', '--maxWorkers=2'],
  citus: ['--testTimeout=600000', '--runInBand'],
};

const root = fileURLToPath(new URL('..', import.meta.url));
const [project, ...options] = process.argv.slice(2);
const projects = project?.split(',') ?? [];

/** Runs a program and returns its exit code. */
function start(...args) {
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

function run(...args) {
  const status = start(...args);
  if (status !== 0) {
    process.exit(status);
  }
}

function runProjects(names, ...more) {
  const jest = [
    'node_modules/jest/bin/jest.js',
    '--selectProjects',
    ...names,
    '--config=test/jest.config.mjs',
    ...(RUN_OPTIONS[names.at(-1)] ?? []),
  ];
  if (process.env.CI_RETRY === '1') {
    runWithRetry(jest, ...more);
  } else {
    run(...jest, ...more);
  }
}

function runWithRetry(jest, ...more) {
  const directory = mkdtempSync(join(tmpdir(), 'campaign-service-'));
  const report = join(directory, 'report.json');
  const status = start(...jest, ...more, '--json', `--outputFile=${report}`);
  const failed = failedFiles(report);
  rmSync(directory, { recursive: true });
  if (status === 0) {
    return;
  }
  // Something else has failed, such as the preparation of the databases.
  if (failed.length === 0) {
    process.exit(status);
  }
  process.stdout.write(`\nRunning again, one at a time:\n${failed.join('\n')}\n\n`);
  // Jest waits for whatever a failed test has left open.
  const patterns = failed.map((file) => `/${file.replaceAll('.', '\\.')}$`);
  const alone = jest.filter((option) => !option.startsWith('--maxWorkers'));
  run(...alone, '--runInBand', '--forceExit', '--testPathPatterns', ...patterns);
  const database = process.env.TEST_DATABASE_URL ? 'PostgreSQL' : 'the embedded database';
  appendFileSync(process.env.CI_RETRIED, failed.map((file) => `${file} on ${database}\n`).join(''));
}

/** The files that a report of Jest calls failed; none if Jest has not come to write it. */
function failedFiles(report) {
  if (!existsSync(report)) {
    return [];
  }
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  return testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name }) => relative(root, name));
}

if (project === 'citus' && !process.env.CITUS_URL) {
  process.stderr.write(
    'Set CITUS_URL to a database of a Citus coordinator, as in postgres://user@host:5432/postgres.\n',
  );
  process.exit(1);
}
run('scripts/build-if-needed.mjs');
if (!existsSync(`${root}/src/metadata.ts`)) {
  run('scripts/generate-metadata.mjs');
}
if (project === 'citus') {
  // A pattern among the options may match files of one run only.
  options.push('--passWithNoTests');
  runProjects(['service', 'system'], ...options);
}
runProjects(projects, ...options);
