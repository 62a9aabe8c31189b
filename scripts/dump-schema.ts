import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pgDump } from '@electric-sql/pglite-tools/pg_dump';

/**
 * Returns the schema of the embedded database in a data directory, as pg_dump writes it, without
 * what depends on the version of pg_dump.
 */
export async function dumpSchema(dataDir: string): Promise<string> {
  const pg = await PGlite.create(join(dataDir, 'postgres'));
  try {
    const file = await pgDump({ pg, args: ['--schema-only', '--no-owner', '--no-privileges'] });
    const dump = await file.text();
    return dump
      .replace(/^(SET|SELECT pg_catalog.set_config|-- Dumped) .*\n/gm, '')
      .replace(/^--\n/gm, '')
      .replace(/\n{2,}/g, '\n\n')
      .trim()
      .concat('\n');
  } finally {
    await pg.close();
  }
}
