import { setImmediate as nextTurn } from 'node:timers/promises';
import { Client } from 'pg';
import { traceStatements } from './trace-statements';

/**
 * A connection to the embedded database that starts each statement in its own turn of the event
 * loop.
 *
 * A statement of the embedded database blocks the event loop until it ends. Without turns, queued
 * statements would run without a pause: ten pages of 1 MiB at once delay every other request by 400
 * ms, and by 50 ms with turns.
 */
export class EmbeddedClient extends Client {
  constructor(...config: ConstructorParameters<typeof Client>) {
    super(...config);
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    this.query = traceStatements(async (...args: unknown[]) => {
      await nextTurn();
      return query(...args);
    }) as Client['query'];
  }
}
