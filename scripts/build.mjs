// `npm run build`: compiles src and scripts into dist. A TypeScript program checks the types and
// gives the metadata of the OpenAPI document; swc compiles each file, as it does for the tests, in
// a fraction of the time. With `--no-check`, as before a start, types are not checked;
// `npm run check` checks them.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';
import ts from 'typescript';
import { DOCUMENTS } from './documents.mjs';
import { writeMetadata } from './generate-metadata.mjs';
import { SWC } from './swc.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const start = new Date();

/** Folders whose files the service reads while it runs, if there are any; see nest-cli.json. */
const ASSETS = readdirSync(`${root}/src`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => [`${name}/pages`, `${name}/sql`]);

function exitIfAny(diagnostics) {
  if (diagnostics.length > 0) {
    console.error(ts.formatDiagnosticsWithColorAndContext(diagnostics, FORMAT));
    process.exit(1);
  }
}

const FORMAT = {
  getCanonicalFileName: (path) => path,
  getCurrentDirectory: () => root,
  getNewLine: () => ts.sys.newLine,
};

const { options, fileNames, errors } = ts.getParsedCommandLineOfConfigFile(
  `${root}/tsconfig.build.json`,
  { noCheck: process.argv.includes('--no-check') },
  { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => exitIfAny([diagnostic]) },
);
exitIfAny(errors);
const program = ts.createProgram(fileNames, options);
// Before the types are checked, because the order of an enum follows the order in which the
// compiler meets its types.
const metadata = writeMetadata(program);
exitIfAny(ts.getPreEmitDiagnostics(program));

/** Writes a compiled file and its source map to the place of its source in dist. */
function compile(source) {
  const output = `${root}/dist/${relative(root, source)}`.replace(/\.ts$/, '.js');
  mkdirSync(dirname(output), { recursive: true });
  if (source.endsWith('.json')) {
    cpSync(source, output);
    return;
  }
  const { code, map } = transformSync(readFileSync(source, 'utf8'), {
    ...SWC,
    filename: source,
    sourceFileName: relative(dirname(output), source),
    sourceMaps: true,
    swcrc: false,
  });
  writeFileSync(output, `${code}\n//# sourceMappingURL=${basename(output)}.map\n`);
  writeFileSync(`${output}.map`, map);
}

const sources = program
  .getSourceFiles()
  .filter((file) => !file.isDeclarationFile && !program.isSourceFileFromExternalLibrary(file))
  .map(({ fileName }) => fileName);
[...sources, metadata].forEach(compile);

// Beside the compiled program, at the same place as beside its source.
const COPIES = [
  ...ASSETS.map((asset) => [`src/${asset}`, `dist/src/${asset}`]),
  ...DOCUMENTS.map((document) => [document, `dist/${document}`]),
];
for (const [from, to] of COPIES) {
  rmSync(`${root}/${to}`, { recursive: true, force: true });
  if (existsSync(`${root}/${from}`)) {
    cpSync(`${root}/${from}`, `${root}/${to}`, { recursive: true });
  }
}

// The compiler does not rewrite unchanged output, so output times do not tell when it last ran.
const stamp = `${root}/dist/.built`;
writeFileSync(stamp, '');
utimesSync(stamp, start, start);
