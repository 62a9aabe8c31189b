import 'reflect-metadata';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadEnv } from '../src/platform/config/env';
import { openDatabase } from '../src/platform/database/open-database';
import { dumpSchema } from './dump-schema';

/*
 * `npm run schema`: migrates an empty database and writes its schema to `test/schema.sql`,
 * for people to read and compare. Nothing runs that file.
 */

const FILE = 'test/schema.sql';

async function writeSchema(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'campaign-service-schema-'));
  try {
    const env = loadEnv({ DATA_DIR: dataDir }, { serving: false });
    await (await openDatabase(env, [])).destroy();
    writeFileSync(FILE, await dumpSchema(dataDir));
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

writeSchema().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? '') : String(error)}\n`);
  process.exitCode = 1;
});
