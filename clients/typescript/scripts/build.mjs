/* Compiles src to an ES module and to CommonJS, each with types of its own, in dist. */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('..', import.meta.url));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

rmSync(`${cwd}dist`, { recursive: true, force: true });
for (const project of ['tsconfig.json', 'tsconfig.cjs.json']) {
  execFileSync(process.execPath, [tsc, '--project', project], { cwd, stdio: 'inherit' });
}
// The package itself is of type module.
writeFileSync(`${cwd}dist/cjs/package.json`, '{ "type": "commonjs" }\n');
