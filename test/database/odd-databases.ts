import { randomBytes } from 'node:crypto';
import { connect } from '../../src/platform/database/open-database';
import { migratePostgres } from '../../src/platform/database/schema';
import { survey } from '../support/builders';
import { runOn } from '../support/citus';
import { registerCompany } from '../support/client';
import { onServer, postgresUrl } from '../support/databases';
import { onPostgres } from '../support/engines';
import { testEnv } from '../support/env';
import { Instances } from '../support/instances';
import { keepsStatements, PgBouncer } from '../support/pgbouncer';
import { walkThrough } from '../support/walk';

/** Options of CREATE DATABASE, and settings of the database and of the role that uses it. */
interface Oddity {
  created?: string;
  database?: Record<string, string>;
  role?: Record<string, string>;
}

/** What the documentation has PgBouncer drop. */
const IGNORED =
  'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,options';

const TURKISH = "LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR' LOCALE 'C.UTF-8' ENCODING 'UTF8'";

const ODDITIES: [string, Oddity][] = [
  [
    'whose dates are SQL, day first, in Nepal',
    { database: { DateStyle: 'SQL, DMY', TimeZone: 'Asia/Kathmandu' } },
  ],
  [
    'whose role writes German dates and ISO 8601 intervals',
    { role: { DateStyle: 'German', IntervalStyle: 'iso_8601' } },
  ],
  [
    'that escapes bytes and strings, and rounds numbers',
    {
      database: { bytea_output: 'escape', extra_float_digits: '-15' },
      role: { standard_conforming_strings: 'off', client_encoding: 'LATIN1' },
    },
  ],
  [
    'whose transactions are serializable, and that reads NULL in arrays as a text',
    {
      database: { default_transaction_isolation: 'serializable', array_nulls: 'off' },
      role: { transform_null_equals: 'on' },
    },
  ],
  ['with a Turkish collation', { created: `TEMPLATE template0 ${TURKISH}` }],
];

onPostgres('a database (PostgreSQL only)', () => {
  const instances = new Instances();
  let name: string;

  /** Creates a database and a role of the same name. */
  async function create({ created = '', database = {}, role = {} }: Oddity): Promise<string> {
    name = `campaign_odd_${randomBytes(6).toString('hex')}`;
    await onServer(`CREATE DATABASE ${name} ${created}`);
    await onServer(`CREATE ROLE ${name} LOGIN SUPERUSER`);
    for (const [kind, settings] of [
      ['DATABASE', database],
      ['ROLE', role],
    ] as const) {
      for (const [setting, value] of Object.entries(settings)) {
        await onServer(
          `ALTER ${kind} ${name} SET ${setting} = ${value.includes(',') ? value : `'${value}'`}`,
        );
      }
    }
    const url = new URL(postgresUrl ?? '');
    url.username = name;
    url.pathname = name;
    return url.href;
  }

  afterEach(async () => {
    await instances.stop();
    await onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await onServer(`DROP ROLE IF EXISTS ${name}`);
  });

  async function migrated(oddity: Oddity): Promise<{ DATABASE_URL: string }> {
    const variables = { DATABASE_URL: await create(oddity) };
    const dataSource = await connect(testEnv(variables), { limits: false });
    await migratePostgres(dataSource);
    await dataSource.destroy();
    return variables;
  }

  it.each(ODDITIES)('%s is served as any other', async (_, oddity) => {
    const variables = await migrated(oddity);
    await walkThrough(await instances.start({ ...variables, WEBHOOK_ALLOW_PRIVATE: 'true' }));
  });

  it.each([
    ['LATIN1', 'C'],
    ['SQL_ASCII', 'C'],
  ])(
    'with the encoding %s is refused, at the migration and at the start',
    async (encoding, locale) => {
      const DATABASE_URL = await create({
        created: `TEMPLATE template0 ENCODING '${encoding}' LOCALE '${locale}'`,
      });
      for (const settings of [{ limits: false }, {}]) {
        await expect(connect(testEnv({ DATABASE_URL }), settings)).rejects.toThrow(
          `has the encoding ${encoding}, and the service needs UTF8`,
        );
      }
    },
  );

  it('whose role may have 4 connections makes others wait for one of these', async () => {
    const variables = await migrated({});
    await onServer(`ALTER ROLE ${name} NOSUPERUSER CONNECTION LIMIT 4`);
    const { client } = await instances.start(variables);
    const { api } = await registerCompany(client);
    for (let burst = 0; burst < 2; burst += 1) {
      const answers = await Promise.all(
        Array.from({ length: 40 }, () => api.post('/svc/survey/create', survey())),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    }
  });

  it('is reached through a socket', async () => {
    const direct = new URL(await create({}));
    const [{ directories, port }] = (await runOn<{ directories: string; port: string }>(
      direct.href,
      `SELECT current_setting('unix_socket_directories') AS directories,
         current_setting('port') AS port`,
    )) as [{ directories: string; port: string }];
    const socket = directories.split(',')[0]!;
    const open = async (DATABASE_URL: string) => {
      const dataSource = await connect(testEnv({ DATABASE_URL }));
      const rows = await dataSource.query('SELECT inet_client_addr() AS address');
      await dataSource.destroy();
      return rows;
    };
    const query = `host=${socket}&port=${port}`;
    for (const url of [
      `postgres:///${name}?${query}&user=${name}`,
      `postgres://${name}@/${name}?${query}`,
      `postgres://${name}@${encodeURIComponent(socket)}:${port}/${name}`,
    ]) {
      expect(await open(url)).toEqual([{ address: null }]);
    }
    await expect(open(`postgres://${name}@/nowhere?${query}`)).rejects.toThrow(
      `PostgreSQL at ${socket}/nowhere cannot be used`,
    );
  });

  describe('behind PgBouncer', () => {
    let bouncer: PgBouncer;

    async function behind(mode: 'session' | 'transaction', url: string): Promise<string> {
      const keeps = keepsStatements() ? ['max_prepared_statements = 100'] : [];
      bouncer = await PgBouncer.start([name], `pool_mode = ${mode}`, IGNORED, ...keeps);
      return bouncer.url(url);
    }

    afterEach(() => bouncer.stop());

    const dates = { database: { DateStyle: 'SQL, DMY', TimeZone: 'Asia/Kathmandu' } };

    it.each(['session', 'transaction'] as const)(
      'in %s mode is served as any other, or refused by the name of the variable',
      async (mode) => {
        const { DATABASE_URL: direct } = await migrated(dates);
        const DATABASE_URL = await behind(mode, direct);
        const names = mode === 'session' || keepsStatements();
        if (!names) {
          await expect(instances.start({ DATABASE_URL })).rejects.toThrow(
            'forgets prepared statements. Set DATABASE_PREPARED_STATEMENTS=false',
          );
        }
        const variables = { DATABASE_URL, DATABASE_PREPARED_STATEMENTS: String(names) };
        await walkThrough(await instances.start({ ...variables, WEBHOOK_ALLOW_PRIVATE: 'true' }));
      },
    );

    it('is refused if what the pooler drops changes a meaning, with what to do', async () => {
      const direct = await create({
        database: { bytea_output: 'escape', default_transaction_isolation: 'serializable' },
      });
      const open = async (url: string) => {
        const variables = { DATABASE_URL: url, DATABASE_PREPARED_STATEMENTS: 'false' };
        await (await connect(testEnv(variables))).destroy();
      };
      await open(direct);
      const refusal = await open(await behind('transaction', direct)).catch(String);
      expect(refusal).toContain('bytea_output is "escape", default_transaction_isolation is');
      const [fixes = ''] = /ALTER ROLE .*;/.exec(String(refusal)) ?? [];
      await onServer(fixes);
      await bouncer.stop();
      await open(await behind('transaction', direct));
    });
  });
});
