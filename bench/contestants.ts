import { join, resolve } from 'node:path';
import { randomBytes } from 'node:crypto';
import type { Account } from './account.types';
import type { Filling } from './databases';
import type { DialectName } from './dialects';
import { fillParseServer, parseServerProgram } from './parse-server';
import type { Program } from './processes';

/** The service in this work tree. */
export const SERVICE_DIRECTORY = resolve(__dirname, '../..');

/** A server to measure. */
export interface Contestant {
  name: string;
  /** Its description, in a line of the report. */
  description: string;
  dialect: DialectName;
  /** Takes part only if it is named. */
  optional?: boolean;
  /**
   * The build of the service whose migrations and bench create its database. Without one, it starts
   * with an empty database and fills it itself.
   */
  schemaOf?: string;
  /** Whether it has routes for platforms and their respondents. */
  fielding?: boolean;
  /** Whether its database is the service's embedded one. */
  embedded?: boolean;
  /** Additional statements for its database. */
  sql?: string;
  program(databaseUrl: string): (port: number) => Program;
  fill?(url: string, databaseUrl: string, filling: Filling): Promise<Account[]>;
}

const secret = randomBytes(48).toString('base64');

/** A build of the service as its container image runs it, without rate limits. */
export function serviceProgram(
  directory: string,
  variables: NodeJS.ProcessEnv,
): (port: number) => Program {
  return (port) => ({
    parameters: ['--enable-source-maps', join(directory, 'dist/src/main.js')],
    variables: {
      PORT: String(port),
      JWT_SECRET: secret,
      ENCRYPTION_KEY: secret,
      RATE_LIMIT_ENABLED: 'false',
      LOG_LEVEL: 'info',
      ...variables,
    },
    readyPath: '/health/ready',
  });
}

function service(name: string, directory: string, description: string): Contestant {
  return {
    name,
    description,
    dialect: 'service',
    schemaOf: directory,
    fielding: true,
    program: (databaseUrl) => serviceProgram(directory, { DATABASE_URL: databaseUrl }),
  };
}

/** A server that is part of the bench. */
function ownServer(name: string, description: string, sql?: string): Contestant {
  return {
    name,
    description,
    dialect: 'service',
    schemaOf: SERVICE_DIRECTORY,
    sql,
    program: (databaseUrl) => (port) => ({
      parameters: [join(__dirname, name, 'server.js')],
      variables: { PORT: String(port), DATABASE_URL: databaseUrl },
      readyPath: '/health/ready',
    }),
  };
}

/**
 * Returns every contestant, by name.
 *
 * @param otherDirectory a work tree with another build of the service
 */
export function contestants(otherDirectory?: string): Contestant[] {
  return [
    {
      ...ownServer(
        'limit',
        'bare Fastify, named prepared statements of pg: the work without a framework',
      ),
      fielding: true,
    },
    service('service', SERVICE_DIRECTORY, 'this service'),
    ...(otherDirectory === undefined
      ? []
      : [service('service-b', resolve(otherDirectory), 'the service of --service-dir')]),
    ownServer(
      'first-day',
      'Nest on Express, TypeORM repositories, `findOne` then `save`, transactions',
      // The index for its list; the service's own list does not use it.
      'CREATE INDEX ON campaign (company_id, created_at DESC, id DESC)',
    ),
    {
      name: 'embedded',
      description: 'this service on its embedded database, without fsync: not the same guarantee',
      dialect: 'service',
      optional: true,
      fielding: true,
      embedded: true,
      program: (databaseUrl) => serviceProgram(SERVICE_DIRECTORY, { DATABASE_URL: databaseUrl }),
    },
    {
      name: 'parse-server',
      description: 'Parse Server, its REST API on a class of the same fields',
      dialect: 'parse',
      program: parseServerProgram(),
      fill: fillParseServer,
    },
    {
      name: 'parse-server-history',
      description: 'Parse Server that keeps a history of every change, by Cloud Code',
      dialect: 'parse',
      optional: true,
      program: parseServerProgram('parse-history.js'),
      fill: fillParseServer,
    },
  ];
}
