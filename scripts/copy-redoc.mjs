// Copies Redoc's viewer for the reference page as two files that the page's policy allows. The
// bundle contains the worker of the search as text, which would need a blob to run.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const pages = fileURLToPath(new URL('../src/openapi/pages', import.meta.url));
const bundle = createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js');

/** A JavaScript string, quoted with apostrophes. */
const STRING = String.raw`'((?:[^'\\]|\\[^])*)'`;

const WORKER = new RegExp(
  String.raw`new Worker\(URL\.createObjectURL\(new Blob\(\[${STRING}\](?:,\{[^{}]*\})?\)\)`,
);

/** The vendor's logo, which the viewer loads from another server. */
const LOGO = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini\.svg/;

const ESCAPES = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', 0: '\0' };

/** Returns the content of a string literal. */
function unescape(source) {
  return source.replaceAll(
    /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|(\r?\n)|([^]))/gi,
    (_, unicode, hex, lineBreak, character) =>
      lineBreak !== undefined
        ? ''
        : unicode !== undefined || hex !== undefined
          ? String.fromCharCode(parseInt(unicode ?? hex, 16))
          : (ESCAPES[character] ?? character),
  );
}

function replaceOnce(text, pattern, replacement) {
  if (!pattern.test(text)) {
    throw new Error(`Redoc's bundle has changed: there is no ${pattern.source.slice(0, 60)}`);
  }
  return text.replace(pattern, () => replacement);
}

// The build's time stamp is compared with the times of its inputs.
function writeIfChanged(name, text) {
  const file = `${pages}/${name}`;
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    writeFileSync(file, text);
  }
}

const source = readFileSync(bundle, 'utf8');
const [, worker = ''] = WORKER.exec(source) ?? [];
const viewer = replaceOnce(
  replaceOnce(source, WORKER, `new Worker('/reference/redoc-search.js'`),
  LOGO,
  'data:,',
);
writeIfChanged('redoc.js', viewer);
writeIfChanged('redoc-search.js', unescape(worker));
const [workerLicense = ''] = /[0-9a-f]+\.worker\.js\.LICENSE\.txt/.exec(worker) ?? [];
writeIfChanged(
  'redoc.LICENSE.txt',
  [`${bundle}.LICENSE.txt`, join(dirname(bundle), workerLicense)]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n'),
);
