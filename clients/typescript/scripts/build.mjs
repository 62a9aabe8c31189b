/*
 * Compiles src to an ES module and to CommonJS, each with types of its own, and the command line to
 * an ES module, in dist.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('..', import.meta.url));
const { resolve } = createRequire(import.meta.url);
const tsc = resolve('typescript-7/package.json').replace('package.json', 'bin/tsc');

function run(project, ...options) {
  execFileSync(process.execPath, [tsc, '--project', project, ...options], {
    cwd,
    stdio: 'inherit',
  });
}

// The rules that decide what is shown are those of the service.
copyFileSync(`${cwd}../../src/campaigns/questions/shown.rules.ts`, `${cwd}src/shown-questions.ts`);

rmSync(`${cwd}dist`, { recursive: true, force: true });
for (const project of ['tsconfig.json', 'tsconfig.cjs.json']) {
  // Editors show the comments of the declarations; the programs need none.
  for (const options of [
    ['--emitDeclarationOnly'],
    ['--declaration', 'false', '--removeComments', '--noCheck'],
  ]) {
    run(project, ...options);
  }
}
// The package itself is of type module.
writeFileSync(`${cwd}dist/cjs/package.json`, '{ "type": "commonjs" }\n');

// npm packs the libraries of the command line from here, so that a tarball needs no registry.
const { dependencies } = JSON.parse(readFileSync(`${cwd}package.json`, 'utf8'));
for (const name of Object.keys(dependencies)) {
  rmSync(`${cwd}node_modules/${name}`, { recursive: true, force: true });
  const options = { recursive: true, dereference: true };
  cpSync(`${cwd}../../node_modules/${name}`, `${cwd}node_modules/${name}`, options);
}

// Whoever has an archive verifies it as the service does.
mkdirSync(`${cwd}cli/archive`, { recursive: true });
for (const name of ['archive-files', 'manifest.rules', 'part-file', 'verify']) {
  const source = readFileSync(`${cwd}../../src/operations/archive/${name}.ts`, 'utf8');
  const code = source.replace(/(from '\.\/[\w.-]+)';/g, "$1.js';");
  writeFileSync(`${cwd}cli/archive/${name}.ts`, code);
}
run('cli/tsconfig.json');
chmodSync(`${cwd}dist/cli/bin.js`, 0o755);
