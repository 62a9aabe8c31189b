import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import type { Account } from './account.types';
import { fill, Filling, migrate } from './databases';
import type { Session } from './session';

/** Creates an empty data directory of the service's embedded database. */
export async function emptyDirectory(session: Session): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-embedded-'));
  session.removeLater(directory);
  return directory;
}

/** Creates a data directory with the same contents as the PostgreSQL database. */
export async function filledDirectory(
  session: Session,
  serviceDirectory: string,
  filling: Filling,
): Promise<{ directory: string; accounts: Account[] }> {
  const directory = await emptyDirectory(session);
  migrate({ DATA_DIR: directory }, serviceDirectory);
  const database = await PGlite.create(join(directory, 'postgres'));
  try {
    return { directory, accounts: await fill(createPgConfig(database), filling) };
  } finally {
    await database.close();
  }
}
