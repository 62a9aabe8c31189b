/* Compiles src to an ES module and to CommonJS, each with types of its own, in dist. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('..', import.meta.url));
const { resolve } = createRequire(import.meta.url);
const tsc = resolve('typescript-7/package.json').replace('package.json', 'bin/tsc');

// The rules that decide what is shown are those of the service.
copyFileSync(`${cwd}../../src/campaigns/questions/shown.rules.ts`, `${cwd}src/shown-questions.ts`);

rmSync(`${cwd}dist`, { recursive: true, force: true });
for (const project of ['tsconfig.json', 'tsconfig.cjs.json']) {
  // Editors show the comments of the declarations; the programs need none.
  for (const options of [
    ['--emitDeclarationOnly'],
    ['--declaration', 'false', '--removeComments', '--noCheck'],
  ]) {
    execFileSync(process.execPath, [tsc, '--project', project, ...options], {
      cwd,
      stdio: 'inherit',
    });
  }
}
// The package itself is of type module.
writeFileSync(`${cwd}dist/cjs/package.json`, '{ "type": "commonjs" }\n');
