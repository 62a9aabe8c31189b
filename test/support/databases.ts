import { mkdtempSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { createDataSource } from '../../src/database/data-source';
import { migrateEmbedded, migratePostgres } from '../../src/database/schema';
import { testEnv } from './env';

/*
 * Each test file gets a database of its own, copied from a template that is migrated once a run:
 * a data directory by default, a database on the server that TEST_DATABASE_URL names otherwise.
 */

/** The server the suite runs on, if not on the embedded database. */
export const postgresUrl = process.env.TEST_DATABASE_URL;

/** Tells parallel runs of the suite apart. */
const TEMPLATE_VARIABLE = 'TEST_DATABASE_TEMPLATE';

/** Where a service under test finds its database. */
export type DatabaseVariables = { DATABASE_URL: string } | { DATA_DIR: string };

export interface TestDatabase {
  variables: DatabaseVariables;
  drop(): Promise<void>;
}

export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'campaign-service-'));
}

function databaseUrl(name: string): string {
  const url = new URL(postgresUrl ?? '');
  url.pathname = name;
  return url.href;
}

/** Runs a statement on the server itself, such as the making of a database. */
export async function onServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function postgresDatabase(template?: string): Promise<TestDatabase & { name: string }> {
  const name = `campaign_test_${randomBytes(6).toString('hex')}`;
  await onServer(`CREATE DATABASE ${name}${template === undefined ? '' : ` TEMPLATE ${template}`}`);
  return {
    name,
    variables: { DATABASE_URL: databaseUrl(name) },
    drop: () => onServer(`DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** Makes the template; called once a run, before any test. */
export async function createTemplate(): Promise<void> {
  let variables: DatabaseVariables;
  if (postgresUrl === undefined) {
    variables = { DATA_DIR: temporaryDirectory() };
    process.env[TEMPLATE_VARIABLE] = variables.DATA_DIR;
  } else {
    const database = await postgresDatabase();
    variables = database.variables;
    process.env[TEMPLATE_VARIABLE] = database.name;
  }
  const dataSource = createDataSource(testEnv(variables));
  await dataSource.initialize();
  await (postgresUrl === undefined ? migrateEmbedded : migratePostgres)(dataSource);
  await dataSource.destroy();
}

/** Removes the template; called once a run, after every test. */
export async function dropTemplate(): Promise<void> {
  const template = process.env[TEMPLATE_VARIABLE];
  if (template === undefined) {
    return;
  }
  if (postgresUrl === undefined) {
    await rm(template, { recursive: true });
  } else {
    await onServer(`DROP DATABASE ${template} WITH (FORCE)`);
  }
}

/** A migrated database without any content. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const template = process.env[TEMPLATE_VARIABLE];
  if (template === undefined) {
    throw new Error('the template database is missing: run the tests through Jest');
  }
  if (postgresUrl !== undefined) {
    return postgresDatabase(template);
  }
  const directory = temporaryDirectory();
  // Node's own copying takes ten times as long for a thousand small files.
  await promisify(execFile)('cp', ['-R', `${template}/.`, directory]);
  return {
    variables: { DATA_DIR: directory },
    drop: () => rm(directory, { recursive: true }),
  };
}

/** A database without a schema. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  if (postgresUrl !== undefined) {
    return postgresDatabase();
  }
  const directory = temporaryDirectory();
  return {
    variables: { DATA_DIR: directory },
    drop: () => rm(directory, { recursive: true }),
  };
}
