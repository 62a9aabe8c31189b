import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/platform/database/data-source';
import { migrateEmbedded, migratePostgres } from '../../src/platform/database/schema';
import { citusUrl, joinNodes, Node, nodesOf, runOn, urlOn } from './citus';
import { testEnv } from './env';
import { copyDirectory, keepTemplate, restoreTemplate } from './kept-template';

/*
 * Each test file has its own database, copied from one migrated template: a data directory by
 * default, a database on the server of TEST_DATABASE_URL, or a database on every node of the Citus
 * cluster whose coordinator is CITUS_URL.
 */

/** The server of the suite; absent on the embedded database. */
export const postgresUrl = citusUrl ?? process.env.TEST_DATABASE_URL;

/** Separates concurrent runs of the tests. */
const TEMPLATE_VARIABLE = 'TEST_DATABASE_TEMPLATE';

/** The configuration that points a service at its database. */
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

/** Runs a statement on the server, such as CREATE DATABASE. */
export async function onServer(statement: string): Promise<void> {
  await runOn(postgresUrl ?? '', statement);
}

let nodes: Promise<readonly Node[]> | undefined;

/** The server of the suite, or every node of the cluster, each by its URL. */
async function servers(): Promise<string[]> {
  const server = postgresUrl ?? '';
  if (citusUrl === undefined) {
    return [server];
  }
  nodes ??= nodesOf(server);
  const { pathname } = new URL(server);
  return (await nodes).map((node) => urlOn(node, server, pathname));
}

async function onEveryServer(...statements: string[]): Promise<void> {
  await Promise.all((await servers()).map((url) => runOn(url, ...statements)));
}

async function postgresDatabase(template?: string): Promise<TestDatabase & { name: string }> {
  const name = `campaign_test_${randomBytes(6).toString('hex')}`;
  await onEveryServer(
    `CREATE DATABASE ${name}${template === undefined ? '' : ` TEMPLATE ${template}`}`,
    // No test stops this server, so commits need not wait for its disk.
    `ALTER DATABASE ${name} SET synchronous_commit = off`,
  );
  return {
    name,
    variables: { DATABASE_URL: databaseUrl(name) },
    drop: () => onEveryServer(`DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** An empty database; on a cluster, one of all its nodes. */
async function emptyPostgresDatabase(): Promise<TestDatabase & { name: string }> {
  const database = await postgresDatabase();
  await (citusUrl && joinNodes(await nodesOf(citusUrl), citusUrl, database.name));
  return database;
}

/** Empty databases of the nodes of a cluster, without the extension, and what makes them one. */
export async function createSeparateDatabases(): Promise<
  TestDatabase & { join: (nodes?: number) => Promise<void> }
> {
  const coordinator = citusUrl ?? '';
  const database = await postgresDatabase();
  return {
    ...database,
    join: async (count) =>
      joinNodes((await nodesOf(coordinator)).slice(0, count), coordinator, database.name),
  };
}

/** Opens the database of a service that does not run, and closes it after some work on it. */
export async function withDatabase<T>(
  variables: NodeJS.ProcessEnv,
  work: (dataSource: DataSource) => Promise<T>,
  options: Parameters<typeof createDataSource>[1] = {},
): Promise<T> {
  const dataSource = await createDataSource(testEnv(variables), options).initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/** Creates the template; called once per run, before any test. */
export async function createTemplate(): Promise<void> {
  if (postgresUrl === undefined) {
    const directory = temporaryDirectory();
    process.env[TEMPLATE_VARIABLE] = directory;
    if (!(await restoreTemplate(directory))) {
      await withDatabase({ DATA_DIR: directory }, migrateEmbedded, { limits: false });
      await keepTemplate(directory);
    }
    return;
  }
  const { name, variables } = await emptyPostgresDatabase();
  process.env[TEMPLATE_VARIABLE] = name;
  await withDatabase(variables, migratePostgres, { limits: false });
  if (citusUrl !== undefined) {
    await closeToConnections(name);
  }
}

/**
 * The cluster's nodes keep connections to its databases, and a database in use cannot be copied.
 */
async function closeToConnections(database: string): Promise<void> {
  await onEveryServer(
    `ALTER DATABASE ${database} ALLOW_CONNECTIONS false`,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`,
  );
}

/** Removes the template; called once per run, after every test. */
export async function dropTemplate(): Promise<void> {
  const template = process.env[TEMPLATE_VARIABLE];
  if (template === undefined) {
    return;
  }
  if (postgresUrl === undefined) {
    await rm(template, { recursive: true });
  } else {
    await onEveryServer(`DROP DATABASE ${template} WITH (FORCE)`);
  }
}

/** Creates a migrated, empty database. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const template = process.env[TEMPLATE_VARIABLE];
  if (template === undefined) {
    throw new Error('the template database is missing: run the tests through Jest');
  }
  if (postgresUrl !== undefined) {
    return postgresDatabase(template);
  }
  const directory = temporaryDirectory();
  await copyDirectory(template, directory);
  return {
    variables: { DATA_DIR: directory },
    drop: () => rm(directory, { recursive: true }),
  };
}

/** Creates a database without a schema. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  if (postgresUrl !== undefined) {
    return emptyPostgresDatabase();
  }
  const directory = temporaryDirectory();
  return {
    variables: { DATA_DIR: directory },
    drop: () => rm(directory, { recursive: true }),
  };
}
