// Builds when there is no build yet or something it was made from is newer.
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
// The compiler leaves alone what has not changed, so its output does not tell when it last ran.
const stamp = `${root}/dist/.built`;

const builtAt = existsSync(stamp) ? statSync(stamp).mtimeMs : 0;
if (inputs.some((name) => statSync(`${root}/${name}`).mtimeMs > builtAt)) {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status === 0) {
    writeFileSync(stamp, '');
  }
  process.exitCode = status ?? 1;
}
