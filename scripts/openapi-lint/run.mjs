// Lints openapi.json with Spectral, its OWASP ruleset and Redocly.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const rules = 'scripts/openapi-lint';
const linters = [
  [
    'spectral',
    'lint',
    'openapi.json',
    '--ruleset',
    `${rules}/spectral.yaml`,
    '--fail-severity=info',
  ],
  [
    'spectral',
    'lint',
    'openapi.json',
    '--ruleset',
    `${rules}/owasp.yaml`,
    '--display-only-failures',
  ],
  ['redocly', 'lint', 'openapi.json', '--config', `${rules}/redocly.yaml`],
];
for (const [program, ...options] of linters) {
  const { status } = spawnSync(`node_modules/.bin/${program}`, options, {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) {
    process.exitCode = 1;
  }
}
