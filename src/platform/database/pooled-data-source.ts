import type { QueryResult } from 'pg';
import { DataSource, QueryFailedError, QueryRunner } from 'typeorm';
import { driverOf, trackConnection } from '../private-members/typeorm';

/**
 * Runs a statement outside of a transaction on a connection of the pool, without the query runner
 * and the entity manager that TypeORM makes for each. They cost more than reading a row.
 */
export class PooledDataSource extends DataSource {
  override async query<T>(sql: string, parameters?: unknown[], runner?: QueryRunner): Promise<T> {
    if (runner !== undefined) {
      return super.query<T>(sql, parameters, runner);
    }
    const driver = driverOf(this);
    const [client, release] = await driver.obtainMasterConnection();
    const use = trackConnection(driver, release);
    this.logger.logQuery(sql, parameters);
    try {
      const { command, rows, rowCount }: QueryResult = await client.query(sql, parameters);
      // In the form in which TypeORM returns them.
      return (command === 'UPDATE' || command === 'DELETE' ? [rows, rowCount] : rows) as T;
    } catch (error) {
      throw new QueryFailedError(sql, parameters, error as Error);
    } finally {
      void use.release();
    }
  }
}
