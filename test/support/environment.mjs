import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { TestEnvironment } from 'jest-environment-node';

const onServer = process.env.TEST_DATABASE_URL !== undefined || process.env.CITUS_URL !== undefined;

// As the service does it (src/platform/database/data-source.ts).
setFlagsFromString('--wasm-tiering-budget=180000000');

const pglite = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));

/**
 * The program of the embedded database. V8 shares the code it has compiled between all modules of
 * the same bytes, as long as one of them exists, so that a process compiles it for one test file
 * instead of for each.
 */
const program = onServer
  ? undefined
  : await WebAssembly.compile(readFileSync(join(pglite, 'pglite.wasm')));

export default class extends TestEnvironment {
  program = program;
}
