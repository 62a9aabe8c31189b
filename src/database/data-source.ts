import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { PGlite } from '@electric-sql/pglite';
import { join } from 'node:path';
import { DataSource, DataSourceOptions } from 'typeorm';
import { ApiKey } from '../api-key/api-key.entity';
import { AuditEvent } from '../audit/audit-event.entity';
import { Campaign } from '../campaign/campaign.entity';
import { Company } from '../company/company.entity';
import { Env } from '../config/env';
import { IdempotencyRecord } from '../idempotency/idempotency-record.entity';
import { QuestionSet } from '../questions/question-set.entity';
import { lockDirectory } from './directory-lock';
import { migrations } from './migrations';
import { PostgresClient } from './postgres-client';
import { SnakeNamingStrategy } from './snake-naming.strategy';

/** Milliseconds to wait for a free connection, and for a statement to finish. */
const CONNECTION_TIMEOUT = 3_000;
const STATEMENT_TIMEOUT = 4_000;

/** Milliseconds after which an answer is given up that the server should have given up before. */
const QUERY_TIMEOUT = 4_500;

/**
 * Milliseconds after which the server gives up a transaction that sends nothing more, as when the
 * network was lost or this process frozen: its locks would stand in the way of whoever tries again.
 */
const IDLE_TRANSACTION_TIMEOUT = 5_000;

/** Connections one process opens to PostgreSQL at the most. */
const POOL_SIZE = 10;

const common = {
  type: 'postgres',
  entities: [Company, ApiKey, Campaign, QuestionSet, AuditEvent, IdempotencyRecord],
  migrations,
  namingStrategy: new SnakeNamingStrategy(),
  synchronize: false,
  logging: false,
  installExtensions: false,
} as const satisfies DataSourceOptions;

/** The embedded database: PostgreSQL in this process, kept in the data directory. */
class EmbeddedDataSource extends DataSource {
  private unlockDirectory: (() => void) | undefined;

  constructor(
    private readonly database: PGlite,
    unlockDirectory: () => void,
  ) {
    super({ ...common, extra: createPgConfig(database), poolSize: 1 });
    this.unlockDirectory = unlockDirectory;
  }

  override async initialize(): Promise<this> {
    await this.database.waitReady;
    return super.initialize();
  }

  /** Frees the directory, also where the database in it never opened. */
  override async destroy(): Promise<void> {
    if (this.isInitialized) {
      await super.destroy();
    }
    if (this.database.ready) {
      await this.database.close();
    }
    this.unlockDirectory?.();
    this.unlockDirectory = undefined;
  }
}

function embedded(dataDir: string): DataSource {
  const unlock = lockDirectory(dataDir);
  return new EmbeddedDataSource(new PGlite(join(dataDir, 'postgres')), unlock);
}

/** Whether the service runs on its embedded database. */
export function isEmbedded(env: Env): boolean {
  return env.DATABASE_URL === undefined;
}

/**
 * The one builder of data sources: PostgreSQL where `DATABASE_URL` is set, the embedded database
 * otherwise, with the same entities and migrations.
 *
 * @param limits whether the timeouts of a serving process apply; migrations may take long
 * @throws DirectoryLockedError if another process uses the data directory
 */
export function createDataSource(
  env: Env,
  { limits = true }: { limits?: boolean } = {},
): DataSource {
  if (env.DATABASE_URL === undefined) {
    return embedded(env.DATA_DIR);
  }
  return new DataSource({
    ...common,
    url: env.DATABASE_URL,
    poolSize: POOL_SIZE,
    applicationName: 'campaign-service',
    connectTimeoutMS: CONNECTION_TIMEOUT,
    extra: {
      Client: PostgresClient,
      ...(limits
        ? {
            statement_timeout: STATEMENT_TIMEOUT,
            query_timeout: QUERY_TIMEOUT,
            idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT,
          }
        : {}),
    },
  });
}
