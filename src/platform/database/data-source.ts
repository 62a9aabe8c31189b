import { PGlite } from '@electric-sql/pglite';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { types } from 'pg';
import { DataSource, DataSourceOptions } from 'typeorm';
import { driverOf } from '../private-members/typeorm';
import { Env } from '../config/env';
import { lockDirectory } from './directory-lock';
import { EmbeddedSocket } from './embedded-socket';
import { migrations } from './migrations/index';
import { closeToOthers } from './owner-only';
import { PooledDataSource } from './pooled-data-source';
import { PostgresClient } from './postgres-client';
import { parseTime } from './stored-time';
import { SnakeNamingStrategy } from './snake-naming.strategy';

/** Milliseconds to wait for a free connection. */
const CONNECTION_TIMEOUT = 3_000;

/** Milliseconds after which the server cancels a statement. */
const STATEMENT_TIMEOUT = 4_000;

/** Milliseconds to wait for a result; longer than the server takes to cancel a statement. */
const QUERY_TIMEOUT = 4_500;

/**
 * Milliseconds after which the server ends a transaction that sends nothing more, for example
 * because the network is lost or this process is frozen. Its locks would block every retry.
 */
const IDLE_TRANSACTION_TIMEOUT = 5_000;

/** Milliseconds for which a statement waits for a lock, less than it waits for a connection. */
const LOCK_TIMEOUT = 2_000;

/**
 * Options of a serving session. PostgreSQL compiles a statement that it expects to be expensive.
 * That takes half a second for a list whose rows it overestimates, and saves a few milliseconds at
 * most.
 */
const SESSION_OPTIONS = `-c jit=off -c lock_timeout=${LOCK_TIMEOUT}`;

/** The declarations of `pg` have no identifiers of PostgreSQL's array types. */
type TypeId = Parameters<typeof types.getTypeParser>[0];
const NUMERIC_ARRAY = 1231 as unknown as TypeId;
const TEXT_ARRAY = 1009 as unknown as TypeId;
const parseTexts = types.getTypeParser(TEXT_ARRAY) as (value: string) => string[];

// The elements of an array of decimals stay exact decimals, as decimals themselves do.
types.setTypeParser(NUMERIC_ARRAY, parseTexts);
types.setTypeParser(types.builtins.TIMESTAMPTZ, parseTime);

const common = {
  type: 'postgres',
  migrations,
  namingStrategy: new SnakeNamingStrategy(),
  synchronize: false,
  logging: false,
  installExtensions: false,
} as const satisfies DataSourceOptions;

/** The entity classes of the features. Migrations need none. */
export type Entities = (new () => object)[];

/** Options of a data source. */
export interface DataSourceSettings {
  entities?: Entities;
  /** Whether the timeouts of a serving process apply; a migration may take longer. */
  limits?: boolean;
}

/** The embedded database: PostgreSQL in this process, kept in the data directory. */
class EmbeddedDataSource extends PooledDataSource {
  private unlockDirectory: (() => void) | undefined;

  constructor(
    private readonly database: PGlite,
    entities: Entities,
    private readonly directory: string,
    unlockDirectory: () => void,
  ) {
    super({
      ...common,
      entities,
      username: 'postgres',
      database: 'postgres',
      ssl: false,
      poolSize: 1,
      extra: {
        Client: PostgresClient,
        stream: () => new EmbeddedSocket(database),
      },
    });
    this.unlockDirectory = unlockDirectory;
  }

  override async initialize(): Promise<this> {
    await this.database.waitReady;
    // PGlite creates its files with mode 666, whatever the umask.
    closeToOthers(this.directory);
    return super.initialize();
  }

  /**
   * Copies the database between two statements: a tar archive with gzip. What it lacks is what a
   * crash of the process at that moment would lose.
   */
  async dump(): Promise<Uint8Array> {
    const copy = await this.database.dumpDataDir('gzip');
    return new Uint8Array(await copy.arrayBuffer());
  }

  /**
   * Waits for the transaction under way, and refuses others. Unlocks the directory, even if its
   * database never opened.
   */
  override async destroy(): Promise<void> {
    if (this.isInitialized) {
      // TypeORM would give the connection of an open transaction to the next one, which commits it.
      driverOf(this).connectedQueryRunners = [];
      await super.destroy();
    }
    if (this.database.ready) {
      await this.database.close();
      closeToOthers(this.directory);
    }
    this.unlockDirectory?.();
    this.unlockDirectory = undefined;
  }
}

/**
 * A recycled file of the write-ahead log would keep erased data until it is overwritten, so files
 * are not recycled. The default shared memory of 128 MB takes a third of a second to clear at each
 * start.
 */
const START_PARAMETERS = [
  ...PGlite.defaultStartParams,
  ...['-c', 'wal_recycle=off', '-c', 'shared_buffers=32MB'],
];

/**
 * How long a function of the database runs, in bytes of its code, before V8 optimises it. By
 * default, V8 optimises so much during a start that it takes a quarter more CPU. Under load, the
 * database is as fast with either.
 */
const OPTIMISE_AFTER = 180_000_000;

function embedded(dataDir: string, entities: Entities): DataSource {
  const unlock = lockDirectory(dataDir);
  const directory = join(dataDir, 'postgres');
  setFlagsFromString(`--wasm-tiering-budget=${OPTIMISE_AFTER}`);
  const database = new PGlite(directory, { startParams: START_PARAMETERS });
  return new EmbeddedDataSource(database, entities, directory, unlock);
}

/** Copies the embedded database; returns `undefined` for PostgreSQL. */
export async function dumpEmbedded(dataSource: DataSource): Promise<Uint8Array | undefined> {
  return dataSource instanceof EmbeddedDataSource ? dataSource.dump() : undefined;
}

/** Whether the service runs on its embedded database. */
export function isEmbedded(env: Env): boolean {
  return env.DATABASE_URL === undefined;
}

/** The kind of the configured database, as logs name it. */
export function databaseKind(env: Env): 'embedded' | 'postgresql' {
  return isEmbedded(env) ? 'embedded' : 'postgresql';
}

/**
 * Creates the data source: PostgreSQL if `DATABASE_URL` is set, the embedded database otherwise,
 * with the same entities and migrations.
 *
 * @throws DirectoryLockedError if another process uses the data directory, InvalidEnvError if other
 *   users have access to it
 */
export function createDataSource(
  env: Env,
  { entities = [], limits = true }: DataSourceSettings = {},
): DataSource {
  if (env.DATABASE_URL === undefined) {
    return embedded(env.DATA_DIR, entities);
  }
  return new PooledDataSource({
    ...common,
    entities,
    url: env.DATABASE_URL,
    poolSize: env.DATABASE_POOL_SIZE,
    applicationName: 'campaign-service',
    connectTimeoutMS: CONNECTION_TIMEOUT,
    extra: {
      Client: PostgresClient,
      preparesStatements: env.DATABASE_PREPARED_STATEMENTS,
      ...(limits
        ? {
            options: SESSION_OPTIONS,
            statement_timeout: STATEMENT_TIMEOUT,
            query_timeout: QUERY_TIMEOUT,
            idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT,
          }
        : {}),
    },
  });
}
