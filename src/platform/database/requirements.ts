import type { DataSource, QueryRunner } from 'typeorm';
import { poolOf } from '../private-members/typeorm';
import { isDatabaseUnavailable } from './availability';
import { PostgresClient } from './postgres-client';
import { isForgotten } from './prepared-query';
import { SESSION_SETTINGS } from './session-settings';

/** The database, or what is between it and the service, would change what is stored. */
export class UnusableDatabaseError extends Error {
  override name = 'UnusableDatabaseError';
}

/** The only encoding that has every character, in which a length counts characters. */
const ENCODING = 'UTF8';

const names = Object.keys(SESSION_SETTINGS).map((name) => `'${name}'`);

const STATE = `
  SELECT pg_backend_pid() AS pid, current_user AS role, current_database() AS name,
    current_setting('server_encoding') AS encoding,
    (SELECT json_object_agg(name, setting) FROM pg_settings WHERE name IN (${names.join(', ')}))
      AS settings`;

interface State {
  pid: number;
  role: string;
  name: string;
  encoding: string;
  settings: Record<string, string>;
}

/**
 * Refuses a database in which a text could mean something else, and a pooler that could run another
 * statement than the one that it was sent.
 *
 * @throws UnusableDatabaseError with what to change
 */
export async function requireUsableDatabase(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    const client = (await runner.connect()) as PostgresClient;
    const [state] = (await runner.query(STATE)) as [State];
    requireEncoding(state);
    requireSettings(state);
    // A pooler gives its clients process IDs of its own; the embedded database gives none.
    const isPooled = client.processID !== null && client.processID !== state.pid;
    if (isPooled && client.preparesStatements && (await forgetsStatements(dataSource, runner))) {
      throw new UnusableDatabaseError(
        'The connection pooler in front of PostgreSQL forgets prepared statements. ' +
          'Set DATABASE_PREPARED_STATEMENTS=false, let it pool sessions instead of transactions, ' +
          'or use one that keeps them, such as PgBouncer 1.21 with max_prepared_statements.',
      );
    }
  } finally {
    await runner.release();
  }
}

function requireEncoding({ name, encoding }: State): void {
  if (encoding !== ENCODING) {
    throw new UnusableDatabaseError(
      `The database ${name} has the encoding ${encoding}, and the service needs ${ENCODING}. ` +
        `An encoding cannot be changed: create another database, such as with "createdb ` +
        `--template=template0 --encoding=${ENCODING}", and set DATABASE_URL to it.`,
    );
  }
}

/** Only what shares its connections drops settings of a session. */
function requireSettings({ role, settings }: State): void {
  const wrong = Object.entries(SESSION_SETTINGS).filter(
    ([name, value]) => settings[name] !== value,
  );
  if (wrong.length > 0) {
    const list = wrong.map(([name]) => `${name} is "${settings[name]}"`);
    const fixes = wrong.map(([name, value]) => {
      const written = value.includes(',') ? value : `'${value}'`;
      return `ALTER ROLE "${role}" SET ${name} = ${written};`;
    });
    throw new UnusableDatabaseError(
      `The connection pooler in front of PostgreSQL drops what the service sets on its ` +
        `connections: ${list.join(', ')}. Set it for the role, then let the pooler reconnect: ` +
        fixes.join(' '),
    );
  }
}

const PROBE = 'SELECT pg_backend_pid() WHERE $1::boolean';

/** How often both connections execute the statement: in between, others may use the pooler. */
const PROBES = 5;

/**
 * Whether a pooler forgets which connection has prepared a statement: two connections in turn get
 * the same server from it, which has the statement of the other one already or not at all.
 */
async function forgetsStatements(dataSource: DataSource, runner: QueryRunner): Promise<boolean> {
  const other = new PostgresClient(poolOf(dataSource).options);
  try {
    await other.connect();
    for (let probe = 0; probe < PROBES; probe += 1) {
      await other.query(PROBE, [true]);
      await runner.query(PROBE, [true]);
    }
    return false;
  } catch (error) {
    // A second connection waits in vain if each one has a server for itself.
    if (!isForgotten(error) && !isDatabaseUnavailable(error)) {
      throw error;
    }
    return isForgotten(error);
  } finally {
    await other.end();
  }
}
