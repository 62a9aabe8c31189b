// `npm run check`: format, lint, types and imports. Each check uses one core, so they run side by
// side; the output of each is printed when it ends.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Programs in `node_modules` with their options, the longest one first. TypeScript 7 checks types
 * in a quarter of the time, but ESLint and Nest can only call TypeScript 6.
 */
const CHECKS = [
  '.bin/eslint .',
  '.bin/prettier --check .',
  'typescript-7/bin/tsc --noEmit -p tsconfig.json',
  'typescript-7/bin/tsc --noEmit -p bench/tsconfig.json',
  '.bin/depcruise src bench --config scripts/import-rules.cjs',
];

/** Runs a check and returns whether it found nothing. */
async function passes(check) {
  const [program, ...options] = check.split(' ');
  const child = spawn(`node_modules/${program}`, options, { cwd: root });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const code = await ended;
  process.stdout.write(`> ${check}\n${out}${error}\n`);
  return code === 0;
}

const left = [...CHECKS];
const failed = [];
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let check = left.shift(); check !== undefined; check = left.shift()) {
      if (!(await passes(check))) {
        failed.push(check);
      }
    }
  }),
);
if (failed.length > 0) {
  process.stderr.write(`Failed: ${failed.join(', ')}\n`);
  process.exitCode = 1;
}
