// `npm run build`: compiles src and scripts into dist, with swc, as for the tests. `npm run check`
// checks types.
import {
  cpSync,
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
import { DOCUMENTS } from './documents.mjs';
import { SWC, SWC_JSX } from './swc.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const start = new Date();

const filesOf = (folder) =>
  readdirSync(`${root}/${folder}`, { recursive: true }).map((name) => `${folder}/${name}`);

/** Writes a compiled file and its source map to the place of its source in dist. */
function compile(source) {
  const output = `${root}/dist/${source}`.replace(/\.tsx?$/, '.js');
  const { code, map } = transformSync(readFileSync(`${root}/${source}`, 'utf8'), {
    ...(source.endsWith('x') ? SWC_JSX : SWC),
    filename: `${root}/${source}`,
    sourceFileName: relative(dirname(output), `${root}/${source}`),
    sourceMaps: true,
    swcrc: false,
  });
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, `${code}\n//# sourceMappingURL=${basename(output)}.map\n`);
  writeFileSync(`${output}.map`, map);
}

/** Files that the service reads while it runs; see nest-cli.json. */
const isAsset = (file) => /^src\/.+\/(pages|sql)\//.test(file) || file.endsWith('.json');
/** Programs; src/platform/openapi/metadata.js is there once `npm run openapi` has run. */
const isProgram = (file) =>
  /(?<!\.d|\.spec)\.tsx?$|^src\/platform\/openapi\/metadata\.js$/.test(file);

for (const folder of ['src', 'scripts']) {
  rmSync(`${root}/dist/${folder}`, { recursive: true, force: true });
}
const files = ['ormconfig.ts', 'package.json', ...filesOf('src'), ...filesOf('scripts')];
files.filter((file) => isProgram(file) && !isAsset(file)).forEach(compile);
for (const file of [...files.filter(isAsset), ...DOCUMENTS]) {
  cpSync(`${root}/${file}`, `${root}/dist/${file}`, { recursive: true });
}

const stamp = `${root}/dist/.built`;
writeFileSync(stamp, '');
utimesSync(stamp, start, start);
