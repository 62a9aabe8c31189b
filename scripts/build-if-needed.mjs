// Builds if there is no build yet or an input is newer than the last one.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const inputs = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'nest-cli.json',
  'ormconfig.ts',
  ...['src', 'scripts'].flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true }).map((name) => `${folder}/${name}`),
  ),
].filter((name) => name !== 'src/metadata.ts');
// The compiler does not rewrite unchanged output, so output times do not tell when it last ran.
const stamp = `${root}/dist/.built`;

const builtAt = existsSync(stamp) ? statSync(stamp).mtimeMs : 0;
if (inputs.some((name) => statSync(`${root}/${name}`).mtimeMs > builtAt)) {
  // Writes to standard error, because the standard output of some scripts is data.
  console.error('Building the service…');
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status === 0) {
    writeFileSync(stamp, '');
  }
  process.exitCode = status ?? 1;
}
