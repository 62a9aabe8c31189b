import { Client, ClientConfig, QueryResult } from 'pg';
import type {} from '../private-members/pg';
import { PreparedNames } from './prepared-names';
import { isStale, KnownColumns, PreparedQuery } from './prepared-query';
import { isReadOnlyError } from './read-only';
import { withSessionSettings } from './session-settings';
import { noteCertificate } from './server-certificate';
import { traceStatements } from './trace-statements';

/** Message of pg for a statement without a result within `query_timeout`. */
const NO_RESULT = 'Query read timeout';

type Query = (...args: unknown[]) => unknown;

interface PostgresClientConfig extends ClientConfig {
  /** Whether statements are prepared once per connection; they are by default. */
  preparesStatements?: boolean;
}

const names = new PreparedNames();

/**
 * A connection that prepares its statements and never fails more than one request.
 *
 * The server parses each statement once, and plans most of them once. TypeORM does not name its
 * statements, so the server would parse and plan them at every execution. A statement must name the
 * columns it returns: after a migration, PostgreSQL refuses a prepared statement that returns `*`.
 *
 * The connection closes after the first statement without a result in time. The result may never
 * arrive, for example if the network drops every packet, and until it does, nothing else is sent.
 * Back in the pool, the connection would fail every request that uses it.
 *
 * It also closes if the server refuses a write because it is read-only. After a failover, that
 * server may stay a standby for ever, and a new connection reaches the primary.
 *
 * It closes if a prepared statement is not what it was. Nothing would prepare it again.
 *
 * And it closes if a rollback fails. TypeORM would return it to the pool inside the transaction,
 * and the next request's work would become part of it.
 */
export class PostgresClient extends Client {
  readonly preparesStatements: boolean;
  private readonly columns = new KnownColumns(this.connection);

  constructor(config: PostgresClientConfig = {}) {
    super(config);
    this.preparesStatements = config.preparesStatements ?? true;
    // In the pool, nothing listens for the connection's errors, and Node ends the process for an
    // error without a listener. The next statement fails with the same error.
    this.on('error', () => undefined);
    this.once('connect', () => {
      noteCertificate(this.connection.stream);
    });
    const query = this.query.bind(this) as Query;
    this.query = traceStatements((...args: unknown[]) => {
      const result = this.prepare(query, args) ?? query(...args);
      return result instanceof Promise
        ? result.catch((error: unknown) => this.closeIfUnusable(error, args[0]))
        : result;
    }) as Client['query'];
  }

  override getStartupConf(): Record<string, string> {
    return withSessionSettings(super.getStartupConf());
  }

  /** Executes a statement with parameters under its name, if it has one. */
  private prepare(
    query: Query,
    [text, values, ...more]: readonly unknown[],
  ): Promise<QueryResult> | undefined {
    if (
      !this.preparesStatements ||
      typeof text !== 'string' ||
      !Array.isArray(values) ||
      values.length === 0
    ) {
      return undefined;
    }
    const name = more.length === 0 ? names.of(text) : undefined;
    if (name === undefined) {
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const done = (error: Error | null, result: QueryResult) => {
        if (error === null) {
          resolve(result);
        } else {
          reject(error);
        }
      };
      query(new PreparedQuery(name, text, values, this.columns, done));
    });
  }

  private closeIfUnusable(error: unknown, statement: unknown): never {
    const hasNoResult = error instanceof Error && error.message === NO_RESULT;
    const isInTransaction = typeof statement === 'string' && statement.startsWith('ROLLBACK');
    if (hasNoResult || isInTransaction || isStale(error) || isReadOnlyError(error)) {
      // The pool gives no request a connection that has begun to end.
      void this.end();
      this.connection.stream.destroy();
    }
    throw error;
  }
}
