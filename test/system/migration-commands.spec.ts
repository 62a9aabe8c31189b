import { readdirSync, rmSync } from 'node:fs';
import { lockDirectory } from '../../src/platform/database/directory-lock';
import { pendingMigrations } from '../../src/platform/database/schema';
import {
  createTestDatabase,
  temporaryDirectory,
  TestDatabase,
  withDatabase,
} from '../support/databases';
import { onEmbedded } from '../support/engines';
import { build, outputOf, runToEnd } from '../support/process';

const MIGRATE = 'src/platform/database/migrate.js';

beforeAll(build);

describe('a migration command', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
  });

  afterEach(() => database.drop());

  const pending = () => withDatabase(database.variables, pendingMigrations);

  it('reverts the last migration, which a run applies again', async () => {
    const reverted = await outputOf(MIGRATE, database.variables, 'revert');
    const { reverted: name } = JSON.parse(reverted) as { reverted: string };
    expect(await pending()).toEqual([name]);

    const applied = await outputOf(MIGRATE, database.variables);
    const { applied: names } = JSON.parse(applied) as { applied: string[] };
    expect(names[0]).toBe(name);
    expect(names).toContain('submit_participation');
    expect(await pending()).toEqual([]);
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
