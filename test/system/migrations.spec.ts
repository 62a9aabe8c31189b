import { readFileSync } from 'node:fs';
import { DataSource } from 'typeorm';
import { dumpSchema } from '../../scripts/dump-schema';
import { createApp } from '../../src/app.setup';
import { createDataSource } from '../../src/platform/database/data-source';
import { migrations } from '../../src/platform/database/migrations/index';
import {
  migrateEmbedded,
  migratePostgres,
  requireCurrentSchema,
  SchemaMismatchError,
} from '../../src/platform/database/schema';
import { pino } from 'pino';
import {
  createEmptyDatabase,
  createTestDatabase,
  postgresUrl,
  TestDatabase,
  withDatabase,
} from '../support/databases';
import { createSurvey, question, survey } from '../support/builders';
import { registerCompany } from '../support/client';
import { onEmbedded, onPostgres } from '../support/engines';
import { generateKey } from '../support/keys';
import { serviceForAll } from '../support/service';
import { TEST_ENCRYPTION_KEY, TEST_JWT_SECRET, testEnv } from '../support/env';
import { build, runToEnd } from '../support/process';

/**
 * Shards that a Citus cluster keeps on its coordinator, in the table or the definition of a row.
 */
const SHARD = /"(?:table|table_name|tablename)":"\w+_\d{6}"/;

/**
 * Tables, columns, constraints, indexes, functions and triggers, as the database describes them.
 */
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
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2, 3`),
    indexes: await rows(`
      SELECT tablename, indexname, indexdef
      FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2`),
    functions: await rows(`
      SELECT oid::regprocedure::text AS name, pg_get_functiondef(oid) AS definition
      FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1`),
    triggers: await rows(`
      SELECT tgrelid::regclass::text AS "table", pg_get_triggerdef(oid) AS definition
      FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2`),
  };
}

describe('the schema migration', () => {
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

  it('runs up, down to nothing and up again to the same schema, once each', async () => {
    const applied = await migrate();
    const first = await describeSchema(dataSource);
    expect(first.columns!.length).toBeGreaterThan(40);
    expect(first.constraints!.length).toBeGreaterThan(20);
    expect(first.functions!.length).toBeGreaterThan(20);
    expect(first.triggers!.length).toBeGreaterThan(8);

    for (const _ of migrations) {
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

  describe('with functions of another version', () => {
    const answer = async () =>
      (await dataSource.query<[{ bucket: number }]>('SELECT time_bucket(1) AS bucket'))[0].bucket;
    const replace = async () => {
      await dataSource.query(
        `CREATE OR REPLACE FUNCTION time_bucket(seconds double precision) RETURNS integer
         LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN -1`,
      );
      await dataSource.query(
        `INSERT INTO applied_function
         VALUES ('time_bucket', 'the hash of another text', clock_timestamp())
         ON CONFLICT (name, hash) DO UPDATE SET applied_at = excluded.applied_at`,
      );
    };

    beforeEach(migrate);

    it('replaces those whose text differs, and no other', async () => {
      await replace();
      expect(await answer()).toBe(-1);
      expect(await migrate()).toEqual(['time_bucket']);
      expect(await answer()).toBe(0);
      expect(await migrate()).toEqual([]);
    });

    it('creates those that were dropped, with their triggers', async () => {
      await dataSource.query('DROP FUNCTION refuse_transfer_change CASCADE');
      expect(await migrate()).toEqual(['refuse_transfer_change']);
      const triggers = `SELECT FROM pg_trigger WHERE tgname = 'transfer_permanent'
        AND tgrelid = 'transfer'::regclass`;
      expect(await dataSource.query<unknown[]>(triggers)).toHaveLength(1);
    });

    it('keeps the triggers of one that it replaces, so that nobody waits for their tables', async () => {
      const states = () =>
        dataSource.query<unknown[]>(
          `SELECT tgname, t.xmin AS trigger, p.xmin AS function
           FROM pg_trigger AS t JOIN pg_proc AS p ON p.oid = t.tgfoid
           WHERE proname = 'check_participation'`,
        );
      const [before] = await states();
      await dataSource.query("DELETE FROM applied_function WHERE name = 'check_participation'");
      expect(await migrate()).toEqual(['check_participation']);
      const [after] = await states();
      expect(after).toEqual({ ...(before as object), function: expect.any(String) });
      expect(after).not.toEqual(before);
    });

    it('changes nothing if one of them is refused', async () => {
      await replace();
      await dataSource.query('DROP FUNCTION refuse_transfer_change CASCADE');
      // Its trigger cannot be created.
      await dataSource.query('ALTER TABLE transfer RENAME TO renamed');
      await expect(migrate()).rejects.toThrow('relation "transfer" does not exist');
      expect(await answer()).toBe(-1);
      await dataSource.query('ALTER TABLE renamed RENAME TO transfer');
      expect(await migrate()).toEqual(['refuse_transfer_change', 'time_bucket']);
    });

    it('is behind if a text was never applied, and not if a newer one has replaced it', async () => {
      await replace();
      await expect(requireCurrentSchema(dataSource)).resolves.toBeUndefined();
      await dataSource.query(
        `DELETE FROM applied_function WHERE name = 'time_bucket' AND hash NOT LIKE 'the hash%'`,
      );
      await expect(requireCurrentSchema(dataSource)).rejects.toThrow(
        /schema is behind this version of the service: time_bucket not applied/,
      );
      await migrate();
      await expect(requireCurrentSchema(dataSource)).resolves.toBeUndefined();
    });

    onPostgres('of a newer schema (TEST_DATABASE_URL)', () => {
      it('leaves them as they are', async () => {
        await replace();
        await dataSource.query(`INSERT INTO migrations (timestamp, name) VALUES (1, 'Later1')`);
        expect(await migrate()).toEqual([]);
        expect(await answer()).toBe(-1);
        await dataSource.query(`DELETE FROM migrations WHERE name = 'Later1'`);
        expect(await migrate()).toEqual(['time_bucket']);
      });
    });
  });
});

onEmbedded('the schema of an empty database (not with TEST_DATABASE_URL)', () => {
  it('is the one in schema.sql, which npm run schema writes', async () => {
    const database = await createTestDatabase();
    const { DATA_DIR } = database.variables as { DATA_DIR: string };
    const dump = await dumpSchema(DATA_DIR);
    await database.drop();
    expect(dump).toBe(readFileSync('test/schema.sql', 'utf8'));
  });
});

describe('a service running while a newer version adds columns', () => {
  const service = serviceForAll();

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

    // The Debian package postgresql-15-plpgsql-check.
    it('has no function with a finding', async () => {
      await runToEnd('src/platform/database/migrate.js', variables);
      const findings = await withDatabase(variables, async (dataSource) => {
        await dataSource.query('CREATE SCHEMA checks');
        await dataSource.query('CREATE EXTENSION plpgsql_check SCHEMA checks');
        return dataSource.query<unknown[]>(`
        SELECT p.proname AS function, f.finding
        FROM pg_proc AS p
        LEFT JOIN pg_trigger AS t ON t.tgfoid = p.oid,
        LATERAL checks.plpgsql_check_function(p.oid, coalesce(t.tgrelid, 0)) AS f (finding)
        WHERE p.pronamespace = 'public'::regnamespace
          AND p.prolang = (SELECT oid FROM pg_language WHERE lanname = 'plpgsql')
          -- Functions of participations, disputes and approvals return one with what the call made of it.
          AND f.finding !~ 'composite OUT variable "(part|disputed|asked)" is not single argument'`);
      });
      expect(findings).toEqual([]);
    });

    it('is applied once by concurrent processes', async () => {
      const migrate = () => runToEnd('src/platform/database/migrate.js', variables);
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
