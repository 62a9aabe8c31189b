import { Client, ClientConfig } from 'pg';

/** What pg says of a statement that was not answered within `query_timeout`. */
const NOT_ANSWERED = 'Query read timeout';

/** Statements that are named at the most: more than the service has, less than would hurt. */
const NAMES_MAXIMUM = 500;

const names = new Map<string, string>();

/** A name for a statement's text, the same on every connection; none once there are too many. */
function nameOf(text: string): string | undefined {
  let name = names.get(text);
  if (name === undefined && names.size < NAMES_MAXIMUM) {
    name = `statement_${names.size + 1}`;
    names.set(text, name);
  }
  return name;
}

/** The arguments of `query`, with a name for a statement that has parameters. */
function prepared([text, values, ...more]: readonly unknown[]): unknown[] {
  return typeof text === 'string' && Array.isArray(values) && values.length > 0
    ? [{ name: nameOf(text), text, values }, ...more]
    : [text, values, ...more];
}

/**
 * A connection that is quick, and whose loss costs no more than the request that has it.
 *
 * It has the server parse each statement once, and plan most of them once, where TypeORM would have
 * it done at every execution. A statement must name the columns it answers: after a migration,
 * PostgreSQL refuses a prepared one that answers `*`.
 *
 * It ends with the first statement that is not answered in time. The answer may never come, as when a
 * network loses every packet, and until it does nothing else is sent: back in the pool, the connection
 * would fail every request that it is given to.
 */
export class PostgresClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    // On its way between the pool and a request nobody listens for its errors, and Node ends the process
    // for an error that nobody hears. Who has the connection learns of it from the next statement.
    this.on('error', () => undefined);
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    this.query = ((...args: unknown[]) => {
      const result = query(...prepared(args));
      return result instanceof Promise
        ? result.catch((error: unknown) => this.endUnlessAnswered(error))
        : result;
    }) as Client['query'];
  }

  private endUnlessAnswered(error: unknown): never {
    if (error instanceof Error && error.message === NOT_ANSWERED) {
      this.connection.stream.destroy();
    }
    throw error;
  }
}
