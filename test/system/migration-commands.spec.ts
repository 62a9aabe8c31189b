import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source';
import { lockDirectory } from '../../src/database/directory-lock';
import { pendingMigrations } from '../../src/database/schema';
import {
  createTestDatabase,
  postgresUrl,
  temporaryDirectory,
  TestDatabase,
} from '../support/databases';
import { testEnv } from '../support/env';
import { build, runToEnd } from '../support/process';

const onEmbedded = postgresUrl === undefined ? describe : describe.skip;

const MIGRATE = 'src/database/migrate.js';
const GENERATE = 'scripts/generate-migration.js';

const scratch = temporaryDirectory();

beforeAll(build);

afterAll(() => rmSync(scratch, { recursive: true }));

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
    const reverted = await runToEnd(MIGRATE, database.variables, 'revert');
    expect(reverted).toMatchObject({ code: 0, stderr: '' });
    const { reverted: name } = JSON.parse(reverted.stdout) as { reverted: string };
    expect(await withDatabase(pendingMigrations)).toEqual([name]);

    const applied = await runToEnd(MIGRATE, database.variables);
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(applied.stdout)).toMatchObject({ applied: [name] });
    expect(await withDatabase(pendingMigrations)).toEqual([]);
  });

  it('refuses an unknown argument', async () => {
    expect(await runToEnd(MIGRATE, database.variables, 'drop')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'Unknown command "drop": use run, revert, distribute.\n',
    });
  });

  it('generates a migration from the difference between the entities and the database', async () => {
    await withDatabase((dataSource) => dataSource.query('ALTER TABLE company DROP COLUMN name'));
    const { code, stdout, stderr } = await runToEnd(
      GENERATE,
      database.variables,
      join(scratch, 'AddCompanyName'),
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.trim()).toMatch(/\/\d{13}-add-company-name\.ts$/);
    const migration = readFileSync(stdout.trim(), 'utf8');
    expect(migration).toMatch(/^export class AddCompanyName\d{13} implements MigrationInterface/m);
    expect(migration).toMatch(/async up.*\n.*ALTER TABLE "company" ADD "name"/);
    expect(migration).toMatch(/async down.*\n[^}]*ALTER TABLE "company" DROP COLUMN "name"/);
  });

  it('generates nothing if the database has the schema of the entities', async () => {
    const target = join(scratch, 'nothing', 'AddNothing');
    expect(await runToEnd(GENERATE, database.variables, target)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'The database already has the schema of the entities: nothing to generate.\n',
    });
  });

  it('asks for the name of the migration to generate', async () => {
    const { code, stderr } = await runToEnd(GENERATE, database.variables);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Give the path of the migration and its name in PascalCase/);
  });
});

onEmbedded('a migration command on a data directory in use (not with TEST_DATABASE_URL)', () => {
  it.each([
    ['migrate', MIGRATE, []],
    ['migration:revert', MIGRATE, ['revert']],
    ['migration:generate', GENERATE, [join(scratch, 'locked', 'AddSomething')]],
  ])('reports it in one line and exits with 1: %s', async (_, file, args) => {
    const directory = temporaryDirectory();
    const unlock = lockDirectory(directory);
    const { code, stdout, stderr } = await runToEnd(file, { DATA_DIR: directory }, ...args);
    unlock();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringContaining(`The data directory ${directory} is in use by another process.`),
    ]);
    expect(readdirSync(directory)).toEqual(['lock']);
    rmSync(directory, { recursive: true });
  });
});
