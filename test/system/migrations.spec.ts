import { DataSource } from 'typeorm';
import { createApp } from '../../src/app.setup';
import { entities } from '../../src/entities';
import { createDataSource } from '../../src/database/data-source';
import { migrateEmbedded, migratePostgres, SchemaMismatchError } from '../../src/database/schema';
import { pino } from 'pino';
import { createEmptyDatabase, postgresUrl, TestDatabase } from '../support/databases';
import { createSurvey, question, survey } from '../support/builders';
import { registerCompany } from '../support/client';
import { generateKey } from '../support/keys';
import { startService, TestService } from '../support/service';
import { TEST_ENCRYPTION_KEY, TEST_JWT_SECRET, testEnv } from '../support/env';
import { build, runToEnd } from '../support/process';

const onPostgres = postgresUrl === undefined ? describe.skip : describe;

/** Shards that a Citus cluster keeps on its coordinator, in the table or the definition of a row. */
const SHARD = /"(?:table|table_name|tablename)":"\w+_\d{6}"/;

/** Tables, columns, constraints and indexes, as the database describes them. */
async function describeSchema(dataSource: DataSource): Promise<Record<string, unknown[]>> {
  const rows = async (sql: string) =>
    (await dataSource.query<unknown[]>(sql)).filter((row) => !SHARD.test(JSON.stringify(row)));
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

describe('the schema migration', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    dataSource = await createDataSource(testEnv(database.variables), { entities }).initialize();
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const migrate = () => (postgresUrl === undefined ? migrateEmbedded : migratePostgres)(dataSource);

  it('runs up, down to nothing and up again to the same schema, once each', async () => {
    const applied = await migrate();
    const first = await describeSchema(dataSource);
    expect(first.columns!.length).toBeGreaterThan(40);
    expect(first.constraints!.length).toBeGreaterThan(20);

    for (const _ of applied) {
      await dataSource.undoLastMigration();
    }
    const tables = await dataSource.query<{ name: string }[]>(
      // On a Citus cluster its extension has views of its own here.
      `SELECT table_name AS name FROM information_schema.tables
       WHERE table_schema = 'public' AND table_name NOT LIKE 'citus\\_%'`,
    );
    expect(tables).toEqual([{ name: 'migrations' }]);

    expect(await migrate()).toEqual(applied);
    expect(await describeSchema(dataSource)).toEqual(first);
    expect(await migrate()).toEqual([]);
  });

  it('creates exactly the schema of the entities', async () => {
    await migrate();
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });
});

describe('a service running while a newer version adds columns', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
  });

  afterAll(() => service.close());

  // A statement prepared with `*` would fail from then on, on every connection that prepared it.
  it('keeps using its prepared statements', async () => {
    const company = await registerCompany(service.client);
    const { post_id } = await createSurvey(company.api);
    const workEverywhere = async () => {
      const { key_id } = await generateKey(company.account, service.client);
      const answers = [
        await company.api.get('/svc/campaign/list'),
        await company.api.get(`/svc/campaign/${post_id}`),
        await company.api.get(`/svc/campaign/${post_id}/questions`),
        await company.api.get(`/svc/campaign/${post_id}/history`),
        await company.api.post('/svc/survey/create', survey()),
        await company.api.post('/svc/survey/questions', { post_id, questions: [question()] }),
        await company.api.patch('/svc/campaign/update', { post_id, reward_amount: 50 }),
        await company.api.patch('/svc/campaign/toggle-live', { post_id, is_live: true }),
        await company.account.get('/svc/api-key/list'),
        await company.account.post('/svc/api-key/rotate', { key_id, overlap_seconds: 60 }),
        await company.account.post('/svc/api-key/revoke', { key_id }),
        await company.account.get('/api/company/me'),
      ];
      return answers.map(({ status }) => status);
    };
    const fine = await workEverywhere();
    expect(new Set(fine)).toEqual(new Set([200]));
    for (const table of ['company', 'api_key', 'campaign', 'question_set', 'event']) {
      await service.dataSource.query(`ALTER TABLE ${table} ADD COLUMN later text`);
    }
    expect(await workEverywhere()).toEqual(fine);
  });
});

onPostgres(
  'the schema migration on PostgreSQL (TEST_DATABASE_URL; the embedded database migrates itself)',
  () => {
    let database: TestDatabase;
    let variables: NodeJS.ProcessEnv;

    beforeAll(build);

    beforeEach(async () => {
      database = await createEmptyDatabase();
      variables = { ...database.variables };
    });

    afterEach(() => database.drop());

    it('is applied once by concurrent processes', async () => {
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

    it('is required by the service, which does not apply it itself', async () => {
      const starting = createApp(testEnv(variables), pino({ level: 'silent' }));
      await expect(starting).rejects.toThrow(SchemaMismatchError);
      await expect(starting).rejects.toThrow(
        /schema is behind this version of the service: CreateSchema\d+.* not applied\. Run "npm run migrate"/,
      );
    });

    it('is requested by the process, which exits with 1 and without a stack trace', async () => {
      const { code, stderr } = await runToEnd('src/main.js', {
        ...variables,
        JWT_SECRET: TEST_JWT_SECRET,
        ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      });
      expect(code).toBe(1);
      expect(stderr).toContain('Run "npm run migrate" against this database, then start again.');
      expect(stderr).not.toContain('    at ');
    });
  },
);
