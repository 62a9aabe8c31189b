import type { PoolClient, QueryResult } from 'pg';
import { DataSource, QueryFailedError, QueryRunner } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';

/**
 * Runs a statement outside of a transaction on a connection of the pool, without the query runner
 * and the entity manager that TypeORM makes for each. They cost more than reading a row.
 */
export class PooledDataSource extends DataSource {
  override async query<T>(sql: string, parameters?: unknown[], runner?: QueryRunner): Promise<T> {
    if (runner !== undefined) {
      return super.query<T>(sql, parameters, runner);
    }
    const driver = this.driver as PostgresDriver;
    const [client, release] = (await driver.obtainMasterConnection()) as [PoolClient, () => void];
    const use = trackConnection(driver, release);
    this.logger.logQuery(sql, parameters);
    try {
      const { command, rows, rowCount }: QueryResult = await client.query(sql, parameters);
      // In the form in which TypeORM returns them.
      return (command === 'UPDATE' || command === 'DELETE' ? [rows, rowCount] : rows) as T;
    } catch (error) {
      throw new QueryFailedError(sql, parameters, error as Error);
    } finally {
      use.release();
    }
  }
}

/**
 * Notes a connection in use where TypeORM notes those of its query runners: it takes them back
 * before it closes the pool, which would otherwise wait for the longest statement.
 */
function trackConnection({ connectedQueryRunners }: PostgresDriver, release: () => void) {
  const use = {
    release: () => {
      const index = connectedQueryRunners.indexOf(use as unknown as QueryRunner);
      if (index >= 0) {
        connectedQueryRunners.splice(index, 1);
        release();
      }
    },
  };
  connectedQueryRunners.push(use as unknown as QueryRunner);
  return use;
}
