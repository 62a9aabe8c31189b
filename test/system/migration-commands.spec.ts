import { readdirSync, rmSync } from 'node:fs';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source';
import { lockDirectory } from '../../src/database/directory-lock';
import { pendingMigrations } from '../../src/database/schema';
import { createTestDatabase, temporaryDirectory, TestDatabase } from '../support/databases';
import { onEmbedded } from '../support/engines';
import { testEnv } from '../support/env';
import { build, outputOf, runToEnd } from '../support/process';

const MIGRATE = 'src/database/migrate.js';

beforeAll(build);

describe('a migration command', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
  });

  afterEach(() => database.drop());

  async function withDatabase<T>(work: (dataSource: DataSource) => Promise<T>): Promise<T> {
    const dataSource = await createDataSource(testEnv(database.variables)).initialize();
    try {
      return await work(dataSource);
    } finally {
      await dataSource.destroy();
    }
  }

  it('reverts the last migration, which a run applies again', async () => {
    const reverted = await outputOf(MIGRATE, database.variables, 'revert');
    const { reverted: name } = JSON.parse(reverted) as { reverted: string };
    expect(await withDatabase(pendingMigrations)).toEqual([name]);

    const applied = await outputOf(MIGRATE, database.variables);
    const { applied: names } = JSON.parse(applied) as { applied: string[] };
    expect(names[0]).toBe(name);
    expect(names).toContain('submit_participation');
    expect(await withDatabase(pendingMigrations)).toEqual([]);
  });

  it('refuses an unknown argument', async () => {
    expect(await runToEnd(MIGRATE, database.variables, 'drop')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'Unknown command "drop": use run, revert, distribute.\n',
    });
  });
});

onEmbedded('a migration command on a data directory in use (not with TEST_DATABASE_URL)', () => {
  it.each([
    ['migrate', []],
    ['migration:revert', ['revert']],
  ])('reports it in one line and exits with 1: %s', async (_, args) => {
    const directory = temporaryDirectory();
    const unlock = lockDirectory(directory);
    const { code, stdout, stderr } = await runToEnd(MIGRATE, { DATA_DIR: directory }, ...args);
    unlock();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringContaining(`The data directory ${directory} is in use by another process.`),
    ]);
    expect(readdirSync(directory)).toEqual(['lock']);
    rmSync(directory, { recursive: true });
  });
});
