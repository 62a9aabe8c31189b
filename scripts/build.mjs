// `npm run build`: compiles src and scripts into dist. One TypeScript program gives the types that
// are checked, the programs, and the metadata of the OpenAPI document.
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { DOCUMENTS } from './documents.mjs';
import { writeMetadata } from './generate-metadata.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const start = new Date();

/** Folders in src whose files the service reads while it runs, if there are any. */
const ASSETS = [
  'openapi/pages',
  'results-page/pages',
  'site/pages',
  ...readdirSync(`${root}/src`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${name}/sql`),
];

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
  {},
  { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => exitIfAny([diagnostic]) },
);
exitIfAny(errors);
const host = ts.createIncrementalCompilerHost(options);
const builder = ts.createIncrementalProgram({ rootNames: fileNames, options, host });
// Before the types are checked, because the order of an enum follows the order in which the
// compiler meets its types.
const metadata = writeMetadata(builder.getProgram());
exitIfAny([
  ...builder.getOptionsDiagnostics(),
  ...builder.getSyntacticDiagnostics(),
  ...builder.getSemanticDiagnostics(),
]);
builder.emit();
const { outputText } = ts.transpileModule(readFileSync(metadata, 'utf8'), {
  compilerOptions: { ...options, sourceMap: false },
});
writeFileSync(`${root}/dist/src/metadata.js`, outputText);

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
