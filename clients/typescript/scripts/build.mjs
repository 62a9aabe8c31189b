/* Compiles src to an ES module and to CommonJS, each with types of its own, in dist. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const cwd = fileURLToPath(new URL('..', import.meta.url));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

rmSync(`${cwd}dist`, { recursive: true, force: true });
for (const project of ['tsconfig.json', 'tsconfig.cjs.json']) {
  execFileSync(process.execPath, [tsc, '--project', project], { cwd, stdio: 'inherit' });
}
// Editors show the comments of the declarations; the programs need none.
const printer = ts.createPrinter({ removeComments: true });
for (const folder of ['esm', 'cjs'].map((name) => `${cwd}dist/${name}/`)) {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.js'))) {
    const text = readFileSync(folder + name, 'utf8');
    const source = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022);
    writeFileSync(folder + name, printer.printFile(source));
  }
}
// The package itself is of type module.
writeFileSync(`${cwd}dist/cjs/package.json`, '{ "type": "commonjs" }\n');
