import { DataSource } from 'typeorm';
import { createApp } from '../../src/app.setup';
import { createDataSource } from '../../src/database/data-source';
import { migrateEmbedded, migratePostgres, SchemaMismatchError } from '../../src/database/schema';
import { pino } from 'pino';
import { createEmptyDatabase, postgresUrl, TestDatabase } from '../support/databases';
import { testEnv } from '../support/env';
import { build, runToEnd } from '../support/process';

const onPostgres = postgresUrl === undefined ? describe.skip : describe;

/** Tables, columns, constraints and indexes, as the database itself describes them. */
async function describeSchema(dataSource: DataSource): Promise<Record<string, unknown[]>> {
  const rows = (sql: string) => dataSource.query<unknown[]>(sql);
  return {
    columns: await rows(`
      SELECT table_name, column_name, data_type, is_nullable, column_default, numeric_precision,
        numeric_scale, datetime_precision, is_identity, identity_generation
      FROM information_schema.columns
      WHERE table_schema = 'public' ORDER BY table_name, column_name`),
    constraints: await rows(`
      SELECT conrelid::regclass::text AS "table", conname, pg_get_constraintdef(oid) AS definition
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2`),
    indexes: await rows(`
      SELECT tablename, indexname, indexdef
      FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2`),
  };
}

describe('Migrations', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    dataSource = await createDataSource(testEnv(database.variables)).initialize();
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const migrate = () => (postgresUrl === undefined ? migrateEmbedded : migratePostgres)(dataSource);

  it('go up, down to nothing and up again to the same schema, once each', async () => {
    const applied = await migrate();
    const first = await describeSchema(dataSource);
    expect(first.columns!.length).toBeGreaterThan(40);
    expect(first.constraints!.length).toBeGreaterThan(20);

    for (const _ of applied) {
      await dataSource.undoLastMigration();
    }
    const tables = await dataSource.query<{ name: string }[]>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    expect(tables).toEqual([{ name: 'migrations' }]);

    expect(await migrate()).toEqual(applied);
    expect(await describeSchema(dataSource)).toEqual(first);
    expect(await migrate()).toEqual([]);
  });

  it('make exactly what the entities say', async () => {
    await migrate();
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });
});

onPostgres(
  'Migrations on PostgreSQL (TEST_DATABASE_URL; the embedded database migrates itself)',
  () => {
    let database: TestDatabase;
    let variables: NodeJS.ProcessEnv;

    beforeAll(() => build(), 120_000);

    beforeEach(async () => {
      database = await createEmptyDatabase();
      variables = { ...database.variables };
    });

    afterEach(() => database.drop());

    it('are applied once by processes that migrate at the same time', async () => {
      const migrate = () => runToEnd('src/database/migrate.js', variables);
      const ends = await Promise.all([migrate(), migrate(), migrate()]);
      expect(ends.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
        ends.map(() => ({ code: 0, stderr: '' })),
      );
      const applied = ends.map(
        ({ stdout }) => (JSON.parse(stdout) as { applied: string[] }).applied,
      );
      expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
    });

    it('are demanded by the service, which does not apply them itself', async () => {
      const starting = createApp(testEnv(variables), pino({ level: 'silent' }));
      await expect(starting).rejects.toThrow(SchemaMismatchError);
      await expect(starting).rejects.toThrow(
        /schema is behind this version of the service: CreateSchema\d+.* not applied\. Run "npm run migrate"/,
      );
    });

    it('are asked for by the process, which exits 1 without a stack trace', async () => {
      const { code, stderr } = await runToEnd('src/main.js', {
        ...variables,
        JWT_SECRET: 'a secret for tests only, 0123456789',
      });
      expect(code).toBe(1);
      expect(stderr).toContain('Run "npm run migrate" against this database, then start again.');
      expect(stderr).not.toContain('    at ');
    });
  },
);
