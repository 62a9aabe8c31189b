import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { letShardsHaveTriggers, shareFunctions } from './citus';
import type { Querying } from './citus';

/*
 * The functions of the database, with their triggers: `src/<room>/<feature>/sql/<function>.sql`.
 * The table `applied_function` has every text that was ever applied, and when.
 */

/** The source, or the build. */
const SOURCE = join(__dirname, '../..');

interface DatabaseFunction {
  name: string;
  text: string;
  hash: string;
}

/** Returns the functions of this version, in the order of their names. */
function readFunctions(): DatabaseFunction[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql'))
    .map((file) => {
      const text = readFileSync(join(SOURCE, file), 'utf8');
      const hash = createHash('sha256').update(text).digest('hex');
      return { name: basename(file, '.sql'), text, hash };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The text that each function of the database has now. */
const CURRENT = `
  SELECT DISTINCT ON (name) name || ' ' || hash AS applied FROM applied_function
  WHERE name IN (
    SELECT proname FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
  )
  ORDER BY name, applied_at DESC`;

const APPLIED = `SELECT name || ' ' || hash AS applied FROM applied_function`;

async function functionsMissingFrom(
  database: Querying,
  statement: string,
): Promise<DatabaseFunction[]> {
  const rows = (await database.query(statement)) as { applied: string }[];
  const applied = new Set(rows.map((row) => row.applied));
  return readFunctions().filter(({ name, hash }) => !applied.has(`${name} ${hash}`));
}

/**
 * Returns the statements of a file. Citus sends a node all of a query, whatever part concerns it.
 */
function statementsOf(text: string): string[] {
  return text.split(/^(?=CREATE OR REPLACE )/m).filter((part) => part.startsWith('CREATE'));
}

/** The triggers as PostgreSQL writes them, in one line. */
const TRIGGERS = `
  SELECT pg_get_triggerdef(oid, true) AS definition FROM pg_trigger
  WHERE NOT tgisinternal AND tgfoid IN (
    SELECT oid FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
  )`;

/**
 * Returns whether a statement creates a trigger that is there already, if it is written as
 * PostgreSQL does. To replace it would block every write to its table until the transaction ends.
 */
function isPresent(statement: string, triggers: ReadonlySet<string>): boolean {
  const definition = statement.replace('OR REPLACE ', '').replace(/\s+/g, ' ');
  return triggers.has(definition.replace(/; ?$/, ''));
}

/**
 * Creates or replaces each function whose text is not that of this version, and those of its
 * triggers that have changed. Must run in a transaction, after the migrations.
 *
 * @returns the names of those functions
 */
export async function replaceFunctions(database: Querying): Promise<string[]> {
  const changed = await functionsMissingFrom(database, CURRENT);
  if (changed.length === 0) {
    return [];
  }
  await letShardsHaveTriggers(database);
  // A function may call one that comes later.
  await database.query('SET LOCAL check_function_bodies = off');
  const rows = (await database.query(TRIGGERS)) as { definition: string }[];
  const triggers = new Set(rows.map(({ definition }) => definition));
  for (const { name, text, hash } of changed) {
    for (const statement of statementsOf(text)) {
      if (!isPresent(statement, triggers)) {
        await database.query(statement);
      }
    }
    await database.query(
      `INSERT INTO applied_function (name, hash, applied_at)
       VALUES ($1, $2, clock_timestamp())
       ON CONFLICT (name, hash) DO UPDATE SET applied_at = excluded.applied_at`,
      [name, hash],
    );
  }
  await shareFunctions(database);
  return changed.map(({ name }) => name);
}

/**
 * Returns the functions of this version whose text was never applied to the database. A text that
 * was replaced since is not among them, because a newer version has replaced it.
 */
export async function pendingFunctions(database: Querying): Promise<string[]> {
  const pending = await functionsMissingFrom(database, APPLIED);
  return pending.map(({ name }) => name);
}

/** Drops every function that was ever applied, with its triggers. */
export async function dropFunctions(database: Querying): Promise<void> {
  const rows = (await database.query(
    `SELECT oid::regprocedure AS signature FROM pg_proc
     WHERE pronamespace = current_schema()::regnamespace
       AND proname IN (SELECT name FROM applied_function)`,
  )) as { signature: string }[];
  for (const { signature } of rows) {
    await database.query(`DROP FUNCTION ${signature} CASCADE`);
  }
}
