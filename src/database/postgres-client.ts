import { Client, ClientConfig } from 'pg';

/** What pg says of a statement that was not answered within `query_timeout`. */
const NOT_ANSWERED = 'Query read timeout';

/**
 * A connection whose loss costs no more than the request that has it.
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
      const result = query(...args);
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
