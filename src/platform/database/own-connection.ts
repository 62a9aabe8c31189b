import { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { poolOf } from '../private-members/typeorm';
import type { Querying } from './citus';

/**
 * A connection beside the pool of a data source, so that its statements wait for no other work. It
 * opens with the first statement, and again after a failure. The embedded database has only one
 * connection, which it shares.
 */
export class OwnConnection implements Querying {
  private readonly pool: Pool | undefined;

  constructor(private readonly dataSource: DataSource) {
    const { options } = poolOf(dataSource);
    const { password, max } = options;
    if (max > 1) {
      this.pool = new Pool({ ...options, password, max: 1, min: 1 });
      // The next statement opens another connection.
      this.pool.on('error', () => undefined);
    }
  }

  async query(statement: string): Promise<unknown> {
    if (this.pool === undefined || !this.dataSource.isInitialized) {
      return this.dataSource.query<unknown>(statement);
    }
    const { rows } = await this.pool.query<Record<string, unknown>>(statement);
    return rows;
  }

  /** Closes the connection; the next statement resolves the name of the server again. */
  async reopen(): Promise<void> {
    const client = await this.pool?.connect();
    client?.release(true);
  }

  async close(): Promise<void> {
    await this.pool?.end();
  }
}
